/*
 * Shadow of a core's registers and flags, while it is watched: which of their bits can depend on a
 * secret, and why. Each instruction set computes it before an instruction is executed
 * (v6m/watch.c, v7m/watch.c); memory and findings are in simulators/shadow.
 */
#ifndef MOTEBENCH_CORTEXM_WATCH_H
#define MOTEBENCH_CORTEXM_WATCH_H

#include "../../shadow/shadow.h"
#include "core.h"

enum { CM_FPSCR = 32 };

typedef struct cm_watch {
    sh_shadow *shadow;
    uint32_t secret[16]; /* bits of registers; those of r[15] are not used */
    sh_why why[16];
    uint8_t n, z, c, v, q; /* flags: 0 or 1 */
    uint8_t ge;            /* a bit for each */
    sh_why flags;          /* why any of them is secret */
    uint32_t call;         /* the address of the last call */
    /* of the floating-point unit: registers, and FPSCR as its own number */
    uint32_t s[CM_FPSCR + 1];
    sh_why s_why[CM_FPSCR + 1];
    /* the current instruction is executed or not by a secret, and why */
    bool conditional;
    sh_why condition;
    bool exclusive; /* a secret decided whether the mark of an exclusive load is there */
    /* registers that the instruction before wrote or not by a secret */
    uint32_t late;
    sh_why late_why;
    uint32_t before; /* of a Cortex-M33: registers that come late from the instruction before */
} cm_watch;

/* Watches a core that has not run yet. False: no memory. `program` must live as long. */
bool cm_watch_start(cm_core *core, const sim_program *program);
void cm_watch_end(cm_core *core);

/* An exception put its frame there; a frame was read back. */
void cm_watch_entered(cm_core *core, uint32_t frame);
void cm_watch_left(cm_core *core, uint32_t frame);

/* Registers of floating point were saved in a frame; were read back. */
void cm_watch_saved(cm_core *core, uint32_t frame);
void cm_watch_restored(cm_core *core, uint32_t frame);

/* Before the instruction at `pc`, registers and flags as the core has them. False: there is nothing
 * to follow. */
bool cm_watch_step(cm_core *core, uint32_t pc);

/* --- for instruction sets --------------------------------------------------------------------- */

static inline sh_word cm_secret(const cm_core *core, const cm_watch *watch, unsigned reg)
{
    return (sh_word){core->r[reg], watch->secret[reg]};
}

/* Of an instruction that is executed or not by a secret, all bits of results are secret. */
static inline void cm_by_condition(const cm_watch *watch, uint32_t *secret, sh_why *why)
{
    if (CM_UNLIKELY(watch->conditional)) {
        *secret = SH_ALL;
        *why = sh_merge(watch->shadow, *why, watch->condition);
    }
}

static inline void cm_set_secret(cm_watch *watch, unsigned reg, uint32_t secret, sh_why why)
{
    cm_by_condition(watch, &secret, &why);
    watch->secret[reg] = secret;
    if (secret != 0)
        watch->why[reg] = sh_pass(watch->shadow, why);
}

/* The reasons of two registers, of those that hold a secret. */
static inline sh_why cm_why(const cm_watch *watch, unsigned a, unsigned b)
{
    return sh_merge(watch->shadow, watch->secret[a] != 0 ? watch->why[a] : (sh_why)0,
                    watch->secret[b] != 0 ? watch->why[b] : (sh_why)0);
}

static inline sh_why cm_why_flags(const cm_watch *watch)
{
    return (watch->n | watch->z | watch->c | watch->v | watch->q | watch->ge) != 0
               ? watch->flags
               : (sh_why)0;
}

/* The reason of flags that the current instruction made; `kept`: not 0 if others that are secret
 * stay. */
static inline void cm_set_why_flags(cm_watch *watch, sh_why why, uint32_t kept)
{
    watch->flags =
        sh_merge(watch->shadow, sh_pass(watch->shadow, why), kept != 0 ? watch->flags : (sh_why)0);
}

/* N and Z of a result. */
static inline void cm_set_nz(cm_watch *watch, uint32_t value, uint32_t secret, sh_why why)
{
    watch->n = (uint8_t)(secret >> 31);
    watch->z = sh_zero(value, secret);
    if (secret != 0)
        cm_set_why_flags(watch, why, watch->c | watch->v | watch->q | watch->ge);
}

/* All flags of a sum. */
static inline void cm_set_flags(cm_watch *watch, const sh_sum *sum, sh_why why)
{
    watch->n = sum->n;
    watch->z = sum->z;
    watch->c = sum->c;
    watch->v = sum->v;
    if ((sum->n | sum->z | sum->c | sum->v) != 0)
        cm_set_why_flags(watch, why, watch->q | watch->ge);
}

/* The result of logic, a move or a shift, and its flags. */
static inline void cm_set_result(cm_watch *watch, unsigned to, sh_word result, sh_why why)
{
    cm_set_secret(watch, to, result.secret, why);
    cm_set_nz(watch, result.value, result.secret, why);
}

/* The carry that came out of a shift, before N and Z are set. */
static inline void cm_set_carry(cm_watch *watch, uint32_t carry, sh_why why)
{
    watch->c = (uint8_t)carry;
    if (carry != 0)
        cm_set_why_flags(watch, why, watch->v | watch->q | watch->ge);
}

static inline void cm_set_sum(cm_watch *watch, unsigned to, sh_sum sum, sh_why why)
{
    cm_set_secret(watch, to, sum.secret, why);
    cm_set_flags(watch, &sum, why);
}

/* Carry of the flags, as an operand of a sum. */
static inline sh_word cm_carry(const cm_core *core, const cm_watch *watch)
{
    return (sh_word){core->c, watch->c};
}

/* Is it a secret that this condition holds? By its number in the encodings, EQ to LE. */
bool cm_condition_secret(const cm_core *core, const cm_watch *watch, unsigned condition);

/* Flags as the status register has them. */
uint32_t cm_flags_secret(const cm_watch *watch);
void cm_set_flags_secret(cm_watch *watch, uint32_t status, sh_why why);

/* SXTH, SXTB, UXTH, UXTB, REV, REV16 and REVSH, by number: bits change their places, as those of
 * the value do. */
uint32_t cm_extended(unsigned which, uint32_t bits);

/* MSR: `status` are the bits of flags that it writes. MRS. */
void cm_watch_msr(cm_watch *watch, unsigned special, unsigned reg, uint32_t status);
void cm_watch_mrs(cm_watch *watch, unsigned special, unsigned reg);

/* A jump to what this register holds. */
void cm_watch_jump(cm_watch *watch, unsigned reg);

/* --- memory ----------------------------------------------------------------------------------- */

/* An address, with the least and the greatest that secret bits allow, if those between are all of
 * them: not around the end of addresses. */
typedef struct cm_place {
    uint32_t address, secret, least, most;
    bool whole;
    sh_why why;
} cm_place;

cm_place cm_place_of(sh_word base, sh_word offset, sh_why why);

/*
 * An address that depends on a secret. RAM answers at once, and flash that waits as long for each
 * word takes as long. A cache before it does not, nor what is no memory. `more`: cycles by which
 * reads of flash differ.
 */
void cm_find_address(const cm_core *core, sh_kind kind, const cm_place *place, unsigned more);

/* Secret bits of a load of 1, 2 or 4 bytes, and their reason. */
uint32_t cm_load_secret(const cm_core *core, const cm_place *place, unsigned size, sh_why *why);
void cm_store_secret(const cm_core *core, const cm_place *place, unsigned size, uint32_t secret,
                     sh_why why);

/* Registers of a list, from this place up. */
void cm_load_list_secret(const cm_core *core, cm_place place, uint32_t list);
void cm_store_list_secret(const cm_core *core, cm_place place, uint32_t list);

#endif

/*
 * Shadow of a core's registers and flags, while it is watched: which of their bits can depend on a
 * secret, and why. Each instruction set computes it before an instruction is executed
 * (v6m/watch.c); memory and findings are in simulators/shadow.
 */
#ifndef MOTEBENCH_CORTEXM_WATCH_H
#define MOTEBENCH_CORTEXM_WATCH_H

#include "../../shadow/shadow.h"
#include "core.h"

typedef struct cm_watch {
    sh_shadow *shadow;
    uint32_t secret[16]; /* bits of registers; those of r[15] are not used */
    sh_why why[16];
    uint8_t n, z, c, v; /* flags: 0 or 1 */
    sh_why flags;       /* why any of them is secret */
    uint32_t call;      /* the address of the last call */
} cm_watch;

/* Watches a core that has not run yet. False: no memory. `program` must live as long. */
bool cm_watch_start(cm_core *core, const sim_program *program);
void cm_watch_end(cm_core *core);

/* An exception put its frame there; a frame was read back. */
void cm_watch_entered(cm_core *core, uint32_t frame);
void cm_watch_left(cm_core *core, uint32_t frame);

/* Before the instruction at `pc`, registers and flags as the core has them. False: there is nothing
 * to follow. */
bool cm_watch_step(cm_core *core, uint32_t pc);

/* --- for instruction sets --------------------------------------------------------------------- */

static inline sh_word cm_secret(const cm_core *core, const cm_watch *watch, unsigned reg)
{
    return (sh_word){core->r[reg], watch->secret[reg]};
}

static inline void cm_set_secret(cm_watch *watch, unsigned reg, uint32_t secret, sh_why why)
{
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
    return (watch->n | watch->z | watch->c | watch->v) != 0 ? watch->flags : (sh_why)0;
}

/* N and Z of a result. */
static inline void cm_set_nz(cm_watch *watch, uint32_t value, uint32_t secret, sh_why why)
{
    watch->n = (uint8_t)(secret >> 31);
    watch->z = sh_zero(value, secret);
    if (secret != 0)
        watch->flags = sh_merge(watch->shadow, sh_pass(watch->shadow, why), cm_why_flags(watch));
}

/* All flags of a sum. */
static inline void cm_set_flags(cm_watch *watch, const sh_sum *sum, sh_why why)
{
    watch->n = sum->n;
    watch->z = sum->z;
    watch->c = sum->c;
    watch->v = sum->v;
    if ((sum->n | sum->z | sum->c | sum->v) != 0)
        watch->flags = sh_pass(watch->shadow, why);
}

/* Carry of the flags, as an operand of a sum. */
static inline sh_word cm_carry(const cm_core *core, const cm_watch *watch)
{
    return (sh_word){core->c, watch->c};
}

/* Is it a secret that this condition holds? By its number in the encodings, EQ to LE. */
bool cm_condition_secret(const cm_core *core, const cm_watch *watch, unsigned condition);

/* Flags as the status register has them, in its top bits. */
uint32_t cm_flags_secret(const cm_watch *watch);
void cm_set_flags_secret(cm_watch *watch, uint32_t status, sh_why why);

#endif

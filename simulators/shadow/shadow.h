/*
 * Shadow of a program that runs in a simulator: which bits of memory can depend on a secret, where
 * that secret comes from and which functions it passed through, and where it reaches time. The
 * shadow of registers and flags belongs to each core (cortexm/core/watch.h); what results of
 * instructions depend on is in rules.h.
 *
 * The program says what is secret by calling functions of the names in shadow.c, which do nothing
 * by themselves: see core/include/motebench/marks.h. Nothing of the program is trusted.
 */
#ifndef MOTEBENCH_SHADOW_H
#define MOTEBENCH_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/command.h"
#include "../common/profile.h"
#include "../common/program.h"
#include "rules.h"

/* Origin of a secret, and the functions that it passed through: a number of a table; 0: none. */
typedef uint16_t sh_why;

/* Kinds of dependence on a secret. */
typedef enum sh_kind {
    SH_BRANCH,   /* whether a branch is taken, or a block of instructions is skipped */
    SH_JUMP,     /* the target of a jump */
    SH_LOAD,     /* the address of a load */
    SH_STORE,    /* the address of a store */
    SH_OPERANDS, /* the time of an instruction that depends on its operands */
    SH_KINDS
} sh_kind;

/* Cycles between extremes that nobody knows. */
enum { SH_UNKNOWN = 0xff };

/* One instruction that depends on a secret. */
typedef struct sh_finding {
    uint32_t pc;
    uint8_t kind;    /* sh_kind */
    uint8_t origins; /* a bit for each */
    uint8_t cost;    /* cycles between extremes, of this instruction alone, or SH_UNKNOWN */
    bool waits;      /* time depends on it: a note if not */
    sh_why why;      /* of the first time */
    uint64_t count;  /* 0: this place of the table is free */
} sh_finding;

/* Calls from one place that mark memory: how often, bytes of all calls together. */
typedef struct sh_mark {
    uint32_t caller;
    bool public;
    uint64_t count, bytes;
} sh_mark;

/* A call of the program, as sh_step found it. */
typedef enum sh_call { SH_NONE, SH_BEGIN, SH_END, SH_SECRET, SH_PUBLIC } sh_call;

enum {
    SH_FINDINGS = 1024, /* a power of two; those of more instructions are only counted */
    SH_MARKS = 64,
    SH_NODES = 0xffff,
    SH_CACHED = 1024, /* a power of two */
    SH_DEEPEST = 16   /* functions in a chain */
};

typedef struct sh_node {
    sh_why parent, next; /* next: of the same hash */
    uint16_t function;
    uint8_t origins, depth;
} sh_node;

typedef struct sh_cached {
    sh_why from, to;
    uint16_t by; /* a function, or another sh_why */
    uint8_t of;  /* kind of this entry; 0: free */
} sh_cached;

/* The memories of a board: those that hold code, and data. */
typedef struct sh_memories {
    sim_code flash, ram; /* of code; addresses as the program counter has them */
    sim_code data;
} sh_memories;

typedef struct sh_shadow {
    sh_memories of;
    const sim_program *program;
    bool active;       /* between begin and end */
    bool cleared;      /* registers are to be cleared */
    uint16_t function; /* of the current instruction: its number in the program, or SH_NODES */
    uint32_t pc;
    uint8_t *bits; /* a byte for each of data: its secret bits */
    sh_why *why;
    uint8_t *places; /* of code, by halfword: it ran; an sh_call */
    uint16_t *function_of;
    sh_node nodes[SH_NODES];
    uint32_t node_count;
    sh_why heads[SH_NODES];
    sh_cached cache[SH_CACHED];
    sh_finding findings[SH_FINDINGS];
    size_t finding_count;
    sh_mark marks[SH_MARKS];
    size_t mark_count;
    uint64_t spans, lost; /* begun; findings and marks without a place in their tables */
} sh_shadow;

/* NULL: no memory. `program` must live as long. Free with sh_free. */
sh_shadow *sh_new(const sh_memories *of, const sim_program *program);
void sh_free(sh_shadow *shadow);

/* --- marks ------------------------------------------------------------------------------------ */

void sh_begin(sh_shadow *shadow);
void sh_end(sh_shadow *shadow);

/* Bytes from `address` are secret, all bits of them, and come from `origin` (0 to 7); or are no
 * secret any more. `caller`: an address in the code that says so. */
void sh_make_secret(sh_shadow *shadow, uint32_t address, uint32_t bytes, unsigned origin,
                    uint32_t caller);
void sh_make_public(sh_shadow *shadow, uint32_t address, uint32_t bytes, uint32_t caller);

/* Does what a call of the program says, with its arguments: an address, a length and, of SH_SECRET,
 * an origin. True if nothing is secret any more: then the core forgets what it has of secrets. */
bool sh_obey(sh_shadow *shadow, sh_call call, const uint32_t arguments[3], uint32_t caller);

/* --- execution -------------------------------------------------------------------------------- */

static inline uint32_t sh_place(const sh_shadow *shadow, uint32_t pc)
{
    const uint32_t in_flash = pc - shadow->of.flash.base, in_ram = pc - shadow->of.ram.base;
    if (in_flash < shadow->of.flash.size)
        return in_flash / 2;
    return in_ram < shadow->of.ram.size ? (shadow->of.flash.size + in_ram) / 2 : UINT32_MAX;
}

enum { SH_RAN = 1, SH_CALL_SHIFT = 1 };

/* The instruction at `pc` is about to be executed. A call, if it is the first of a function that
 * marks. */
static inline sh_call sh_step(sh_shadow *shadow, uint32_t pc)
{
    const uint32_t place = sh_place(shadow, pc);
    if (place == UINT32_MAX)
        return SH_NONE;
    uint8_t *const at = &shadow->places[place];
    const sh_call call = (sh_call)(*at >> SH_CALL_SHIFT);
    if (shadow->active) {
        *at |= SH_RAN;
        shadow->pc = pc;
        shadow->function = shadow->function_of[place];
    }
    return call;
}

/* --- why -------------------------------------------------------------------------------------- */

sh_why sh_merge_slowly(sh_shadow *shadow, sh_why a, sh_why b);
sh_why sh_pass_slowly(sh_shadow *shadow, sh_why why);

/* Both reasons together: the origins of both, the way of the first. */
static inline sh_why sh_merge(sh_shadow *shadow, sh_why a, sh_why b)
{
    return a == b || b == 0 ? a : a == 0 ? b : sh_merge_slowly(shadow, a, b);
}

/* The reason of what the current instruction makes of a secret. */
static inline sh_why sh_pass(sh_shadow *shadow, sh_why why)
{
    return shadow->nodes[why].function == shadow->function ? why : sh_pass_slowly(shadow, why);
}

/* --- memory: addresses outside data hold no secret -------------------------------------------- */

/* Secret bits of `size` bytes, 1, 2 or 4, and their reason. */
uint32_t sh_load(sh_shadow *shadow, uint32_t address, unsigned size, sh_why *why);
void sh_store(sh_shadow *shadow, uint32_t address, unsigned size, uint32_t secret, sh_why why);

/* --- findings --------------------------------------------------------------------------------- */

/* The current instruction depends on a secret. `cost`: see sh_finding. */
void sh_find(sh_shadow *shadow, sh_kind kind, bool waits, unsigned cost, sh_why why);

/*
 * Writes a file of lines with tabs between their fields. False: it cannot be written, which was
 * reported.
 *
 *     finding          kind, "error" or "note", address, times, origins (a bit each), cycles
 *                      between extremes or nothing, addresses of the functions passed through
 *     secret, public   address of the call, times, bytes
 *     ran              address of an instruction that ran
 *     spans            operations that were followed
 *     lost             findings and marks without room
 */
bool sh_write(const sh_shadow *shadow, const sim_command *command, const char *path);

#endif

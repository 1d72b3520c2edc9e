/*
 * Shadow of a core's registers, while it is watched: which of their bits can depend on a secret,
 * and why. It is computed before an instruction is executed; memory and findings are in
 * simulators/shadow.
 */
#ifndef MOTEBENCH_HAZARD3_WATCH_H
#define MOTEBENCH_HAZARD3_WATCH_H

#include "../../shadow/shadow.h"
#include "core.h"

typedef struct hz_watch {
    sh_shadow *shadow;
    uint32_t secret[32]; /* bits of registers; those of x0 stay 0 */
    sh_why why[32];
    uint32_t scratch; /* of mscratch */
    sh_why scratch_why;
    /* A secret was written to another control register: all that is read from one is secret. */
    bool control;
    sh_why control_why;
    uint32_t call; /* the address of the last call */
} hz_watch;

/* Watches a core that is set up, and has not run yet. False: no memory. `program` must live as
 * long. */
bool hz_watch_start(hz_core *core, const sim_program *program);
void hz_watch_end(hz_core *core);

/* Before the instruction `op` at the program counter. */
void hz_watch_op(hz_core *core, const hz_op *op);

/* hz_core_run of a core that is watched. */
hz_stop hz_core_run_watched(hz_core *core, uint64_t until);

#endif

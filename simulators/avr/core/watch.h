/*
 * Shadow of a core's registers and flags, while it is watched: which of their bits can depend on a
 * secret, and why. Memory and findings are in simulators/shadow, whose data are the whole data
 * space here: the registers of AVRe+ lie in it.
 */
#ifndef MOTEBENCH_SIM_AVR_WATCH_H
#define MOTEBENCH_SIM_AVR_WATCH_H

#include "../../shadow/shadow.h"
#include "core.h"

typedef struct av_watch {
    sh_shadow *shadow;
    uint8_t *secret; /* bits of registers */
    sh_why *why;
    uint8_t own[AV_R]; /* where those of AVRxt are */
    sh_why own_why[AV_R];
    uint16_t sp;
    uint8_t flags; /* as in SREG */
    sh_why sp_why, flags_why;
    /* Registers, a bit each, of whose values is known more than their bits say: the least and the
     * greatest. The upper half of an address in a table that lies on two pages is one or the next,
     * which can turn all its bits. */
    uint32_t bounded;
    uint8_t least[AV_R], most[AV_R];
    /* The next instruction, if a secret decides whether it is executed, without a difference in
     * time. */
    const av_op *chosen;
    sh_why chosen_why;
    uint32_t call; /* the address of the last call */
} av_watch;

/* Watches a core that is set up, and has not run yet. False: no memory. `program` must live as
 * long. */
bool av_watch_start(av_core *core, const sim_program *program);
void av_watch_end(av_core *core);

/* Before the instruction `op`; registers and SREG are in the core. */
void av_watch_op(av_core *core, const av_op *op);

/* An interrupt put a byte of the program counter there. */
void av_watch_pushed(av_core *core, uint16_t address);

#endif

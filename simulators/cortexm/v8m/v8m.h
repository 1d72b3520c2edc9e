/*
 * Cortex-M33 (Armv8-M Mainline): decoded instructions and the interpreter of ARMv7-M, with a few
 * instructions more and a pipeline of its own, which issues two instructions at once in some cases.
 *
 * Sources: Armv8-M Architecture Reference Manual (Arm DDI 0553) for what instructions do; for
 * cycles github.com/jnk0le/random, "pipeline cycle test/doc/cortex_m33.md", and the RP2350 data
 * sheet, 3.7.4.9, both measured on an RP2350 (Cortex-M33 r1p0). docs/explain/cortexm.md says what
 * is assumed.
 */
#ifndef MOTEBENCH_CORTEXM_V8M_H
#define MOTEBENCH_CORTEXM_V8M_H

#include "../v7m/v7m.h"

/*
 * Effect of an instruction on the next ones, cm7_op.after: a mask of the registers that come a
 * cycle later than those of most instructions, and more bits. In cm7_op.fetch are the cycles beyond
 * the first.
 */
enum {
    CM8_FLAGS = 1 << 15,    /* the flags come a cycle later; in `reads`: they are read */
    CM8_LOADED = 1 << 16,   /* these registers were loaded */
    CM8_SUMMED = 1 << 17,   /* they come from the stage of sums */
    CM8_SETS = 1 << 18,     /* the flags are set */
    CM8_NARROW = 1 << 19,   /* a 16-bit instruction, beside which another one can be issued */
    CM8_EXTENDS = CM8_FLAGS /* in `sums`: an extension with a sum, which no load can reach early */
};
/* Bits of one cycle in the history of three cycles that the interpreter keeps. */
enum { CM8_CYCLE = 20 };

/* The loads and stores with acquire and release semantics; what else it is stays as it was. */
void cm8_decode_wide(cm7_op *op, uint32_t first, uint32_t second);

/* Fills in cm7_op.reads, sums, after and fetch. */
void cm8_schedule(cm7_op *op);

extern const cm_instructions cm8_instructions, cm8_watched;

cm_stop cm8_execute(cm_core *core);
cm_stop cm8_execute_watched(cm_core *core);

#endif

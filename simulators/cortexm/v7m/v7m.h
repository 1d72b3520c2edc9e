/*
 * ARMv7-M (Cortex-M3, M4): a core that fetches code into a buffer, before a flash that is read by
 * lines, with a cache of instructions or an accelerator, counted cycle by cycle.
 *
 * Sources: ARMv7-M Architecture Reference Manual (ARM DDI 0403) for what instructions do; Cortex-M4
 * Technical Reference Manual (ARM DDI 0439) for cycles;
 * docs/explain/cortexm.md for what they leave open.
 */
#ifndef MOTEBENCH_CORTEXM_V7M_H
#define MOTEBENCH_CORTEXM_V7M_H

#include "../core/core.h"
#include "accelerator.h"

enum { CM7_LINES = 128 }; /* of the cache of instructions, at most */

/* One halfword of code, decoded; ops.h says what the operands of each routine are. */
typedef struct cm7_op {
    /* index of its routine in interpreter.h; of the one behind a condition */
    uint16_t code, real;
    uint16_t reads, sums; /* of a Cortex-M33: ../v8m/v8m.h */
    uint8_t d, n, m, a;   /* registers, or small numbers */
    uint8_t halfwords;    /* 1 or 2 */
    uint8_t fetch;        /* how it uses the words of code, and */
    uint32_t after;       /* what it leaves to the next: pipeline.h */
    /* in an IT block: its state, and the condition of this instruction */
    uint8_t it, condition;
    uint32_t imm;
} cm7_op;

/*
 * Timing of the flash: reads of whole lines, a cache of instructions only, and one line of data
 * that is kept.
 */
typedef struct cm7_flash_timing {
    uint8_t wait;       /* wait states of a line that must be read; 0: flash never waits */
    uint8_t line_shift; /* the logarithm of the bytes of a line */
    /* of the cache: places less one; 0 without a cache, which keeps one line */
    uint8_t last_place;
    cm7_ahead_properties ahead; /* of an accelerator */
} cm7_flash_timing;

typedef struct cm7_core {
    cm_core core; /* first: each is the other */
    /* one per halfword, and one more: code that runs off the end */
    cm7_op *flash_ops, *ram_ops;
    cm7_flash_timing timing;
    cm7_accelerator *accelerator; /* before the flash; NULL: none */
    /* the address for which the following holds: see pipeline.h */
    uint32_t next;
    /*
     * cycles at which the instruction before was executed, and at which the next words can be
     * decoded
     */
    uint64_t began, words[3];
    uint32_t late; /* cm7_op.after of the instruction before */
    /* of the cache of instructions: the line in each place */
    uint32_t line_tags[CM7_LINES];
    uint32_t data_line; /* the line of flash from which data were read last */
    /* the place of the last line that was fetched ahead, and what was there */
    uint32_t *fill, evicted;
    uint64_t fill_until; /* when its first word can be decoded; 0: none */
    /* bytes of RAM before far RAM (docs/explain/cortexm.md), from the first one on; all, if
     * there is none */
    uint32_t ram_near;
    uint64_t far_next; /* the cycle behind the last transfer with far RAM, and behind its pause */
    uint8_t far_pause; /* cycles behind transfers with far RAM in which none begins */
    /* the register that the last arithmetic of the floating-point unit wrote */
    uint8_t float_result;
    /* cycle at which that is ready, for the next instruction */
    uint64_t float_at;
    uint64_t float_until; /* until when a division occupies the unit */
} cm7_core;

/* Its core is the first member of a cm7_core, to which the board may give an accelerator. */
extern const cm_instructions cm7_instructions;
/* The same for a core that is watched (core/watch.h). */
extern const cm_instructions cm7_watched;

/* A word of code at an address that the flash has to know of when it is fetched: the first one of a
 * line, and those that its accelerator asks for. */
static inline bool cm7_tells(const cm7_core *v7m, uint32_t address)
{
    const uint32_t last = (1u << v7m->timing.line_shift) - 4, word = address & last;
    return word == 0 || v7m->timing.ahead.every || (v7m->timing.ahead.ends && word == last);
}

/* New wait states or cache settings: the cache is empty. What is decoded stays: `line_shift` and
 * `ahead` must always be the same. */
void cm7_set_flash(cm7_core *v7m, cm7_flash_timing timing);

#endif

/*
 * ARMv6-M (Cortex-M0+): a core with one AHB port before a flash that may have a cache, counted
 * cycle by cycle.
 *
 * Sources: ARMv6-M Architecture Reference Manual (ARM DDI 0419) for what instructions do;
 * Cortex-M0+ Technical Reference Manual (ARM DDI 0484) chapter 3 for cycles;
 * docs/explain/cortexm.md for the order of transfers on the bus and for what is inferred.
 */
#ifndef MOTEBENCH_CORTEXM_V6M_H
#define MOTEBENCH_CORTEXM_V6M_H

#include "../core/core.h"

enum {
    CM6_FLASH_LINES = 8, /* of a cache whose lines each have one place */
    /* of one with two places for each line: those that are noted in slots */
    CM6_RECENT_LINES = 128,
    /* of what never waits: RAM, flash without wait states; its tag is 0 */
    CM6_SLOT_HIT = 0,
    CM6_SLOT_LINE = 1,                    /* the first line of the cache */
    CM6_SLOT_WAIT = 1 + CM6_RECENT_LINES, /* of what always waits */
    CM6_SLOTS = 2 + CM6_RECENT_LINES
};

/* One halfword of code, decoded. A transfer from flash is described by the number of its 64-bit
 * line and its slot. */
typedef struct cm6_op {
    uint8_t code; /* index of its routine in interpreter.h; 0: not decoded yet */
    /* two registers or counts (b: the slot of other_line); the slot of line */
    uint8_t a, b, slot;
    /* an operand, the third register, a list of registers, or an address */
    uint32_t imm;
    /* of the word that this instruction fetches ahead; 0 with CM6_SLOT_HIT */
    uint32_t line;
    uint32_t other_line; /* of the target of a branch, or of a literal */
} cm6_op;

/*
 * Timing of the flash. Settings of the part, of its registers and of the command line end up
 * here.
 */
typedef struct cm6_flash_timing {
    uint16_t hit, miss; /* wait states */
    bool cached;
    bool data_allocates; /* data reads fill lines too */
    uint8_t after_hit;   /* more wait states of a miss right behind a hit in another line */
} cm6_flash_timing;

typedef struct cm6_core {
    cm_core core; /* first: each is the other */
    /* one per halfword, and one more: code that runs off the end */
    cm6_op *flash_ops, *ram_ops;
    uint32_t tags[CM6_SLOTS]; /* the line in each place of the cache */
    /* Of a cache with two places for each line: the lines of each set, the one that was used last
     * first; `set_count` of them. A line that is in tags too is the first of its set, so that using
     * it changes nothing. NULL: one place. */
    uint32_t (*sets)[2];
    uint32_t set_count;
    cm6_flash_timing timing;
    /* cycles at which the last data hit, and the last fetch that missed, left the bus */
    uint64_t hit_end, miss_end;
    bool data_missed;   /* the last load came from flash, and missed */
    uint8_t multiplier; /* cycles of MULS: 1 or 32 */
} cm6_core;

/* Its core is the first member of a cm6_core, of which the board sets `set_count` and `multiplier`
 * before the start. */
extern const cm_instructions cm6_instructions;
/* The same for a core that is watched (core/watch.h). */
extern const cm_instructions cm6_watched;

/* New wait states or cache settings: what was decoded and cached is forgotten. */
void cm6_set_flash(cm6_core *v6m, cm6_flash_timing timing);

/* Nothing is in the cache of the flash any more. */
void cm6_empty_cache(cm6_core *v6m);

/* Wait states of a read of flash; brings its line in. `behind_hit`: the data phase right before was
 * a hit in another line than the one before. */
unsigned cm6_flash_wait(cm6_core *v6m, uint32_t address, bool behind_hit, bool data);

#endif

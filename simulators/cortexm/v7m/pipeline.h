/*
 * Time in a Cortex-M3 or M4. Words of code are fetched into a buffer of three, one a cycle; an
 * instruction is decoded when its words are there, a cycle later at the earliest it is executed,
 * and then the word that it used up makes room for another one.
 * docs/explain/cortexm.md says which rule is from where.
 */
#ifndef MOTEBENCH_CORTEXM_V7M_PIPELINE_H
#define MOTEBENCH_CORTEXM_V7M_PIPELINE_H

#include "ops.h"

/*
 * Effect of an instruction on the next one, cm7_op.after: a mask of the registers that come too
 * late for an address, and
 */
enum {
    CM7_LOADED = 1 << 16, /* it loads one register: the next load or store is pipelined */
    CM7_STORED = 1 << 17, /* it stores one register */
    CM7_NARROW = 1 << 18  /* it has 16 bits: an IT behind it takes no cycle */
};

/* Use of the words of code by an instruction, cm7_op.fetch. */
enum {
    CM7_ENDS_WORD = 1, /* nothing of its first word is left */
    CM7_STRADDLES = 2, /* it lies in two words */
    /* the flash has to know of the word that is fetched in the place of its first */
    CM7_TOLD = 4
};

#endif

/* The hash of GCM: SP 800-38D 6.3 and 6.4. */
#ifndef MOTE_MODES_GHASH_H
#define MOTE_MODES_GHASH_H

#include "mote/assembly.h"

/* ghash_armv7m.S: products of 32 bits. */
#if MOTE_ASSEMBLY_ARMV7M && defined(__ARM_FEATURE_DSP)
#define MOTE_GHASH_WORDS 1
#else
#define MOTE_GHASH_WORDS 0
#endif

#ifndef __ASSEMBLER__
#include <stdint.h>

/*
 * y = y * h in GCM's field. Words and their bits are in the order of the block: the coefficient of
 * x^0 is the top bit of the first word. Neither a branch nor an index depends on the contents.
 */
void mote_ghash_multiply(uint32_t y[4], const uint32_t h[4]);
#endif

#endif

/* Blocks of 8 and 16 bytes, whatever their alignment. */
#ifndef MOTE_MODES_BLOCK_H
#define MOTE_MODES_BLOCK_H

#include <string.h>

#include "mote/modes.h"
#include "mote/xor.h"

#if MOTE_STRICT
/*
 * By words where that can be: memcpy goes byte by byte there, and a loop would be made a call of
 * it.
 */
static inline void mote_copy_half(uint8_t *out, const uint8_t *in)
{
    uint32_t low, high;
    memcpy(&low, __builtin_assume_aligned(in, 4), 4);
    memcpy(&high, __builtin_assume_aligned(in + 4, 4), 4);
    memcpy(__builtin_assume_aligned(out, 4), &low, 4);
    memcpy(__builtin_assume_aligned(out + 4, 4), &high, 4);
}
#endif

static inline void mote_copy(uint8_t *out, const uint8_t *in, size_t block_len)
{
#if MOTE_STRICT
    if ((((uintptr_t)out | (uintptr_t)in) & 3) == 0) {
        mote_copy_half(out, in);
        if (block_len == 16)
            mote_copy_half(out + 8, in + 8);
        return;
    }
#endif
    if (block_len == 16)
        memcpy(out, in, 16);
    else
        memcpy(out, in, 8);
}

static inline void mote_copy_blocks(uint8_t *out, const uint8_t *in, size_t blocks,
                                    size_t block_len)
{
    for (; blocks > 0; blocks--, in += block_len, out += block_len)
        mote_copy(out, in, block_len);
}

/* Several blocks, that go to encrypt_blocks or decrypt_blocks at once. */
typedef uint8_t mote_batch[MOTE_BATCH * MOTE_BLOCK_MAX];

/* Number of blocks that go there next, of the `blocks` that are left. */
static inline size_t mote_batch_of(size_t blocks)
{
    return blocks < MOTE_BATCH ? blocks : MOTE_BATCH;
}

#endif

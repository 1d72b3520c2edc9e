/* Blocks of 8 and 16 bytes, whatever their alignment. */
#ifndef MOTE_MODES_BLOCK_H
#define MOTE_MODES_BLOCK_H

#include <string.h>

#include "mote/modes.h"

/* out = a XOR b, for a length that is a multiple of 8; any of the three may be the same. */
static inline void mote_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t len)
{
#if !MOTE_SMALL
    for (; len > 0; len -= 8, out += 8, a += 8, b += 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        x ^= y;
        memcpy(out, &x, 8);
    }
#else
    for (; len > 0; len--)
        *out++ = *a++ ^ *b++;
#endif
}

static inline void mote_copy(uint8_t *out, const uint8_t *in, size_t block_len)
{
    if (block_len == 16)
        memcpy(out, in, 16);
    else
        memcpy(out, in, 8);
}

/* Several blocks, that go to encrypt_blocks or decrypt_blocks at once. */
typedef uint8_t mote_batch[MOTE_BATCH * MOTE_BLOCK_MAX];

/* How many blocks of the `blocks` that are left go there next. */
static inline size_t mote_batch_of(size_t blocks)
{
    return blocks < MOTE_BATCH ? blocks : MOTE_BATCH;
}

#endif

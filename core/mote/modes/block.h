/* Blocks of 8 and 16 bytes, whatever their alignment. */
#ifndef MOTE_MODES_BLOCK_H
#define MOTE_MODES_BLOCK_H

#include <string.h>

#include "mote/modes.h"
#include "mote/xor.h"

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

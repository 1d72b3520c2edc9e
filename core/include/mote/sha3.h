/*
 * SHA-3 and SHAKE for other algorithms: input and output in pieces of any length.
 *
 *     mote_sha3_start(&s, MOTE_SHAKE128_RATE);
 *     mote_sha3_absorb(&s, seed, 32);
 *     mote_sha3_end(&s, MOTE_SHAKE_SUFFIX);
 *     mote_sha3_squeeze(&s, block, 24);
 *
 * The state belongs to the caller; what its lanes hold is known to sha3.c only. Pieces of whole
 * lanes (8 bytes), begun at a whole lane, are fastest. mote_wipe a state that had secrets.
 */
#ifndef MOTE_SHA3_H
#define MOTE_SHA3_H

#include <stddef.h>
#include <stdint.h>

enum {
    MOTE_SHA3_LANES = 25,
    MOTE_SHAKE128_RATE = 168, /* bytes of a block */
    MOTE_SHAKE256_RATE = 136,
    MOTE_SHA3_256_RATE = 136,
    MOTE_SHA3_512_RATE = 72,
    MOTE_SHA3_SUFFIX = 0x06,
    MOTE_SHAKE_SUFFIX = 0x1f
};

typedef struct mote_sha3 {
    uint64_t a[MOTE_SHA3_LANES];
    uint8_t rate; /* bytes of a block */
    uint8_t at;   /* bytes of this block so far */
} mote_sha3;

void mote_sha3_start(mote_sha3 *s, uint8_t rate);
void mote_sha3_absorb(mote_sha3 *s, const uint8_t *in, size_t len);
/* Ends the input. */
void mote_sha3_end(mote_sha3 *s, uint8_t suffix);
/* The next `len` bytes of the output; of SHA-3 not more than its digest. */
void mote_sha3_squeeze(mote_sha3 *s, uint8_t *out, size_t len);

#endif

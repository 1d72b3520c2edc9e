/* SHA-512 for other algorithms. */
#ifndef MOTE_SHA512_STATE_H
#define MOTE_SHA512_STATE_H

#include <stddef.h>
#include <stdint.h>

enum { MOTE_SHA512_BLOCK = 128 };

typedef struct mote_sha512_state {
    uint64_t h[8];
    uint64_t bytes;
    uint8_t block[MOTE_SHA512_BLOCK];
} mote_sha512_state;

/* `state` is a mote_sha512_state; the digest may be cut to a multiple of eight bytes. */
void mote_sha512_start(void *state);
void mote_sha512_update(void *state, const uint8_t *in, size_t len);
void mote_sha512_finish(void *state, uint8_t *digest, uint8_t digest_len);

#endif

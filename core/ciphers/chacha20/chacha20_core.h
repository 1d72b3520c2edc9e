/*
 * The ChaCha20 function of RFC 8439, and a key stream of it; shared by the stream cipher and the
 * AEADs.
 */
#ifndef MOTE_CHACHA20_CORE_H
#define MOTE_CHACHA20_CORE_H

#include <stddef.h>
#include <stdint.h>

enum { CHACHA20_KEY = 32, CHACHA20_BLOCK = 64 };

typedef struct mote_chacha20_state {
    uint32_t input[16];             /* constants, key, counter, nonce: RFC 8439 2.3 */
    uint8_t stream[CHACHA20_BLOCK]; /* of the block before the counter */
    uint8_t used;                   /* bytes of stream */
} mote_chacha20_state;

/* Constants and key. */
void mote_chacha20_key(mote_chacha20_state *c, const uint8_t key[CHACHA20_KEY]);

/* The key stream from block `counter` of a 96-bit nonce. */
void mote_chacha20_start(mote_chacha20_state *c, uint32_t counter, const uint8_t nonce[12]);

/* The next 64 bytes of key stream, all unused. */
void mote_chacha20_next(mote_chacha20_state *c);

/* XORs the next `len` bytes of key stream to `in`. */
void mote_chacha20_process(mote_chacha20_state *c, const uint8_t *in, uint8_t *out, size_t len);

/* HChaCha20 (draft-irtf-cfrg-xchacha-03, 2.2): the key for the first 128 bits of a longer nonce. */
void mote_hchacha20(uint8_t subkey[CHACHA20_KEY], const uint8_t key[CHACHA20_KEY],
                    const uint8_t nonce[16]);

#endif

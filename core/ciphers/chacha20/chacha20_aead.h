/*
 * AEAD_CHACHA20_POLY1305 (RFC 8439, section 2.8), also the second half of AEAD_XCHACHA20_POLY1305.
 */
#ifndef MOTE_CHACHA20_AEAD_H
#define MOTE_CHACHA20_AEAD_H

#include "chacha20_core.h"
#include "mote/cipher.h"
#include "poly1305.h"

typedef struct mote_chacha20_aead {
    mote_chacha20_state cipher;
    mote_poly1305 mac;
    size_t aad_len, message_len;
} mote_chacha20_aead;

/* With the key in `state->cipher`: begins a message with these 12 bytes of nonce. */
void mote_chacha20_aead_start(mote_chacha20_aead *state, const mote_aead_message *message,
                              const uint8_t nonce[12]);

/* As mote_aead has them. */
void mote_chacha20_aead_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len);
void mote_chacha20_aead_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len);
void mote_chacha20_aead_tag(void *state, uint8_t *tag);

#endif

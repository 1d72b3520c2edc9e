#include "chacha20_aead.h"

#include "mote/bytes.h"

void mote_chacha20_aead_start(mote_chacha20_aead *state, const mote_aead_message *message,
                              const uint8_t nonce[12])
{
    mote_chacha20_start(&state->cipher, 0, nonce);
    mote_chacha20_next(&state->cipher);
    mote_poly1305_start(&state->mac, state->cipher.stream);
    state->cipher.used = CHACHA20_BLOCK; /* the rest of this block is not used */
    mote_poly1305_update(&state->mac, message->aad, message->aad_len);
    mote_poly1305_pad(&state->mac);
    state->aad_len = message->aad_len;
    state->message_len = 0;
}

void mote_chacha20_aead_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chacha20_aead *s = state;
    mote_chacha20_process(&s->cipher, in, out, len);
    mote_poly1305_update(&s->mac, out, len);
    s->message_len += len;
}

void mote_chacha20_aead_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chacha20_aead *s = state;
    mote_poly1305_update(&s->mac, in, len);
    mote_chacha20_process(&s->cipher, in, out, len);
    s->message_len += len;
}

void mote_chacha20_aead_tag(void *state, uint8_t *tag)
{
    mote_chacha20_aead *s = state;
    uint8_t lengths[16];
    mote_poly1305_pad(&s->mac);
    mote_store64le(lengths, s->aad_len);
    mote_store64le(lengths + 8, s->message_len);
    mote_poly1305_update(&s->mac, lengths, sizeof lengths);
    mote_poly1305_finish(&s->mac, tag);
}

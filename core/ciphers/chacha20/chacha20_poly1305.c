/*
 * ChaCha20-Poly1305.
 *
 * RFC 8439, section 2.8. Poly1305 computes with ten limbs of 13 bits, for multipliers of 16 x 16
 * bits. No tables. Time and memory addresses do not depend on secrets where multiplications take
 * constant time (not on a Cortex-M3, for example).
 */
#include "chacha20_aead.h"

static void set_key(void *state, const uint8_t *key)
{
    mote_chacha20_aead *s = state;
    mote_chacha20_key(&s->cipher, key);
}

static void start(void *state, const mote_aead_message *message)
{
    mote_chacha20_aead_start(state, message, message->nonce);
}

static const mote_aead aeads[] = {
    {.name = "chacha20-poly1305",
     .key_len = CHACHA20_KEY,
     .nonce_min = 12,
     .nonce_max = 12,
     .tag_min = 16,
     .tag_max = 16,
     .state_len = sizeof(mote_chacha20_aead),
     .set_key = set_key,
     .start = start,
     .encrypt = mote_chacha20_aead_encrypt,
     .decrypt = mote_chacha20_aead_decrypt,
     .tag = mote_chacha20_aead_tag},
};

MOTE_IMPLEMENTATION(chacha20_poly1305) = {
    .name = "chacha20-poly1305", MOTE_AEADS(aeads), .constant_time = 1};

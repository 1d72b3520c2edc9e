/*
 * XChaCha20-Poly1305.
 *
 * draft-irtf-cfrg-xchacha-03: HChaCha20 makes a key of the first 16 bytes of the nonce, and
 * ChaCha20-Poly1305 (RFC 8439) takes the other 8. Memory: as chacha20_poly1305.c, and 32 bytes
 * of RAM more for the key.
 */
#include <string.h>

#include "chacha20_aead.h"
#include "mote/xor.h"

typedef struct xchacha20_aead {
    mote_chacha20_aead inner;
    _Alignas(uint32_t) uint8_t key[CHACHA20_KEY];
} xchacha20_aead;

static void set_key(void *state, const uint8_t *key)
{
    xchacha20_aead *s = state;
    mote_copy_words(s->key, key, sizeof s->key / 4);
}

static void start(void *state, const mote_aead_message *message)
{
    xchacha20_aead *s = state;
    uint8_t subkey[CHACHA20_KEY], nonce[12] = {0};
    mote_hchacha20(subkey, s->key, message->nonce);
    mote_chacha20_key(&s->inner.cipher, subkey);
    mote_wipe(subkey, sizeof subkey);
    memcpy(nonce + 4, message->nonce + 16, 8);
    mote_chacha20_aead_start(&s->inner, message, nonce);
}

static const mote_aead aeads[] = {
    {.name = "xchacha20-poly1305",
     .key_len = CHACHA20_KEY,
     .nonce_min = 24,
     .nonce_max = 24,
     .tag_min = 16,
     .tag_max = 16,
     .state_len = sizeof(xchacha20_aead),
     .set_key = set_key,
     .start = start,
     .encrypt = mote_chacha20_aead_encrypt,
     .decrypt = mote_chacha20_aead_decrypt,
     .tag = mote_chacha20_aead_tag},
};

MOTE_IMPLEMENTATION(xchacha20_poly1305) = {
    .name = "xchacha20-poly1305", MOTE_AEADS(aeads), .constant_time = 1};

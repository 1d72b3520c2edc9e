/* ChaCha20 of Mbed TLS, alone and with Poly1305: of 2.28 and of 3.6. */
#ifndef MOTE_VENDOR_MBEDTLS_CHACHA20_BOTH_H
#define MOTE_VENDOR_MBEDTLS_CHACHA20_BOTH_H

#include "vendor/mbedtls/tls.h"

#include <mbedtls/chacha20.h>
#include <mbedtls/chachapoly.h>

#include "mote/bytes.h"

enum { KEY = 32, NONCE = 12, COUNTED = 16, TAG = 16 };

TLS_KEY(stream_key, mbedtls_chacha20_context, mbedtls_chacha20_setkey(s, key))

/* 12 bytes of nonce, or 16: the block counter, little-endian, before it. */
static void stream_start(void *state, const uint8_t *nonce, uint8_t nonce_len)
{
    const uint32_t counter = nonce_len == COUNTED ? mote_load32le(nonce) : 0;
    mote_library_check(mbedtls_chacha20_starts(state, nonce + (nonce_len - NONCE), counter) != 0);
}

static void stream_process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_library_check(mbedtls_chacha20_update(state, len, in, out) != 0);
}

static const mote_stream_cipher streams[] = {MOTE_PICK(
    chacha20, {.name = "chacha20",
               .key_len = KEY,
               .nonce_min = NONCE,
               .nonce_max = COUNTED,
               .state_len = sizeof(mbedtls_chacha20_context),
               .set_key = stream_key,
               .start = stream_start,
               .process = stream_process})};

typedef struct aead_state {
    mbedtls_chachapoly_context context;
    mote_aead_message message;
    uint8_t begun;
} aead_state;

TLS_KEY(aead_key, aead_state, mbedtls_chachapoly_setkey(&s->context, key))

/* The library wants to be told the direction with the nonce. */
static void aead_start(void *state, const mote_aead_message *message)
{
    aead_state *s = state;
    s->message = *message;
    s->begun = 0;
}

static void aead_begin(aead_state *s, mbedtls_chachapoly_mode_t mode)
{
    const mote_aead_message *m = &s->message;
    if (s->begun)
        return;
    s->begun = 1;
    mote_library_check(mbedtls_chachapoly_starts(&s->context, m->nonce, mode) != 0);
    if (m->aad_len > 0)
        mote_library_check(mbedtls_chachapoly_update_aad(&s->context, m->aad, m->aad_len) != 0);
}

static void aead_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    aead_state *s = state;
    aead_begin(s, MBEDTLS_CHACHAPOLY_ENCRYPT);
    mote_library_check(mbedtls_chachapoly_update(&s->context, len, in, out) != 0);
}

static void aead_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    aead_state *s = state;
    aead_begin(s, MBEDTLS_CHACHAPOLY_DECRYPT);
    mote_library_check(mbedtls_chachapoly_update(&s->context, len, in, out) != 0);
}

static void aead_tag(void *state, uint8_t *tag)
{
    aead_state *s = state;
    aead_begin(s, MBEDTLS_CHACHAPOLY_ENCRYPT); /* nothing but AAD: the direction does not matter */
    mote_library_check(mbedtls_chachapoly_finish(&s->context, tag) != 0);
}

static const mote_aead aeads[] = {MOTE_PICK(
    chacha20_poly1305,
    {.name = "chacha20-poly1305",
     .key_len = KEY,
     .nonce_min = NONCE,
     .nonce_max = NONCE,
     .tag_min = TAG,
     .tag_max = TAG,
     .state_len = sizeof(aead_state),
     .set_key = aead_key,
     .start = aead_start,
     .encrypt = aead_encrypt,
     .decrypt = aead_decrypt,
     .tag = aead_tag})};

#endif

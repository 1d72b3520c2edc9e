/*
 * BearSSL's ChaCha20 in C, alone and with Poly1305 in multiplications of 32 bits. BearSSL claims
 * constant time.
 */
#include "bear.h"

enum { KEY = 32, NONCE = 12, COUNTED = 16, BLOCK = 64, TAG = 16 };

typedef struct stream_state {
    uint8_t key[KEY];
    uint8_t nonce[NONCE];
    uint32_t counter;
} stream_state;

static void stream_key(void *state, const uint8_t *key)
{
    stream_state *s = state;
    memcpy(s->key, key, KEY);
}

/* 12 bytes of nonce, or 16: the block counter, little-endian, before it. */
static void stream_start(void *state, const uint8_t *nonce, uint8_t nonce_len)
{
    stream_state *s = state;
    s->counter = nonce_len == COUNTED ? mote_load32le(nonce) : 0;
    memcpy(s->nonce, nonce + (nonce_len - NONCE), NONCE);
}

static void stream_process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    stream_state *s = state;
    bear_place(out, in, len);
    s->counter = br_chacha20_ct_run(s->key, s->nonce, s->counter, out, len);
}

static const mote_stream_cipher streams[] = {MOTE_PICK(
    chacha20, {.name = "chacha20",
               .key_len = KEY,
               .nonce_min = NONCE,
               .nonce_max = COUNTED,
               .state_len = sizeof(stream_state),
               .set_key = stream_key,
               .start = stream_start,
               .process = stream_process,
               .piece = BLOCK})};

typedef struct aead_state {
    uint8_t key[KEY], tag[TAG];
    const uint8_t *nonce, *aad;
    size_t aad_len;
} aead_state;

static void aead_key(void *state, const uint8_t *key)
{
    aead_state *s = state;
    memcpy(s->key, key, KEY);
}

static void aead_start(void *state, const mote_aead_message *message)
{
    aead_state *s = state;
    s->nonce = message->nonce;
    s->aad = message->aad;
    s->aad_len = message->aad_len;
}

static void aead_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    aead_state *s = state;
    bear_place(out, in, len);
    BEAR_POLY1305(s->key, s->nonce, out, len, s->aad, s->aad_len, s->tag, br_chacha20_ct_run, 1);
}

static void aead_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    aead_state *s = state;
    bear_place(out, in, len);
    BEAR_POLY1305(s->key, s->nonce, out, len, s->aad, s->aad_len, s->tag, br_chacha20_ct_run, 0);
}

static void aead_tag(void *state, uint8_t *tag)
{
    const aead_state *s = state;
    memcpy(tag, s->tag, TAG);
}

static const mote_library_aead aead_own = {.one_call = 1, .late_key = 1};
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
     .tag = aead_tag,
     .library = &aead_own})};

MOTE_IMPLEMENTATION(bearssl_chacha20) = {
    .name = "chacha20", MOTE_STREAMS(streams), MOTE_AEADS(aeads)};

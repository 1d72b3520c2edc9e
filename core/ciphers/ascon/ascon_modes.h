/*
 * Ascon-AEAD128, Ascon-Hash256 and Ascon-XOF128 (NIST SP 800-232) over a permutation, for a file that has defined
 * before
 *
 *     typedef ... ascon_state;                                               320 bits, zero when all bytes are
 *     static void permute(ascon_state *x, uint8_t rounds);                   the last `rounds` of 12
 *     static void absorb(ascon_state *x, uint8_t word, const uint8_t b[8]);  x[word] ^= b, little-endian
 *     static void squeeze(const ascon_state *x, uint8_t word, uint8_t b[8]); b = x[word]
 *     static void crypt_word(ascon_state *x, uint8_t word, const uint8_t in[8], uint8_t out[8], uint8_t decrypting);
 *                                                                            out = in ^ x[word]; x[word] = ciphertext
 */
#ifndef MOTE_ASCON_MODES_H
#define MOTE_ASCON_MODES_H

#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"

enum { WORD = 8, RATE = 16, KEY = 16, TAG = 16, DIGEST = 32, LONG = 12, SHORT = 8 };

typedef struct aead_state {
    ascon_state x;
    uint8_t key[KEY];
    uint8_t filled; /* bytes of the block at hand */
} aead_state;

typedef struct sponge_state {
    ascon_state x;
    uint8_t filled;
} sponge_state;

/* 16 bytes of key, nonce or padding into two words. */
static void absorb2(ascon_state *x, uint8_t word, const uint8_t b[2 * WORD])
{
    absorb(x, word, b);
    absorb(x, (uint8_t)(word + 1), b + WORD);
}

/* `n` bytes from byte `at` of the rate on, all in one word. */
static void absorb_part(ascon_state *x, uint8_t at, const uint8_t *in, uint8_t n)
{
    uint8_t b[WORD] = {0};
    memcpy(b + (at & 7), in, n);
    absorb(x, at >> 3, b);
    mote_wipe(b, sizeof b);
}

/* Up to `len` bytes, as far as the word at hand reaches. */
static uint8_t piece(uint8_t filled, size_t len)
{
    const uint8_t left = (uint8_t)(WORD - (filled & 7));
    return (uint8_t)(len < left ? len : left);
}

static void pad(ascon_state *x, uint8_t at)
{
    static const uint8_t one = 1;
    absorb_part(x, at, &one, 1);
}

static void initialise(ascon_state *x, uint32_t high, uint32_t low)
{
    uint8_t iv[WORD];
    memset(x, 0, sizeof *x);
    mote_store32le(iv, low);
    mote_store32le(iv + 4, high);
    absorb(x, 0, iv);
}

static void aead_set_key(void *state, const uint8_t *key)
{
    aead_state *s = state;
    memcpy(s->key, key, KEY);
}

static void aead_start(void *state, const mote_aead_message *message)
{
    aead_state *s = state;
    const uint8_t *aad = message->aad;
    size_t len = message->aad_len;
    static const uint8_t last_bit = 0x80;
    initialise(&s->x, UINT32_C(0x00001000), UINT32_C(0x808c0001));
    absorb2(&s->x, 1, s->key);
    absorb2(&s->x, 3, message->nonce);
    permute(&s->x, LONG);
    absorb2(&s->x, 3, s->key);
    if (len > 0) {
        for (; len >= RATE; len -= RATE, aad += RATE) {
            absorb2(&s->x, 0, aad);
            permute(&s->x, SHORT);
        }
        pad(&s->x, (uint8_t)len);
        if (len >= WORD) {
            absorb(&s->x, 0, aad);
            aad += WORD;
            absorb_part(&s->x, WORD, aad, (uint8_t)(len - WORD));
        } else {
            absorb_part(&s->x, 0, aad, (uint8_t)len);
        }
        permute(&s->x, SHORT);
    }
    absorb_part(&s->x, 4 * WORD + 7, &last_bit, 1); /* where associated data ends */
    s->filled = 0;
}

static void aead_process(aead_state *s, const uint8_t *in, uint8_t *out, size_t len, uint8_t decrypting)
{
    uint8_t b[WORD], plain[WORD], i;
    while (len > 0) {
        const uint8_t at = s->filled & 7, n = piece(s->filled, len);
        if (s->filled == RATE) { /* only now: the last block is not followed by these rounds */
            permute(&s->x, SHORT);
            s->filled = 0;
        }
        if (n == WORD) {
            crypt_word(&s->x, s->filled >> 3, in, out, decrypting);
        } else {
            squeeze(&s->x, s->filled >> 3, b);
            memset(plain, 0, sizeof plain);
            for (i = 0; i < n; i++) {
                const uint8_t from = in[i], to = from ^ b[at + i];
                plain[at + i] = decrypting ? to : from;
                out[i] = to;
            }
            absorb(&s->x, s->filled >> 3, plain);
        }
        s->filled = (uint8_t)(s->filled + n);
        in += n;
        out += n;
        len -= n;
    }
    mote_wipe(b, sizeof b);
    mote_wipe(plain, sizeof plain);
}

static void aead_encrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    aead_process(state, in, out, len, 0);
}

static void aead_decrypt(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    aead_process(state, in, out, len, 1);
}

static void aead_tag(void *state, uint8_t *tag)
{
    aead_state *s = state;
    uint8_t i;
    if (s->filled == RATE) {
        permute(&s->x, SHORT);
        s->filled = 0;
    }
    pad(&s->x, s->filled);
    absorb2(&s->x, 2, s->key);
    permute(&s->x, LONG);
    squeeze(&s->x, 3, tag);
    squeeze(&s->x, 4, tag + WORD);
    for (i = 0; i < TAG; i++)
        tag[i] ^= s->key[i];
}

static void hash_start(void *state)
{
    sponge_state *s = state;
    initialise(&s->x, UINT32_C(0x00000801), UINT32_C(0x00cc0002));
    permute(&s->x, LONG);
    s->filled = 0;
}

static void xof_start(void *state)
{
    sponge_state *s = state;
    initialise(&s->x, UINT32_C(0x00000800), UINT32_C(0x00cc0003));
    permute(&s->x, LONG);
    s->filled = 0;
}

static void sponge_update(void *state, const uint8_t *in, size_t len)
{
    sponge_state *s = state;
    while (len > 0) {
        const uint8_t n = piece(s->filled, len);
        if (n == WORD)
            absorb(&s->x, 0, in);
        else
            absorb_part(&s->x, s->filled, in, n);
        s->filled = (uint8_t)(s->filled + n);
        if (s->filled == WORD) {
            permute(&s->x, LONG);
            s->filled = 0;
        }
        in += n;
        len -= n;
    }
}

static void sponge_finish(void *state, uint8_t *digest)
{
    sponge_state *s = state;
    uint8_t i;
    pad(&s->x, s->filled);
    for (i = 0; i < DIGEST; i = (uint8_t)(i + WORD)) {
        permute(&s->x, LONG);
        squeeze(&s->x, 0, digest + i);
    }
}

static const mote_aead aeads[] = {
    {.name = "ascon-aead128",
     .key_len = KEY,
     .nonce_min = 16,
     .nonce_max = 16,
     .tag_min = TAG,
     .tag_max = TAG,
     .state_len = sizeof(aead_state),
     .set_key = aead_set_key,
     .start = aead_start,
     .encrypt = aead_encrypt,
     .decrypt = aead_decrypt,
     .tag = aead_tag},
};

static const mote_hash hashes[] = {
    {.name = "ascon-hash256",
     .digest_len = DIGEST,
     .state_len = sizeof(sponge_state),
     .start = hash_start,
     .update = sponge_update,
     .finish = sponge_finish},
    {.name = "ascon-xof128",
     .digest_len = DIGEST,
     .state_len = sizeof(sponge_state),
     .start = xof_start,
     .update = sponge_update,
     .finish = sponge_finish},
};

#endif

/*
 * Ascon-AEAD128, Ascon-Hash256 and Ascon-XOF128 (NIST SP 800-232) over a permutation, for a file
 * that has defined before
 *
 *     typedef ... ascon_state;                              320 bits, zero when all bytes are
 *     static void permute(ascon_state *x, uint8_t rounds);  the last `rounds` of 12
 *
 * and either what ascon_by_words.h asks for, or ASCON_IN_PLACE or ASCON_BLOCKS as 1: see
 * ascon_in_place.h, ascon_blocks.h.
 */
#ifndef MOTE_ASCON_MODES_H
#define MOTE_ASCON_MODES_H

#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/xor.h"

enum { WORD = 8, RATE = 16, KEY = 16, TAG = 16, DIGEST = 32, LONG = 12, SHORT = 8 };

typedef struct aead_state {
    ascon_state x;
    _Alignas(uint32_t) uint8_t key[KEY];
    uint8_t filled; /* bytes of the block at hand, less than RATE */
} aead_state;

typedef struct sponge_state {
    ascon_state x;
    uint8_t filled;
} sponge_state;

/* Up to `len` bytes, as far as the word at hand reaches. */
static uint8_t piece(uint8_t filled, size_t len)
{
    const uint8_t left = (uint8_t)(WORD - (filled & 7));
    return (uint8_t)(len < left ? len : left);
}

/* `n` bytes more of the block at hand; every full block is followed by rounds, the last one too. */
static void aead_advance(aead_state *s, uint8_t n)
{
    s->filled = (uint8_t)(s->filled + n);
    if (s->filled == RATE) {
        permute(&s->x, SHORT);
        s->filled = 0;
    }
}

#ifndef ASCON_IN_PLACE
#define ASCON_IN_PLACE 0
#endif
#ifndef ASCON_BLOCKS
#define ASCON_BLOCKS 0
#endif
#if ASCON_BLOCKS
#include "ascon_blocks.h"
#elif ASCON_IN_PLACE
#include "ascon_in_place.h"
#else
#include "ascon_by_words.h"
#endif

static void aead_set_key(void *state, const uint8_t *key)
{
    aead_state *s = state;
    copy_key(s->key, key);
}

static void aead_start(void *state, const mote_aead_message *message)
{
    aead_state *s = state;
    const uint8_t *aad = message->aad;
    size_t len = message->aad_len;
    static const uint8_t last_bit = 0x80;
    initialise(&s->x, UINT32_C(0x00001000), UINT32_C(0x808c0001));
    absorb_key(&s->x, 1, s->key);
    absorb2(&s->x, 3, message->nonce);
    permute(&s->x, LONG);
    absorb_key(&s->x, 3, s->key);
    if (len > 0) {
#if ASCON_BLOCKS
        if (len >= RATE) {
            const size_t whole = len & ~(size_t)(RATE - 1);
            mote_ascon_absorb(&s->x, aad, whole, 2);
            aad += whole;
            len -= whole;
        }
#else
        for (; len >= RATE; len -= RATE, aad += RATE) {
            absorb2(&s->x, 0, aad);
            permute(&s->x, SHORT);
        }
#endif
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
    pad(&s->x, s->filled);
    absorb_key(&s->x, 2, s->key);
    permute(&s->x, LONG);
    squeeze_tag(&s->x, s->key, tag);
}

#if ASCON_IN_PLACE || ASCON_BLOCKS
static void hash_start(void *state)
{
    start_sponge(state, 0);
}

static void xof_start(void *state)
{
    start_sponge(state, 1);
}
#else
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
#endif

static void sponge_update(void *state, const uint8_t *in, size_t len)
{
    sponge_state *s = state;
    while (len > 0) {
        const uint8_t n = piece(s->filled, len);
#if ASCON_BLOCKS
        if (n == WORD) {
            const size_t whole = len & ~(size_t)(WORD - 1);
            mote_ascon_absorb(&s->x, in, whole, 1);
            in += whole;
            len -= whole;
            continue;
        }
        absorb_part(&s->x, s->filled, in, n);
#else
        if (n == WORD)
            absorb(&s->x, 0, in);
        else
            absorb_part(&s->x, s->filled, in, n);
#endif
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

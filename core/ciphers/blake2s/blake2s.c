/*
 * BLAKE2s with 256-bit digests and no key.
 *
 * RFC 7693. The eight mixings of a round are one function, called with places of words. Time and
 * memory addresses do not depend on the message.
 */
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

enum { DIGEST = 32, BLOCK = 64, ROUNDS = 10 };

typedef struct blake2s_state {
    uint32_t h[8];
    uint64_t bytes; /* before `block` */
    uint8_t block[BLOCK];
    uint8_t filled; /* may be a whole block: the last one is special */
} blake2s_state;

/* Section 2.6. */
static const uint32_t MOTE_FLASH iv[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

/* Section 2.7. */
static const uint8_t MOTE_FLASH sigma[ROUNDS][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

/* The function G of section 3.1. */
static void mix(uint32_t *pa, uint32_t *pb, uint32_t *pc, uint32_t *pd, uint32_t m0, uint32_t m1)
{
    uint32_t a = *pa, b = *pb, c = *pc, d = *pd;
    a += b + m0;
    d = mote_rotr32(d ^ a, 16);
    c += d;
    b = mote_rotr32(b ^ c, 12);
    a += b + m1;
    d = mote_rotr32(d ^ a, 8);
    c += d;
    b = mote_rotr32(b ^ c, 7);
    *pa = a;
    *pb = b;
    *pc = c;
    *pd = d;
}

static void compress(blake2s_state *s, uint8_t last)
{
    uint32_t v[16], m[16];
    uint8_t i, round;
    s->bytes += s->filled;
    for (i = 0; i < 16; i++)
        m[i] = mote_load32le(s->block + 4 * i);
    for (i = 0; i < 8; i++) {
        v[i] = s->h[i];
        v[8 + i] = iv[i];
    }
    v[12] ^= (uint32_t)s->bytes;
    v[13] ^= (uint32_t)(s->bytes >> 32);
    if (last)
        v[14] = ~v[14];
    for (round = 0; round < ROUNDS; round++) {
        const uint8_t MOTE_FLASH *n = sigma[round];
        for (i = 0; i < 4; i++, n += 2)
            mix(&v[i], &v[4 + i], &v[8 + i], &v[12 + i], m[n[0]], m[n[1]]);
        for (i = 0; i < 4; i++, n += 2)
            mix(&v[i], &v[4 + ((i + 1) & 3)], &v[8 + ((i + 2) & 3)], &v[12 + ((i + 3) & 3)],
                m[n[0]], m[n[1]]);
    }
    for (i = 0; i < 8; i++)
        s->h[i] ^= v[i] ^ v[8 + i];
    s->filled = 0;
    mote_wipe(v, sizeof v);
    mote_wipe(m, sizeof m);
}

static void start(void *state)
{
    blake2s_state *s = state;
    uint8_t i;
    for (i = 0; i < 8; i++)
        s->h[i] = iv[i];
    s->h[0] ^= UINT32_C(0x01010000) ^ DIGEST; /* section 2.5: no tree, no key */
    s->bytes = 0;
    s->filled = 0;
}

static void update(void *state, const uint8_t *in, size_t len)
{
    blake2s_state *s = state;
    while (len > 0) {
        if (s->filled == BLOCK)
            compress(s, 0);
        const uint8_t left = (uint8_t)(BLOCK - s->filled);
        const uint8_t n = (uint8_t)(len < left ? len : left);
        memcpy(s->block + s->filled, in, n);
        s->filled = (uint8_t)(s->filled + n);
        in += n;
        len -= n;
    }
}

static void finish(void *state, uint8_t *digest)
{
    blake2s_state *s = state;
    uint8_t i;
    memset(s->block + s->filled, 0, (size_t)(BLOCK - s->filled));
    compress(s, 1);
    for (i = 0; i < 8; i++)
        mote_store32le(digest + 4 * i, s->h[i]);
}

static const mote_hash hashes[] = {
    {.name = "blake2s-256",
     .digest_len = DIGEST,
     .block_len = BLOCK,
     .state_len = sizeof(blake2s_state),
     .start = start,
     .update = update,
     .finish = finish},
};

MOTE_IMPLEMENTATION(blake2s) = {.name = "blake2s", MOTE_HASHES(hashes), .constant_time = 1};

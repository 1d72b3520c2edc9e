/*
 * SHA-512, SHA-384 and SHA-512/256.
 *
 * FIPS 180-4. One round, the words of which move; the message schedule is kept to its last sixteen
 * words. Time and memory addresses do not depend on the message.
 */
#include <string.h>

#include "../merkle_damgard/merkle_damgard.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"
#include "sha512_state.h"

enum { BLOCK = MOTE_SHA512_BLOCK };

/* FIPS 180-4, section 4.2.3. */
static const uint64_t MOTE_FLASH constants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

/* Sections 5.3.5, 5.3.4 and 5.3.6.2. */
static const uint64_t MOTE_FLASH first_512[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static const uint64_t MOTE_FLASH first_384[8] = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};

static const uint64_t MOTE_FLASH first_512_256[8] = {
    0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
    0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2,
};

/* Section 4.1.3; functions, because they are long on a small machine. */
static uint64_t big0(uint64_t x)
{
    return mote_rotr64(x, 28) ^ mote_rotr64(x, 34) ^ mote_rotr64(x, 39);
}

static uint64_t big1(uint64_t x)
{
    return mote_rotr64(x, 14) ^ mote_rotr64(x, 18) ^ mote_rotr64(x, 41);
}

static uint64_t small0(uint64_t x)
{
    return mote_rotr64(x, 1) ^ mote_rotr64(x, 8) ^ x >> 7;
}

static uint64_t small1(uint64_t x)
{
    return mote_rotr64(x, 19) ^ mote_rotr64(x, 61) ^ x >> 6;
}

static void compress(void *chain, const uint8_t *block)
{
    uint64_t *h = chain, v[8], w[16];
    uint8_t i;
    memcpy(v, h, sizeof v);
    for (i = 0; i < 16; i++)
        w[i] = mote_load64be(block + 8 * i);
    for (i = 0; i < 80; i++) {
        uint64_t *now = &w[i & 15];
        const uint64_t t =
            v[7] + big1(v[4]) + (v[6] ^ (v[4] & (v[5] ^ v[6]))) + constants[i] + *now;
        const uint64_t u = big0(v[0]) + ((v[0] & v[1]) | (v[2] & (v[0] | v[1])));
        /* For the round 16 later. */
        *now += w[(i + 9) & 15] + small0(w[(i + 1) & 15]) + small1(w[(i + 14) & 15]);
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t;
        v[0] = t + u;
    }
    for (i = 0; i < 8; i++)
        h[i] += v[i];
    mote_wipe(v, sizeof v);
    mote_wipe(w, sizeof w);
}

static const mote_md_kind kind = {
    .block_len = BLOCK, .length_len = 16, .big_endian = 1, .compress = compress};

static void start(mote_sha512_state *s, const uint64_t MOTE_FLASH *first)
{
    uint8_t i;
    for (i = 0; i < 8; i++)
        s->h[i] = first[i];
    s->bytes = 0;
}

static void start_384(void *state)
{
    start(state, first_384);
}

void mote_sha512_start(void *state)
{
    start(state, first_512);
}

static void start_512_256(void *state)
{
    start(state, first_512_256);
}

void mote_sha512_update(void *state, const uint8_t *in, size_t len)
{
    mote_sha512_state *s = state;
    mote_md_update(&kind, s->h, &s->bytes, s->block, in, len);
}

void mote_sha512_finish(void *state, uint8_t *digest, uint8_t digest_len)
{
    mote_sha512_state *s = state;
    uint8_t i;
    mote_md_finish(&kind, s->h, &s->bytes, s->block);
    for (i = 0; i < digest_len / 8; i++)
        mote_store64be(digest + 8 * i, s->h[i]);
}

static void finish_256(void *state, uint8_t *digest)
{
    mote_sha512_finish(state, digest, 32);
}

static void finish_384(void *state, uint8_t *digest)
{
    mote_sha512_finish(state, digest, 48);
}

static void finish_512(void *state, uint8_t *digest)
{
    mote_sha512_finish(state, digest, 64);
}

static const mote_hash hashes[] = {
    {.name = "sha384",
     .digest_len = 48,
     .block_len = BLOCK,
     .state_len = sizeof(mote_sha512_state),
     .start = start_384,
     .update = mote_sha512_update,
     .finish = finish_384},
    {.name = "sha512",
     .digest_len = 64,
     .block_len = BLOCK,
     .state_len = sizeof(mote_sha512_state),
     .start = mote_sha512_start,
     .update = mote_sha512_update,
     .finish = finish_512},
    {.name = "sha512-256",
     .digest_len = 32,
     .block_len = BLOCK,
     .state_len = sizeof(mote_sha512_state),
     .start = start_512_256,
     .update = mote_sha512_update,
     .finish = finish_256},
};

MOTE_IMPLEMENTATION(sha_512) = {.name = "sha-512", MOTE_HASHES(hashes), .constant_time = 1};

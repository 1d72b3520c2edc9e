/*
 * Twofish.
 *
 * Specification: Schneier et al.: Twofish: A 128-Bit Block Cipher, 1998.
 *
 * Trades: small machines compute the key-dependent S-boxes where they use them, others prepare
 * them with the matrix MDS. Time: tables are looked up at places that depend on secrets, which
 * leaks where there is a data cache; no branch depends on a secret.
 */
#include <stdint.h>
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"
#include "mote/modes.h"

enum { ROUNDS = 16 };

typedef struct twofish_schedule {
    uint32_t keys[8 + 2 * ROUNDS];
#if MOTE_SMALL
    uint8_t words;    /* of the key, of 64 bits each */
    uint8_t s[4 * 4]; /* the key of g: what is applied first comes first */
#else
    uint32_t s[4][256]; /* g: what each byte gives */
#endif
} twofish_schedule;

/* The permutations q0 and q1 of section 4.3.5. */
static const uint8_t MOTE_FLASH q0[256] = {
    0xa9, 0x67, 0xb3, 0xe8, 0x04, 0xfd, 0xa3, 0x76, 0x9a, 0x92, 0x80, 0x78, 0xe4, 0xdd, 0xd1, 0x38,
    0x0d, 0xc6, 0x35, 0x98, 0x18, 0xf7, 0xec, 0x6c, 0x43, 0x75, 0x37, 0x26, 0xfa, 0x13, 0x94, 0x48,
    0xf2, 0xd0, 0x8b, 0x30, 0x84, 0x54, 0xdf, 0x23, 0x19, 0x5b, 0x3d, 0x59, 0xf3, 0xae, 0xa2, 0x82,
    0x63, 0x01, 0x83, 0x2e, 0xd9, 0x51, 0x9b, 0x7c, 0xa6, 0xeb, 0xa5, 0xbe, 0x16, 0x0c, 0xe3, 0x61,
    0xc0, 0x8c, 0x3a, 0xf5, 0x73, 0x2c, 0x25, 0x0b, 0xbb, 0x4e, 0x89, 0x6b, 0x53, 0x6a, 0xb4, 0xf1,
    0xe1, 0xe6, 0xbd, 0x45, 0xe2, 0xf4, 0xb6, 0x66, 0xcc, 0x95, 0x03, 0x56, 0xd4, 0x1c, 0x1e, 0xd7,
    0xfb, 0xc3, 0x8e, 0xb5, 0xe9, 0xcf, 0xbf, 0xba, 0xea, 0x77, 0x39, 0xaf, 0x33, 0xc9, 0x62, 0x71,
    0x81, 0x79, 0x09, 0xad, 0x24, 0xcd, 0xf9, 0xd8, 0xe5, 0xc5, 0xb9, 0x4d, 0x44, 0x08, 0x86, 0xe7,
    0xa1, 0x1d, 0xaa, 0xed, 0x06, 0x70, 0xb2, 0xd2, 0x41, 0x7b, 0xa0, 0x11, 0x31, 0xc2, 0x27, 0x90,
    0x20, 0xf6, 0x60, 0xff, 0x96, 0x5c, 0xb1, 0xab, 0x9e, 0x9c, 0x52, 0x1b, 0x5f, 0x93, 0x0a, 0xef,
    0x91, 0x85, 0x49, 0xee, 0x2d, 0x4f, 0x8f, 0x3b, 0x47, 0x87, 0x6d, 0x46, 0xd6, 0x3e, 0x69, 0x64,
    0x2a, 0xce, 0xcb, 0x2f, 0xfc, 0x97, 0x05, 0x7a, 0xac, 0x7f, 0xd5, 0x1a, 0x4b, 0x0e, 0xa7, 0x5a,
    0x28, 0x14, 0x3f, 0x29, 0x88, 0x3c, 0x4c, 0x02, 0xb8, 0xda, 0xb0, 0x17, 0x55, 0x1f, 0x8a, 0x7d,
    0x57, 0xc7, 0x8d, 0x74, 0xb7, 0xc4, 0x9f, 0x72, 0x7e, 0x15, 0x22, 0x12, 0x58, 0x07, 0x99, 0x34,
    0x6e, 0x50, 0xde, 0x68, 0x65, 0xbc, 0xdb, 0xf8, 0xc8, 0xa8, 0x2b, 0x40, 0xdc, 0xfe, 0x32, 0xa4,
    0xca, 0x10, 0x21, 0xf0, 0xd3, 0x5d, 0x0f, 0x00, 0x6f, 0x9d, 0x36, 0x42, 0x4a, 0x5e, 0xc1, 0xe0,
};
static const uint8_t MOTE_FLASH q1[256] = {
    0x75, 0xf3, 0xc6, 0xf4, 0xdb, 0x7b, 0xfb, 0xc8, 0x4a, 0xd3, 0xe6, 0x6b, 0x45, 0x7d, 0xe8, 0x4b,
    0xd6, 0x32, 0xd8, 0xfd, 0x37, 0x71, 0xf1, 0xe1, 0x30, 0x0f, 0xf8, 0x1b, 0x87, 0xfa, 0x06, 0x3f,
    0x5e, 0xba, 0xae, 0x5b, 0x8a, 0x00, 0xbc, 0x9d, 0x6d, 0xc1, 0xb1, 0x0e, 0x80, 0x5d, 0xd2, 0xd5,
    0xa0, 0x84, 0x07, 0x14, 0xb5, 0x90, 0x2c, 0xa3, 0xb2, 0x73, 0x4c, 0x54, 0x92, 0x74, 0x36, 0x51,
    0x38, 0xb0, 0xbd, 0x5a, 0xfc, 0x60, 0x62, 0x96, 0x6c, 0x42, 0xf7, 0x10, 0x7c, 0x28, 0x27, 0x8c,
    0x13, 0x95, 0x9c, 0xc7, 0x24, 0x46, 0x3b, 0x70, 0xca, 0xe3, 0x85, 0xcb, 0x11, 0xd0, 0x93, 0xb8,
    0xa6, 0x83, 0x20, 0xff, 0x9f, 0x77, 0xc3, 0xcc, 0x03, 0x6f, 0x08, 0xbf, 0x40, 0xe7, 0x2b, 0xe2,
    0x79, 0x0c, 0xaa, 0x82, 0x41, 0x3a, 0xea, 0xb9, 0xe4, 0x9a, 0xa4, 0x97, 0x7e, 0xda, 0x7a, 0x17,
    0x66, 0x94, 0xa1, 0x1d, 0x3d, 0xf0, 0xde, 0xb3, 0x0b, 0x72, 0xa7, 0x1c, 0xef, 0xd1, 0x53, 0x3e,
    0x8f, 0x33, 0x26, 0x5f, 0xec, 0x76, 0x2a, 0x49, 0x81, 0x88, 0xee, 0x21, 0xc4, 0x1a, 0xeb, 0xd9,
    0xc5, 0x39, 0x99, 0xcd, 0xad, 0x31, 0x8b, 0x01, 0x18, 0x23, 0xdd, 0x1f, 0x4e, 0x2d, 0xf9, 0x48,
    0x4f, 0xf2, 0x65, 0x8e, 0x78, 0x5c, 0x58, 0x19, 0x8d, 0xe5, 0x98, 0x57, 0x67, 0x7f, 0x05, 0x64,
    0xaf, 0x63, 0xb6, 0xfe, 0xf5, 0xb7, 0x3c, 0xa5, 0xce, 0xe9, 0x68, 0x44, 0xe0, 0x4d, 0x43, 0x69,
    0x29, 0x2e, 0xac, 0x15, 0x59, 0xa8, 0x0a, 0x9e, 0x6e, 0x47, 0xdf, 0x34, 0x35, 0x6a, 0xcf, 0xdc,
    0x22, 0xc9, 0xc0, 0x9b, 0x89, 0xd4, 0xed, 0xab, 0x12, 0xa2, 0x0d, 0x52, 0xbb, 0x02, 0x2f, 0xa9,
    0xd7, 0x61, 0x1e, 0xb4, 0x50, 0x04, 0xf6, 0xc2, 0x16, 0x25, 0x86, 0x56, 0x55, 0x09, 0xbe, 0x91,
};

/* Division by x in GF(2^8) modulo x^8 + x^6 + x^5 + x^3 + 1. */
static inline __attribute__((always_inline)) uint8_t halve(uint8_t a)
{
    return (uint8_t)(a >> 1 ^ (0xb4 & -(a & 1)));
}

typedef struct four_bytes { uint8_t b0, b1, b2, b3; } four_bytes;

/*
 * The first part of h, section 4.3.5: bytes go through q0 and q1 in turn with `words` words of
 * `key` between.
 */
static inline __attribute__((always_inline)) four_bytes permute(four_bytes x, const uint8_t *key,
                                                                uint8_t words)
{
    if (words == 4) {
        x.b0 = q1[x.b0] ^ key[0];
        x.b1 = q0[x.b1] ^ key[1];
        x.b2 = q0[x.b2] ^ key[2];
        x.b3 = q1[x.b3] ^ key[3];
        key += 4;
    }
    if (words >= 3) {
        x.b0 = q1[x.b0] ^ key[0];
        x.b1 = q1[x.b1] ^ key[1];
        x.b2 = q0[x.b2] ^ key[2];
        x.b3 = q0[x.b3] ^ key[3];
        key += 4;
    }
    x.b0 = q1[q0[q0[x.b0] ^ key[0]] ^ key[4]];
    x.b1 = q0[q0[q1[x.b1] ^ key[1]] ^ key[5]];
    x.b2 = q1[q1[q0[x.b2] ^ key[2]] ^ key[6]];
    x.b3 = q0[q1[q1[x.b3] ^ key[3]] ^ key[7]];
    return x;
}

/*
 * The second part of h: the matrix MDS, whose elements are 1, 5B = 1 + 1/x^2 and EF = 1 + 1/x +
 * 1/x^2.
 */
static inline __attribute__((always_inline)) uint32_t multiply(four_bytes y)
{
    const uint8_t half0 = halve(y.b0), half1 = halve(y.b1), half2 = halve(y.b2),
                  half3 = halve(y.b3);
    const uint8_t b0 = y.b0 ^ halve(half0), b1 = y.b1 ^ halve(half1);
    const uint8_t b2 = y.b2 ^ halve(half2), b3 = y.b3 ^ halve(half3);
    const uint8_t f0 = b0 ^ half0, f1 = b1 ^ half1, f2 = b2 ^ half2, f3 = b3 ^ half3;
    const uint8_t z0 = y.b0 ^ f1 ^ b2 ^ b3;
    const uint8_t z1 = b0 ^ f1 ^ f2 ^ y.b3;
    const uint8_t z2 = f0 ^ b1 ^ y.b2 ^ f3;
    const uint8_t z3 = f0 ^ y.b1 ^ f2 ^ b3;
    return z0 | (uint32_t)z1 << 8 | (uint32_t)z2 << 16 | (uint32_t)z3 << 24;
}

/*
 * The key word that is applied first comes first in `key`. Once in the program, with both parts:
 * it is long.
 */
static __attribute__((noinline)) uint32_t h(four_bytes x, const uint8_t *key, uint8_t words)
{
    return multiply(permute(x, key, words));
}

#if MOTE_SMALL
static inline uint32_t g(const twofish_schedule *t, uint32_t x)
{
    const four_bytes bytes = {
        (uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16), (uint8_t)(x >> 24)};
    return h(bytes, t->s, t->words);
}
#else
static inline uint32_t g(const twofish_schedule *t, uint32_t x)
{
    return t->s[0][x & 0xff] ^ t->s[1][x >> 8 & 0xff] ^ t->s[2][x >> 16 & 0xff] ^ t->s[3][x >> 24];
}

static void fill(twofish_schedule *t, const uint8_t *s, uint8_t words)
{
    for (uint16_t i = 0; i < 256; i++) {
        const uint8_t x = (uint8_t)i;
        const four_bytes y = permute((four_bytes){x, x, x, x}, s, words);
        t->s[0][i] = multiply((four_bytes){y.b0, 0, 0, 0});
        t->s[1][i] = multiply((four_bytes){0, y.b1, 0, 0});
        t->s[2][i] = multiply((four_bytes){0, 0, y.b2, 0});
        t->s[3][i] = multiply((four_bytes){0, 0, 0, y.b3});
    }
}
#endif

/*
 * The matrix RS of section 4.3 times eight bytes of key. It is a Reed-Solomon code: the remainder
 * of the bytes, as a polynomial, modulo x^4 + (a + 1/a) x^3 + a x^2 + (a + 1/a) x + 1 over GF(2^8)
 * modulo a^8 + a^6 + a^3 + a^2 + 1.
 */
static void reed_solomon(uint8_t out[4], const uint8_t key[8])
{
    uint8_t r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    for (uint8_t i = 8; i > 0;) {
        i--;
        uint8_t top = r3 ^ key[i];
        uint8_t twice = (uint8_t)((uint8_t)(top << 1) ^ (0x4d & -(top >> 7)));
        uint8_t both = (uint8_t)(twice ^ top >> 1 ^ (0xa6 & -(top & 1)));
        r3 = r2 ^ both;
        r2 = r1 ^ twice;
        r1 = r0 ^ both;
        r0 = top;
    }
    out[0] = r0;
    out[1] = r1;
    out[2] = r2;
    out[3] = r3;
}

static void expand(twofish_schedule *t, const uint8_t *key, uint8_t words)
{
    uint8_t even[4 * 4], odd[4 * 4], s[4 * 4];
    for (uint8_t i = 0; i < words; i++) {
        uint8_t at = (uint8_t)(4 * (words - 1 - i));
        memcpy(even + at, key + 8 * i, 4);
        memcpy(odd + at, key + 8 * i + 4, 4);
        reed_solomon(s + 4 * i, key + 8 * i);
    }
    for (uint8_t i = 0; i < 8 + 2 * ROUNDS; i = (uint8_t)(i + 2)) {
        const uint8_t j = (uint8_t)(i + 1);
        uint32_t a = h((four_bytes){i, i, i, i}, even, words);
        uint32_t b = mote_rotl32(h((four_bytes){j, j, j, j}, odd, words), 8);
        a += b;
        t->keys[i] = a;
        t->keys[i + 1] = mote_rotl32(a + b, 9);
    }
#if MOTE_SMALL
    t->words = words;
    memcpy(t->s, s, sizeof s);
#else
    fill(t, s, words);
#endif
    mote_wipe(even, sizeof even);
    mote_wipe(odd, sizeof odd);
    mote_wipe(s, sizeof s);
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const twofish_schedule *t = schedule;
    const uint32_t *key = t->keys;
    uint32_t a = mote_load32le(in) ^ key[0], b = mote_load32le(in + 4) ^ key[1];
    uint32_t c = mote_load32le(in + 8) ^ key[2], d = mote_load32le(in + 12) ^ key[3];
    key += 8;
    for (uint8_t i = 0; i < ROUNDS; i++) {
        uint32_t t0 = g(t, a), t1 = g(t, mote_rotl32(b, 8));
        t0 += t1;
        uint32_t next0 = mote_rotr32(c ^ (t0 + key[0]), 1);
        uint32_t next1 = mote_rotl32(d, 1) ^ (t0 + t1 + key[1]);
        c = a;
        d = b;
        a = next0;
        b = next1;
        key += 2;
    }
    key = t->keys + 4;
    mote_store32le(out, c ^ key[0]);
    mote_store32le(out + 4, d ^ key[1]);
    mote_store32le(out + 8, a ^ key[2]);
    mote_store32le(out + 12, b ^ key[3]);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const twofish_schedule *t = schedule;
    const uint32_t *key = t->keys + 4;
    uint32_t c = mote_load32le(in) ^ key[0], d = mote_load32le(in + 4) ^ key[1];
    uint32_t a = mote_load32le(in + 8) ^ key[2], b = mote_load32le(in + 12) ^ key[3];
    key = t->keys + 8 + 2 * ROUNDS;
    for (uint8_t i = 0; i < ROUNDS; i++) {
        uint32_t t0 = g(t, c), t1 = g(t, mote_rotl32(d, 8));
        t0 += t1;
        key -= 2;
        uint32_t before0 = mote_rotl32(a, 1) ^ (t0 + key[0]);
        uint32_t before1 = mote_rotr32(b ^ (t0 + t1 + key[1]), 1);
        a = c;
        b = d;
        c = before0;
        d = before1;
    }
    key = t->keys;
    mote_store32le(out, a ^ key[0]);
    mote_store32le(out + 4, b ^ key[1]);
    mote_store32le(out + 8, c ^ key[2]);
    mote_store32le(out + 12, d ^ key[3]);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 2);
}

static void set_key_192(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 3);
}

static void set_key_256(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 4);
}

#define TWOFISH(bits)                          \
    {.name = "twofish-" #bits,                 \
     .block_len = 16,                          \
     .key_len = bits / 8,                      \
     .schedule_len = sizeof(twofish_schedule), \
     .set_key = set_key_##bits,                \
     .encrypt = encrypt,                       \
     .decrypt = decrypt}

static const mote_block_cipher ciphers[] = {TWOFISH(128), TWOFISH(192), TWOFISH(256)};

MOTE_IMPLEMENTATION(twofish) = {.name = "twofish", MOTE_BLOCKS(ciphers)};

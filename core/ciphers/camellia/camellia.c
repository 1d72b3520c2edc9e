/*
 * Camellia.
 *
 * Specification: RFC 3713.
 *
 * Trades: one S-box of 256 bytes, from which the others follow; no tables of words. Time: the
 * S-box is looked up at places that depend on secrets, which leaks where there is a data cache; no
 * branch depends on a secret.
 */
#include <stdint.h>
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"
#include "mote/modes.h"

/* The numbers of FL layers and of subkeys. */
enum { LAYERS_128 = 2, LAYERS_256 = 3, SUBKEYS_128 = 26, SUBKEYS_256 = 34 };

/* A number of 64 bits, the upper half first. */
typedef struct two_words { uint32_t high, low; } two_words;

/* In the order of use; but the first pair and the last are used together. */
typedef struct camellia_schedule {
    uint32_t layers;
    two_words keys[];
} camellia_schedule;

/* RFC 3713, section 2.4.1: SBOX1. */
static const uint8_t MOTE_FLASH s1[256] = {
    0x70, 0x82, 0x2c, 0xec, 0xb3, 0x27, 0xc0, 0xe5, 0xe4, 0x85, 0x57, 0x35, 0xea, 0x0c, 0xae, 0x41,
    0x23, 0xef, 0x6b, 0x93, 0x45, 0x19, 0xa5, 0x21, 0xed, 0x0e, 0x4f, 0x4e, 0x1d, 0x65, 0x92, 0xbd,
    0x86, 0xb8, 0xaf, 0x8f, 0x7c, 0xeb, 0x1f, 0xce, 0x3e, 0x30, 0xdc, 0x5f, 0x5e, 0xc5, 0x0b, 0x1a,
    0xa6, 0xe1, 0x39, 0xca, 0xd5, 0x47, 0x5d, 0x3d, 0xd9, 0x01, 0x5a, 0xd6, 0x51, 0x56, 0x6c, 0x4d,
    0x8b, 0x0d, 0x9a, 0x66, 0xfb, 0xcc, 0xb0, 0x2d, 0x74, 0x12, 0x2b, 0x20, 0xf0, 0xb1, 0x84, 0x99,
    0xdf, 0x4c, 0xcb, 0xc2, 0x34, 0x7e, 0x76, 0x05, 0x6d, 0xb7, 0xa9, 0x31, 0xd1, 0x17, 0x04, 0xd7,
    0x14, 0x58, 0x3a, 0x61, 0xde, 0x1b, 0x11, 0x1c, 0x32, 0x0f, 0x9c, 0x16, 0x53, 0x18, 0xf2, 0x22,
    0xfe, 0x44, 0xcf, 0xb2, 0xc3, 0xb5, 0x7a, 0x91, 0x24, 0x08, 0xe8, 0xa8, 0x60, 0xfc, 0x69, 0x50,
    0xaa, 0xd0, 0xa0, 0x7d, 0xa1, 0x89, 0x62, 0x97, 0x54, 0x5b, 0x1e, 0x95, 0xe0, 0xff, 0x64, 0xd2,
    0x10, 0xc4, 0x00, 0x48, 0xa3, 0xf7, 0x75, 0xdb, 0x8a, 0x03, 0xe6, 0xda, 0x09, 0x3f, 0xdd, 0x94,
    0x87, 0x5c, 0x83, 0x02, 0xcd, 0x4a, 0x90, 0x33, 0x73, 0x67, 0xf6, 0xf3, 0x9d, 0x7f, 0xbf, 0xe2,
    0x52, 0x9b, 0xd8, 0x26, 0xc8, 0x37, 0xc6, 0x3b, 0x81, 0x96, 0x6f, 0x4b, 0x13, 0xbe, 0x63, 0x2e,
    0xe9, 0x79, 0xa7, 0x8c, 0x9f, 0x6e, 0xbc, 0x8e, 0x29, 0xf5, 0xf9, 0xb6, 0x2f, 0xfd, 0xb4, 0x59,
    0x78, 0x98, 0x06, 0x6a, 0xe7, 0x46, 0x71, 0xba, 0xd4, 0x25, 0xab, 0x42, 0x88, 0xa2, 0x8d, 0xfa,
    0x72, 0x07, 0xb9, 0x55, 0xf8, 0xee, 0xac, 0x0a, 0x36, 0x49, 0x2a, 0x68, 0x3c, 0x38, 0xf1, 0xa4,
    0x40, 0x28, 0xd3, 0x7b, 0xbb, 0xc9, 0x43, 0xc1, 0x15, 0xe3, 0xad, 0xf4, 0x77, 0xc7, 0x80, 0x9e,
};

/*
 * SBOX2 and SBOX3 are SBOX1 turned left by 1 and 7 bits, SBOX4 is SBOX1 of what is turned left by 1
 * bit.
 */
static inline uint8_t s2(uint8_t x)
{
    x = s1[x];
    return (uint8_t)(x << 1 | x >> 7);
}

static inline uint8_t s3(uint8_t x)
{
    x = s1[x];
    return (uint8_t)(x << 7 | x >> 1);
}

static inline uint8_t s4(uint8_t x)
{
    return s1[(uint8_t)(x << 1 | x >> 7)];
}

/*
 * Each byte gets to three of four: a not to the last, b not to the first, c not to the second, d
 * not to the third.
 */
static inline uint32_t spread(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
#if MOTE_SMALL
    const uint8_t all = a ^ b ^ c ^ d;
    return (uint32_t)(uint8_t)(all ^ b) << 24 | (uint32_t)(uint8_t)(all ^ c) << 16 |
           (uint16_t)((uint16_t)(uint8_t)(all ^ d) << 8) | (uint8_t)(all ^ a);
#else
    return (a * 0x01010100u) ^ (b * 0x00010101u) ^ (c * 0x01000101u) ^ (d * 0x01010001u);
#endif
}

/*
 * to ^= F(from, key). P of section 2.4.1: the upper half is the sum of two spread words; the lower
 * half is that, plus the first of the two turned right by one byte.
 */
static inline void f(two_words *to, const two_words *from, const two_words *key)
{
    const uint32_t high = from->high ^ key->high, low = from->low ^ key->low;
    const uint32_t upper = spread(s1[(uint8_t)(high >> 24)], s2((uint8_t)(high >> 16)),
                                  s3((uint8_t)(high >> 8)), s4((uint8_t)high));
    const uint32_t both = upper ^ spread(s1[(uint8_t)low], s2((uint8_t)(low >> 24)),
                                         s3((uint8_t)(low >> 16)), s4((uint8_t)(low >> 8)));
    to->high ^= both;
    to->low ^= both ^ mote_rotr32(upper, 8);
}

static void crypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const camellia_schedule *s = schedule;
    const two_words *key = s->keys;
    two_words a = {mote_load32be(in) ^ key[0].high, mote_load32be(in + 4) ^ key[0].low};
    two_words b = {mote_load32be(in + 8) ^ key[1].high, mote_load32be(in + 12) ^ key[1].low};
    key += 2;
    for (uint8_t layer = (uint8_t)s->layers;; layer--) {
        for (uint8_t i = 0; i < 3; i++) {
            f(&b, &a, key);
            f(&a, &b, key + 1);
            key += 2;
        }
        if (layer == 0)
            break;
        a.low ^= mote_rotl32(a.high & key->high, 1); /* FL */
        a.high ^= a.low | key->low;
        key++;
        b.high ^= b.low | key->low; /* its inverse */
        b.low ^= mote_rotl32(b.high & key->high, 1);
        key++;
    }
    mote_store32be(out, b.high ^ key[0].high);
    mote_store32be(out + 4, b.low ^ key[0].low);
    mote_store32be(out + 8, a.high ^ key[1].high);
    mote_store32be(out + 12, a.low ^ key[1].low);
}

/* The sigmas of section 2.2. */
static const two_words MOTE_FLASH sigmas[6] = {
    {0xa09e667f, 0x3bcc908b}, {0xb67ae858, 0x4caa73b2}, {0xc6ef372f, 0xe94f82be},
    {0x54ff53a5, 0xf1d36f1c}, {0x10e527fa, 0xde682d1d}, {0xb05688c2, 0xb3e6c1fd},
};

/* Origin of a subkey: KL, KR, KA or KB, and by how many bits to the left of its highest 64. */
typedef struct origin { uint8_t from, turned; } origin;
enum { KL, KR, KA, KB };
#define HALVES(from, turned) {from, turned}, {from, (turned + 64) % 128}

static const origin MOTE_FLASH origins_128[SUBKEYS_128] = {
    HALVES(KL, 0),  HALVES(KA, 0),  HALVES(KL, 15),  HALVES(KA, 15),  HALVES(KA, 30),
    HALVES(KL, 45), {KA, 45},       {KL, 124},       HALVES(KA, 60),  HALVES(KL, 77),
    HALVES(KL, 94), HALVES(KA, 94), HALVES(KL, 111), HALVES(KA, 111),
};
static const origin MOTE_FLASH origins_256[SUBKEYS_256] = {
    HALVES(KL, 0),   HALVES(KB, 0),   HALVES(KR, 15), HALVES(KA, 15), HALVES(KR, 30),
    HALVES(KB, 30),  HALVES(KL, 45),  HALVES(KA, 45), HALVES(KL, 60), HALVES(KR, 60),
    HALVES(KB, 60),  HALVES(KL, 77),  HALVES(KA, 77), HALVES(KR, 94), HALVES(KA, 94),
    HALVES(KL, 111), HALVES(KB, 111),
};

/* Numbers of 128 bits, as the key has them. */
typedef uint8_t block[16];

static void mix(block out, const block in, uint8_t first_sigma)
{
    two_words a = {mote_load32be(in), mote_load32be(in + 4)},
              b = {mote_load32be(in + 8), mote_load32be(in + 12)};
    two_words sigma = sigmas[first_sigma];
    f(&b, &a, &sigma);
    sigma = sigmas[first_sigma + 1];
    f(&a, &b, &sigma);
    mote_store32be(out, a.high);
    mote_store32be(out + 4, a.low);
    mote_store32be(out + 8, b.high);
    mote_store32be(out + 12, b.low);
}

static void add(block to, const block what)
{
    for (uint8_t i = 0; i < sizeof(block); i++)
        to[i] ^= what[i];
}

/* The highest 64 bits of `from` turned left by `bits`. */
static two_words turned(const block from, uint8_t bits)
{
    uint8_t bytes[8];
    uint8_t at = bits >> 3;
    for (uint8_t i = 0; i < 8; i++) {
        const uint16_t two = (uint16_t)((uint16_t)from[at] << 8 | from[(at + 1) & 15]);
        bytes[i] = (uint8_t)((uint16_t)(two << (bits & 7)) >> 8);
        at = (at + 1) & 15;
    }
    const two_words result = {mote_load32be(bytes), mote_load32be(bytes + 4)};
    mote_wipe(bytes, sizeof bytes);
    return result;
}

/* backwards: for decryption, which is encryption with the subkeys the other way round. */
static void expand(camellia_schedule *s, const uint8_t *key, uint8_t key_len, uint8_t backwards)
{
    block k[4];
    memcpy(k[KL], key, sizeof(block));
    memset(k[KR], 0, sizeof(block));
    memcpy(k[KR], key + sizeof(block), key_len - sizeof(block));
    if (key_len == 24) {
        for (uint8_t i = 0; i < 8; i++)
            k[KR][8 + i] = (uint8_t)~k[KR][i];
    }
    memcpy(k[KA], k[KL], sizeof(block));
    add(k[KA], k[KR]);
    mix(k[KA], k[KA], 0);
    add(k[KA], k[KL]);
    mix(k[KA], k[KA], 2);
    memcpy(k[KB], k[KA], sizeof(block));
    add(k[KB], k[KR]);
    mix(k[KB], k[KB], 4);

    const origin MOTE_FLASH *origins = key_len == 16 ? origins_128 : origins_256;
    const uint8_t subkeys = key_len == 16 ? SUBKEYS_128 : SUBKEYS_256;
    s->layers = key_len == 16 ? LAYERS_128 : LAYERS_256;
    for (uint8_t i = 0; i < subkeys; i++) {
        uint8_t to = i;
        if (backwards) /* the two first and the two last ones keep their order among themselves */
            to = (uint8_t)(subkeys - 1 - (i < 2 || i >= subkeys - 2 ? i ^ 1 : i));
        s->keys[to] = turned(k[origins[i].from], origins[i].turned);
    }
    mote_wipe(k, sizeof k);
}

#define CAMELLIA_KEYS(bits)                                                \
    static void set_key_##bits(void *schedule, const uint8_t *key)         \
    {                                                                      \
        expand(schedule, key, bits / 8, 0);                                \
    }                                                                      \
                                                                           \
    static void set_decrypt_key_##bits(void *schedule, const uint8_t *key) \
    {                                                                      \
        expand(schedule, key, bits / 8, 1);                                \
    }

CAMELLIA_KEYS(128)
CAMELLIA_KEYS(192)
CAMELLIA_KEYS(256)

#define CAMELLIA(bits, subkeys)                                               \
    {.name = "camellia-" #bits,                                               \
     .block_len = 16,                                                         \
     .key_len = bits / 8,                                                     \
     .schedule_len = sizeof(camellia_schedule) + subkeys * sizeof(two_words), \
     .set_key = set_key_##bits,                                               \
     .set_decrypt_key = set_decrypt_key_##bits,                               \
     .encrypt = crypt,                                                        \
     .decrypt = crypt}

static const mote_block_cipher ciphers[] = {
    CAMELLIA(128, SUBKEYS_128),
    CAMELLIA(192, SUBKEYS_256),
    CAMELLIA(256, SUBKEYS_256),
};

MOTE_IMPLEMENTATION(camellia) = {.name = "camellia", MOTE_BLOCKS(ciphers)};

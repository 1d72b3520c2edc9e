/*
 * TWINE.
 *
 * Suzaki, Minematsu, Morioka, Kobayashi: TWINE: A Lightweight Block Cipher for Multiple Platforms,
 * SAC 2012. Nibbles of blocks and keys are numbered from the most significant one of the first
 * byte, as in the paper's test vectors.
 *
 * On small machines a nibble is in a byte of its own, of the state as of the round keys. On others
 * the state is two words, and a table of 512 bytes has two S-boxes at once. Look-ups depend on
 * secrets, in tables of 16 and 512 bytes: they leak through time where there is a data cache;
 * without one (AVR, Cortex-M) nothing does.
 */
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"
#include "mote/modes.h"

enum { ROUNDS = 36, SCHEDULE = (MOTE_SMALL ? 8 : 4) * ROUNDS };

#if MOTE_ASSEMBLY_AVR
/* In twine_avr.S. */
void set_key_80(void *schedule, const uint8_t *key) __asm__("mote_twine_set_key_80");
void set_key_128(void *schedule, const uint8_t *key) __asm__("mote_twine_set_key_128");
void encrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_twine_encrypt");
void decrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_twine_decrypt");
#else
/* Table 1 of the paper. */
static const uint8_t MOTE_FLASH sbox[16] = {
    0xc, 0x0, 0xf, 0xa, 0x2, 0xb, 0x9, 0x5, 0x8, 0x3, 0xd, 0x7, 0x1, 0xe, 0x6, 0x4,
};

/* CON, table 3: powers of z in GF(2)[z] / (z^6 + z + 1). */
static const uint8_t MOTE_FLASH constants[ROUNDS - 1] = {
    0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x03, 0x06, 0x0c, 0x18, 0x30, 0x23,
    0x05, 0x0a, 0x14, 0x28, 0x13, 0x26, 0x0f, 0x1e, 0x3c, 0x3b, 0x35, 0x29,
    0x11, 0x22, 0x07, 0x0e, 0x1c, 0x38, 0x33, 0x25, 0x09, 0x12, 0x24,
};

#if MOTE_SMALL
/* Nibbles x0 ... x15 of `in`; a round of S-boxes with the round key k; nibbles to `out`. */
#define LOAD                                    \
    uint8_t x0 = in[0] >> 4, x1 = in[0] & 15;   \
    uint8_t x2 = in[1] >> 4, x3 = in[1] & 15;   \
    uint8_t x4 = in[2] >> 4, x5 = in[2] & 15;   \
    uint8_t x6 = in[3] >> 4, x7 = in[3] & 15;   \
    uint8_t x8 = in[4] >> 4, x9 = in[4] & 15;   \
    uint8_t x10 = in[5] >> 4, x11 = in[5] & 15; \
    uint8_t x12 = in[6] >> 4, x13 = in[6] & 15; \
    uint8_t x14 = in[7] >> 4, x15 = in[7] & 15

#define SUBSTITUTE           \
    x1 ^= sbox[x0 ^ k[0]];   \
    x3 ^= sbox[x2 ^ k[1]];   \
    x5 ^= sbox[x4 ^ k[2]];   \
    x7 ^= sbox[x6 ^ k[3]];   \
    x9 ^= sbox[x8 ^ k[4]];   \
    x11 ^= sbox[x10 ^ k[5]]; \
    x13 ^= sbox[x12 ^ k[6]]; \
    x15 ^= sbox[x14 ^ k[7]]

#define STORE                           \
    out[0] = (uint8_t)(x0 << 4 | x1);   \
    out[1] = (uint8_t)(x2 << 4 | x3);   \
    out[2] = (uint8_t)(x4 << 4 | x5);   \
    out[3] = (uint8_t)(x6 << 4 | x7);   \
    out[4] = (uint8_t)(x8 << 4 | x9);   \
    out[5] = (uint8_t)(x10 << 4 | x11); \
    out[6] = (uint8_t)(x12 << 4 | x13); \
    out[7] = (uint8_t)(x14 << 4 | x15)

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *k = schedule, *last = k + 8 * (ROUNDS - 1);
    LOAD;
    for (;; k += 8) {
        uint8_t t;
        SUBSTITUTE;
        if (k == last)
            break;
        /* The block shuffle, table 2: nibbles 0, 1, 2 ... go to 5, 0, 1 ... */
        t = x0;
        x0 = x1;
        x1 = x2;
        x2 = x11;
        x11 = x14;
        x14 = x15;
        x15 = x12;
        x12 = x5;
        x5 = t;
        t = x3;
        x3 = x6;
        x6 = x9;
        x9 = x10;
        x10 = x13;
        x13 = x8;
        x8 = x7;
        x7 = x4;
        x4 = t;
    }
    STORE;
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *last = schedule, *k = last + 8 * (ROUNDS - 1);
    LOAD;
    for (;; k -= 8) {
        uint8_t t;
        SUBSTITUTE;
        if (k == last)
            break;
        t = x0;
        x0 = x5;
        x5 = x12;
        x12 = x15;
        x15 = x14;
        x14 = x11;
        x11 = x2;
        x2 = x1;
        x1 = t;
        t = x3;
        x3 = x4;
        x4 = x7;
        x7 = x8;
        x8 = x13;
        x13 = x10;
        x10 = x9;
        x9 = x6;
        x6 = t;
    }
    STORE;
}

/*
 * The key register, a nibble in a byte: what one round adds to it, and the rotation that ends the
 * round.
 */
static void step(uint8_t *w, uint8_t len, uint8_t round)
{
    uint8_t first[4], i;
    w[1] ^= sbox[w[0]];
    w[4] ^= sbox[w[16]];
    if (len == 32)
        w[23] ^= sbox[w[30]];
    w[7] = (uint8_t)(w[7] ^ constants[round] >> 3);
    w[19] = (uint8_t)(w[19] ^ (constants[round] & 7));
    for (i = 0; i < 4; i++)
        first[i] = w[(i + 1) & 3];
    for (i = 0; i < len - 4; i++)
        w[i] = w[i + 4];
    for (i = 0; i < 4; i++)
        w[len - 4 + i] = first[i];
}

static void expand(uint8_t *k, const uint8_t *key, uint8_t len, const uint8_t MOTE_FLASH *taken)
{
    uint8_t w[32], i, round;
    for (i = 0; i < len / 2; i++) {
        w[2 * i] = key[i] >> 4;
        w[2 * i + 1] = key[i] & 15;
    }
    for (round = 0;; round++) {
        for (i = 0; i < 8; i++)
            *k++ = w[taken[i]];
        if (round == ROUNDS - 1)
            break;
        step(w, len, round);
    }
    mote_wipe(w, sizeof w);
}

static void set_key_80(void *schedule, const uint8_t *key)
{
    static const uint8_t MOTE_FLASH taken[8] = {1, 3, 4, 6, 13, 14, 15, 16};
    expand(schedule, key, 20, taken);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    static const uint8_t MOTE_FLASH taken[8] = {2, 3, 12, 15, 17, 18, 28, 31};
    expand(schedule, key, 32, taken);
}
#else
/* Both S-boxes of a byte, that of its upper half 8 bits above the other. */
static const uint16_t MOTE_FLASH sboxes[256] = {
    0x0c0c, 0x0c00, 0x0c0f, 0x0c0a, 0x0c02, 0x0c0b, 0x0c09, 0x0c05, 0x0c08, 0x0c03, 0x0c0d, 0x0c07,
    0x0c01, 0x0c0e, 0x0c06, 0x0c04, 0x000c, 0x0000, 0x000f, 0x000a, 0x0002, 0x000b, 0x0009, 0x0005,
    0x0008, 0x0003, 0x000d, 0x0007, 0x0001, 0x000e, 0x0006, 0x0004, 0x0f0c, 0x0f00, 0x0f0f, 0x0f0a,
    0x0f02, 0x0f0b, 0x0f09, 0x0f05, 0x0f08, 0x0f03, 0x0f0d, 0x0f07, 0x0f01, 0x0f0e, 0x0f06, 0x0f04,
    0x0a0c, 0x0a00, 0x0a0f, 0x0a0a, 0x0a02, 0x0a0b, 0x0a09, 0x0a05, 0x0a08, 0x0a03, 0x0a0d, 0x0a07,
    0x0a01, 0x0a0e, 0x0a06, 0x0a04, 0x020c, 0x0200, 0x020f, 0x020a, 0x0202, 0x020b, 0x0209, 0x0205,
    0x0208, 0x0203, 0x020d, 0x0207, 0x0201, 0x020e, 0x0206, 0x0204, 0x0b0c, 0x0b00, 0x0b0f, 0x0b0a,
    0x0b02, 0x0b0b, 0x0b09, 0x0b05, 0x0b08, 0x0b03, 0x0b0d, 0x0b07, 0x0b01, 0x0b0e, 0x0b06, 0x0b04,
    0x090c, 0x0900, 0x090f, 0x090a, 0x0902, 0x090b, 0x0909, 0x0905, 0x0908, 0x0903, 0x090d, 0x0907,
    0x0901, 0x090e, 0x0906, 0x0904, 0x050c, 0x0500, 0x050f, 0x050a, 0x0502, 0x050b, 0x0509, 0x0505,
    0x0508, 0x0503, 0x050d, 0x0507, 0x0501, 0x050e, 0x0506, 0x0504, 0x080c, 0x0800, 0x080f, 0x080a,
    0x0802, 0x080b, 0x0809, 0x0805, 0x0808, 0x0803, 0x080d, 0x0807, 0x0801, 0x080e, 0x0806, 0x0804,
    0x030c, 0x0300, 0x030f, 0x030a, 0x0302, 0x030b, 0x0309, 0x0305, 0x0308, 0x0303, 0x030d, 0x0307,
    0x0301, 0x030e, 0x0306, 0x0304, 0x0d0c, 0x0d00, 0x0d0f, 0x0d0a, 0x0d02, 0x0d0b, 0x0d09, 0x0d05,
    0x0d08, 0x0d03, 0x0d0d, 0x0d07, 0x0d01, 0x0d0e, 0x0d06, 0x0d04, 0x070c, 0x0700, 0x070f, 0x070a,
    0x0702, 0x070b, 0x0709, 0x0705, 0x0708, 0x0703, 0x070d, 0x0707, 0x0701, 0x070e, 0x0706, 0x0704,
    0x010c, 0x0100, 0x010f, 0x010a, 0x0102, 0x010b, 0x0109, 0x0105, 0x0108, 0x0103, 0x010d, 0x0107,
    0x0101, 0x010e, 0x0106, 0x0104, 0x0e0c, 0x0e00, 0x0e0f, 0x0e0a, 0x0e02, 0x0e0b, 0x0e09, 0x0e05,
    0x0e08, 0x0e03, 0x0e0d, 0x0e07, 0x0e01, 0x0e0e, 0x0e06, 0x0e04, 0x060c, 0x0600, 0x060f, 0x060a,
    0x0602, 0x060b, 0x0609, 0x0605, 0x0608, 0x0603, 0x060d, 0x0607, 0x0601, 0x060e, 0x0606, 0x0604,
    0x040c, 0x0400, 0x040f, 0x040a, 0x0402, 0x040b, 0x0409, 0x0405, 0x0408, 0x0403, 0x040d, 0x0407,
    0x0401, 0x040e, 0x0406, 0x0404,
};

/*
 * The nibbles that the block shuffle (table 2 of the paper) moves are two circles of eight places:
 * 0 1 2 11 14 15 12 5 and 9 10 13 8 7 4 3 6, where a value moves one place to the left. Each circle
 * is a word, its first place in the lowest nibble, so that the shuffle is two rotations. In both
 * words the S-boxes of a round read the nibbles of `even`, of one word those at even places, of
 * the other those at odd ones; they change the others.
 */
#define EVEN UINT32_C(0x0f0f0f0f)

/* Nibble `place` of a block of two big-endian words, moved to nibble `to`. */
static inline uint32_t nibble(const uint32_t block[2], unsigned place, unsigned to)
{
    return (block[place / 8] >> (28 - place % 8 * 4) & 15) << 4 * to;
}

/* Nibble `from` of a word, moved to where nibble `place` of a block is in its big-endian word. */
static inline uint32_t placed(uint32_t word, unsigned from, unsigned place)
{
    return (word >> 4 * from & 15) << (28 - place % 8 * 4);
}

/* Circles a and b of `in`. */
#define LOAD                                                                                      \
    const uint32_t block[2] = {mote_load32be(in), mote_load32be(in + 4)};                         \
    uint32_t a =                                                                                  \
        nibble(block, 0, 0) | nibble(block, 1, 1) | nibble(block, 2, 2) | nibble(block, 11, 3) |  \
        nibble(block, 14, 4) | nibble(block, 15, 5) | nibble(block, 12, 6) | nibble(block, 5, 7); \
    uint32_t b =                                                                                  \
        nibble(block, 9, 0) | nibble(block, 10, 1) | nibble(block, 13, 2) | nibble(block, 8, 3) | \
        nibble(block, 7, 4) | nibble(block, 4, 5) | nibble(block, 3, 6) | nibble(block, 6, 7)

#define STORE                                                                                  \
    mote_store32be(out,                                                                        \
                   placed(a, 0, 0) | placed(a, 1, 1) | placed(a, 2, 2) | placed(b, 6, 3) |     \
                       placed(b, 5, 4) | placed(a, 7, 5) | placed(b, 7, 6) | placed(b, 4, 7)); \
    mote_store32be(out + 4,                                                                    \
                   placed(b, 3, 8) | placed(b, 0, 9) | placed(b, 1, 10) | placed(a, 3, 11) |   \
                       placed(a, 6, 12) | placed(b, 2, 13) | placed(a, 4, 14) | placed(a, 5, 15))

/* Outputs of the S-boxes of a round: for a at odd places, for b at even ones. */
static inline __attribute__((always_inline)) uint32_t substituted(uint32_t a, uint32_t b,
                                                                  uint32_t key)
{
    const uint32_t x = ((a & EVEN) | (b & ~EVEN)) ^ key;
    return mote_rotl32(sboxes[x & 0xff], 4) ^ mote_rotl32(sboxes[x >> 8 & 0xff], 24) ^
           mote_rotl32(sboxes[x >> 16 & 0xff], 20) ^ mote_rotl32(sboxes[x >> 24], 8);
}

/* The S-boxes of a round with its round key; the same again undoes it. */
#define SUBSTITUTE                                \
    do {                                          \
        const uint32_t y = substituted(a, b, *k); \
        a ^= y & ~EVEN;                           \
        b ^= y & EVEN;                            \
    } while (0)

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *k = schedule, *last = k + ROUNDS - 1;
    LOAD;
    for (;; k++) {
        SUBSTITUTE;
        if (k == last)
            break;
        a = mote_rotr32(a, 4);
        b = mote_rotr32(b, 4);
    }
    STORE;
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *last = schedule, *k = last + ROUNDS - 1;
    LOAD;
    for (;; k--) {
        SUBSTITUTE;
        if (k == last)
            break;
        a = mote_rotl32(a, 4);
        b = mote_rotl32(b, 4);
    }
    STORE;
}

/* Half-words with their bytes exchanged, the first one lowest. */
static inline uint32_t turned(uint16_t low, uint16_t high)
{
    return mote_rotl16(low, 8) | (uint32_t)mote_rotl16(high, 8) << 16;
}

/* Nibble 0, the uppermost one, of a half-word, nibble 1 or 2, and nibble 3, moved to `to`. */
#define FIRST(half, to) ((uint32_t)((half) >> 12) << 4 * (to))
#define MIDDLE(half, place, to) ((uint32_t)(half) << (16 + 4 * (place)) >> 28 << 4 * (to))
#define LAST(half, to) ((uint32_t)(half) << 28 >> (28 - 4 * (to)))

/*
 * The nibbles of the key register that a round key has, from its half-words: from the lowest one of
 * the round key on, 1 14 3 13 16 4 15 6 of 80 bits and 2 18 3 17 31 12 28 15 of 128 bits.
 */
#define KEY_80(w)                                                                             \
    ((turned(w[0], w[1]) & 0xf0f00f0f) | (w[3] & 0xf0) | LAST(w[3], 6) | MIDDLE(w[3], 1, 3) | \
     FIRST(w[4], 4))
#define KEY_128(w)                                                                         \
    (MIDDLE(w[0], 2, 0) | LAST(w[0], 2) | FIRST(w[3], 5) | LAST(w[3], 7) | (w[4] & 0xf0) | \
     MIDDLE(w[4], 1, 3) | FIRST(w[7], 6) | LAST(w[7], 4))

/*
 * The key register turns by a half-word in each round; here it moves up in memory instead, and its
 * last half-word is new. `halves` is its length.
 */
#define EXPAND(halves, ROUND_KEY)                                                         \
    uint32_t *k = schedule;                                                               \
    uint16_t all[(halves) + ROUNDS - 1], *w = all;                                        \
    uint8_t i;                                                                            \
    for (i = 0; i < (halves); i++)                                                        \
        w[i] = mote_load16be(key + 2 * i);                                                \
    for (i = 0;; i++, w++) {                                                              \
        *k++ = ROUND_KEY(w);                                                              \
        if (i == ROUNDS - 1)                                                              \
            break;                                                                        \
        const uint16_t first = (uint16_t)(w[0] ^ (uint16_t)(sbox[w[0] >> 12] << 8));      \
        w[1] = (uint16_t)(w[1] ^ (uint16_t)(sbox[w[4] >> 12] << 12) ^ constants[i] >> 3); \
        w[4] = (uint16_t)(w[4] ^ (constants[i] & 7));                                     \
        if ((halves) == 8)                                                                \
            w[5] = (uint16_t)(w[5] ^ sbox[w[7] >> 4 & 15]);                               \
        w[halves] = mote_rotl16(first, 4);                                                \
    }                                                                                     \
    mote_wipe(all, sizeof all)

static void set_key_80(void *schedule, const uint8_t *key)
{
    EXPAND(5, KEY_80);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    EXPAND(8, KEY_128);
}
#endif
#endif

static const mote_block_cipher ciphers[] = {
    {.name = "twine-80",
     .block_len = 8,
     .key_len = 10,
     .schedule_len = SCHEDULE,
     .set_key = set_key_80,
     .encrypt = encrypt,
     .decrypt = decrypt},
    {.name = "twine-128",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = SCHEDULE,
     .set_key = set_key_128,
     .encrypt = encrypt,
     .decrypt = decrypt},
};

MOTE_IMPLEMENTATION(twine) = {.name = "twine", MOTE_BLOCKS(ciphers)};

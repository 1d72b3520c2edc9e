/*
 * CLEFIA.
 *
 * RFC 6114; Shirai, Shibutani, Akishita, Moriai, Iwata: The 128-Bit Blockcipher CLEFIA, FSE 2007.
 *
 * Works on bytes; the constants of the key schedule are computed with it. Look-ups depend on
 * secrets: they leak through time where there is a data cache; without one (AVR, Cortex-M0+)
 * nothing does.
 */
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

enum { ROUNDS_128 = 18, ROUNDS_192 = 22, ROUNDS_256 = 26, BLOCK = 16 };

/* Whitening keys 0 to 3, and two round keys of four bytes for each round. */
#define SCHEDULE(rounds) (uint16_t)(BLOCK + 8 * (rounds))

/* RFC 6114, section 5.1 (table 1, S0). */
static const uint8_t MOTE_FLASH sbox0[256] = {
    0x57, 0x49, 0xd1, 0xc6, 0x2f, 0x33, 0x74, 0xfb, 0x95, 0x6d, 0x82, 0xea, 0x0e, 0xb0, 0xa8, 0x1c,
    0x28, 0xd0, 0x4b, 0x92, 0x5c, 0xee, 0x85, 0xb1, 0xc4, 0x0a, 0x76, 0x3d, 0x63, 0xf9, 0x17, 0xaf,
    0xbf, 0xa1, 0x19, 0x65, 0xf7, 0x7a, 0x32, 0x20, 0x06, 0xce, 0xe4, 0x83, 0x9d, 0x5b, 0x4c, 0xd8,
    0x42, 0x5d, 0x2e, 0xe8, 0xd4, 0x9b, 0x0f, 0x13, 0x3c, 0x89, 0x67, 0xc0, 0x71, 0xaa, 0xb6, 0xf5,
    0xa4, 0xbe, 0xfd, 0x8c, 0x12, 0x00, 0x97, 0xda, 0x78, 0xe1, 0xcf, 0x6b, 0x39, 0x43, 0x55, 0x26,
    0x30, 0x98, 0xcc, 0xdd, 0xeb, 0x54, 0xb3, 0x8f, 0x4e, 0x16, 0xfa, 0x22, 0xa5, 0x77, 0x09, 0x61,
    0xd6, 0x2a, 0x53, 0x37, 0x45, 0xc1, 0x6c, 0xae, 0xef, 0x70, 0x08, 0x99, 0x8b, 0x1d, 0xf2, 0xb4,
    0xe9, 0xc7, 0x9f, 0x4a, 0x31, 0x25, 0xfe, 0x7c, 0xd3, 0xa2, 0xbd, 0x56, 0x14, 0x88, 0x60, 0x0b,
    0xcd, 0xe2, 0x34, 0x50, 0x9e, 0xdc, 0x11, 0x05, 0x2b, 0xb7, 0xa9, 0x48, 0xff, 0x66, 0x8a, 0x73,
    0x03, 0x75, 0x86, 0xf1, 0x6a, 0xa7, 0x40, 0xc2, 0xb9, 0x2c, 0xdb, 0x1f, 0x58, 0x94, 0x3e, 0xed,
    0xfc, 0x1b, 0xa0, 0x04, 0xb8, 0x8d, 0xe6, 0x59, 0x62, 0x93, 0x35, 0x7e, 0xca, 0x21, 0xdf, 0x47,
    0x15, 0xf3, 0xba, 0x7f, 0xa6, 0x69, 0xc8, 0x4d, 0x87, 0x3b, 0x9c, 0x01, 0xe0, 0xde, 0x24, 0x52,
    0x7b, 0x0c, 0x68, 0x1e, 0x80, 0xb2, 0x5a, 0xe7, 0xad, 0xd5, 0x23, 0xf4, 0x46, 0x3f, 0x91, 0xc9,
    0x6e, 0x84, 0x72, 0xbb, 0x0d, 0x18, 0xd9, 0x96, 0xf0, 0x5f, 0x41, 0xac, 0x27, 0xc5, 0xe3, 0x3a,
    0x81, 0x6f, 0x07, 0xa3, 0x79, 0xf6, 0x2d, 0x38, 0x1a, 0x44, 0x5e, 0xb5, 0xd2, 0xec, 0xcb, 0x90,
    0x9a, 0x36, 0xe5, 0x29, 0xc3, 0x4f, 0xab, 0x64, 0x51, 0xf8, 0x10, 0xd7, 0xbc, 0x02, 0x7d, 0x8e,
};

/* S1. */
static const uint8_t MOTE_FLASH sbox1[256] = {
    0x6c, 0xda, 0xc3, 0xe9, 0x4e, 0x9d, 0x0a, 0x3d, 0xb8, 0x36, 0xb4, 0x38, 0x13, 0x34, 0x0c, 0xd9,
    0xbf, 0x74, 0x94, 0x8f, 0xb7, 0x9c, 0xe5, 0xdc, 0x9e, 0x07, 0x49, 0x4f, 0x98, 0x2c, 0xb0, 0x93,
    0x12, 0xeb, 0xcd, 0xb3, 0x92, 0xe7, 0x41, 0x60, 0xe3, 0x21, 0x27, 0x3b, 0xe6, 0x19, 0xd2, 0x0e,
    0x91, 0x11, 0xc7, 0x3f, 0x2a, 0x8e, 0xa1, 0xbc, 0x2b, 0xc8, 0xc5, 0x0f, 0x5b, 0xf3, 0x87, 0x8b,
    0xfb, 0xf5, 0xde, 0x20, 0xc6, 0xa7, 0x84, 0xce, 0xd8, 0x65, 0x51, 0xc9, 0xa4, 0xef, 0x43, 0x53,
    0x25, 0x5d, 0x9b, 0x31, 0xe8, 0x3e, 0x0d, 0xd7, 0x80, 0xff, 0x69, 0x8a, 0xba, 0x0b, 0x73, 0x5c,
    0x6e, 0x54, 0x15, 0x62, 0xf6, 0x35, 0x30, 0x52, 0xa3, 0x16, 0xd3, 0x28, 0x32, 0xfa, 0xaa, 0x5e,
    0xcf, 0xea, 0xed, 0x78, 0x33, 0x58, 0x09, 0x7b, 0x63, 0xc0, 0xc1, 0x46, 0x1e, 0xdf, 0xa9, 0x99,
    0x55, 0x04, 0xc4, 0x86, 0x39, 0x77, 0x82, 0xec, 0x40, 0x18, 0x90, 0x97, 0x59, 0xdd, 0x83, 0x1f,
    0x9a, 0x37, 0x06, 0x24, 0x64, 0x7c, 0xa5, 0x56, 0x48, 0x08, 0x85, 0xd0, 0x61, 0x26, 0xca, 0x6f,
    0x7e, 0x6a, 0xb6, 0x71, 0xa0, 0x70, 0x05, 0xd1, 0x45, 0x8c, 0x23, 0x1c, 0xf0, 0xee, 0x89, 0xad,
    0x7a, 0x4b, 0xc2, 0x2f, 0xdb, 0x5a, 0x4d, 0x76, 0x67, 0x17, 0x2d, 0xf4, 0xcb, 0xb1, 0x4a, 0xa8,
    0xb5, 0x22, 0x47, 0x3a, 0xd5, 0x10, 0x4c, 0x72, 0xcc, 0x00, 0xf9, 0xe0, 0xfd, 0xe2, 0xfe, 0xae,
    0xf8, 0x5f, 0xab, 0xf1, 0x1b, 0x42, 0x81, 0xd6, 0xbe, 0x44, 0x29, 0xa6, 0x57, 0xb9, 0xaf, 0xf2,
    0xd4, 0x75, 0x66, 0xbb, 0x68, 0x9f, 0x50, 0x02, 0x01, 0x3c, 0x7f, 0x8d, 0x1a, 0x88, 0xbd, 0xac,
    0xf7, 0xe4, 0x79, 0x96, 0xa2, 0xfc, 0x6d, 0xb2, 0x6b, 0x03, 0xe1, 0x2e, 0x7d, 0x14, 0x95, 0x1d,
};

/* Times 2 in GF(2)[z] / (z^8 + z^4 + z^3 + z^2 + 1). */
static inline uint8_t twice(uint8_t v)
{
    return (uint8_t)((uint8_t)(v << 1) ^ (0x1d & (uint8_t)-(v >> 7)));
}

/* to ^= F0(key, from): section 4.3. */
static void f0(uint8_t to[4], const uint8_t from[4], const uint8_t key[4])
{
    const uint8_t a = sbox0[from[0] ^ key[0]], b = sbox1[from[1] ^ key[1]];
    const uint8_t c = sbox0[from[2] ^ key[2]], d = sbox1[from[3] ^ key[3]];
    const uint8_t ac = twice(a ^ c), bd = twice(b ^ d), ab = twice(twice(a ^ b)),
                  cd = twice(twice(c ^ d));
    to[0] ^= a ^ bd ^ cd;
    to[1] ^= b ^ ac ^ cd;
    to[2] ^= c ^ bd ^ ab;
    to[3] ^= d ^ ac ^ ab;
}

/* to ^= F1(key, from). */
static void f1(uint8_t to[4], const uint8_t from[4], const uint8_t key[4])
{
    const uint8_t a = sbox1[from[0] ^ key[0]], b = sbox0[from[1] ^ key[1]];
    const uint8_t c = sbox1[from[2] ^ key[2]], d = sbox0[from[3] ^ key[3]];
    const uint8_t ab = twice(a ^ b), cd = twice(c ^ d);
    const uint8_t ac = twice(twice(twice(a ^ c))), bd = twice(twice(twice(b ^ d)));
    to[0] ^= a ^ bd ^ cd;
    to[1] ^= b ^ ac ^ cd;
    to[2] ^= c ^ bd ^ ab;
    to[3] ^= d ^ ac ^ ab;
}

/*
 * Four rounds of GFN with four branches: words move from place to place, and are where they were
 * after four.
 */
static void four_rounds(uint8_t x[BLOCK], const uint8_t k[32])
{
    f0(x + 4, x, k);
    f1(x + 12, x + 8, k + 4);
    f0(x + 8, x + 4, k + 8);
    f1(x, x + 12, k + 12);
    f0(x + 12, x + 8, k + 16);
    f1(x + 4, x, k + 20);
    f0(x, x + 12, k + 24);
    f1(x + 8, x + 4, k + 28);
}

static void two_rounds(uint8_t x[BLOCK], const uint8_t k[16])
{
    f0(x + 4, x, k);
    f1(x + 12, x + 8, k + 4);
    f0(x + 8, x + 4, k + 8);
    f1(x, x + 12, k + 12);
}

static void undo_four_rounds(uint8_t x[BLOCK], const uint8_t k[32])
{
    f1(x + 8, x + 4, k + 28);
    f0(x, x + 12, k + 24);
    f1(x + 4, x, k + 20);
    f0(x + 12, x + 8, k + 16);
    f1(x, x + 12, k + 12);
    f0(x + 8, x + 4, k + 8);
    f1(x + 12, x + 8, k + 4);
    f0(x + 4, x, k);
}

static void undo_two_rounds(uint8_t x[BLOCK], const uint8_t k[16])
{
    f1(x, x + 12, k + 12);
    f0(x + 8, x + 4, k + 8);
    f1(x + 12, x + 8, k + 4);
    f0(x + 4, x, k);
}

static void add(uint8_t *to, const uint8_t *from, uint8_t n)
{
    while (n-- > 0)
        *to++ ^= *from++;
}

/*
 * All numbers of rounds are 2 more than a multiple of 4. The cipher leaves the last rotation out:
 * an odd number of them leaves words 1, 2, 3 and 0 of x as the output.
 */
static void encrypt(const uint8_t *schedule, uint8_t rounds, const uint8_t *in, uint8_t *out)
{
    const uint8_t *k = schedule + BLOCK, *end = k + 8 * (rounds - 2);
    uint8_t x[BLOCK];
    memcpy(x, in, BLOCK);
    add(x + 4, schedule, 4);
    add(x + 12, schedule + 4, 4);
    for (; k != end; k += 32)
        four_rounds(x, k);
    two_rounds(x, k);
    add(x + 8, schedule + 8, 4);
    add(x, schedule + 12, 4);
    memcpy(out, x + 4, 12);
    memcpy(out + 12, x, 4);
    mote_wipe(x, sizeof x);
}

static void decrypt(const uint8_t *schedule, uint8_t rounds, const uint8_t *in, uint8_t *out)
{
    const uint8_t *end = schedule + BLOCK, *k = end + 8 * (rounds - 2);
    uint8_t x[BLOCK];
    memcpy(x + 4, in, 12);
    memcpy(x, in + 12, 4);
    add(x + 8, schedule + 8, 4);
    add(x, schedule + 12, 4);
    undo_two_rounds(x, k);
    while (k != end) {
        k -= 32;
        undo_four_rounds(x, k);
    }
    add(x + 4, schedule, 4);
    add(x + 12, schedule + 4, 4);
    memcpy(out, x, BLOCK);
    mote_wipe(x, sizeof x);
}

/*
 * The next two words of CON (section 6.2): bytes of P = 0xb7e1 and Q = 0x243f; `t` from a constant
 * for each key length.
 */
static void constants(uint16_t *t, uint8_t con[8])
{
    const uint16_t v = *t, inverted = (uint16_t)~v;
    mote_store16be(con, v ^ 0xb7e1);
    mote_store16be(con + 2, mote_rotl16(inverted, 1));
    mote_store16be(con + 4, inverted ^ 0x243f);
    mote_store16be(con + 6, mote_rotl16(v, 8));
    /* Divided by z in GF(2)[z] / (z^16 + z^15 + z^13 + z^11 + z^5 + z^4 + 1). */
    *t = (uint16_t)(v >> 1 ^ (0xd418 & (uint16_t)-(v & 1)));
}

/* DoubleSwap (section 4.4): bits 7 to 63, then 121 to 127, 0 to 6, 64 to 120. */
static void double_swap(uint8_t x[BLOCK])
{
    uint8_t y[BLOCK], i;
    for (i = 0; i < 7; i++) {
        y[i] = (uint8_t)(x[i] << 7 | x[i + 1] >> 1);
        y[15 - i] = (uint8_t)(x[15 - i] >> 7 | x[14 - i] << 1);
    }
    y[7] = (uint8_t)(x[7] << 7 | (x[15] & 0x7f));
    y[8] = (uint8_t)(x[8] >> 7 | (x[0] & 0xfe));
    memcpy(x, y, BLOCK);
    mote_wipe(y, sizeof y);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    uint8_t *k = schedule, x[BLOCK], l[BLOCK], con[32], i, j;
    uint16_t t = 0x428a;
    memcpy(k, key, BLOCK);
    memcpy(x, key, BLOCK);
    for (i = 0; i < 3; i++) { /* GFN with 12 rounds */
        for (j = 0; j < 32; j = (uint8_t)(j + 8))
            constants(&t, con + j);
        four_rounds(x, con);
    }
    memcpy(l, x + 12, 4); /* the last rotation is left out: eleven have moved the words */
    memcpy(l + 4, x, 12);
    for (i = 0; i < ROUNDS_128 / 2; i++) {
        k += BLOCK;
        constants(&t, k);
        constants(&t, k + 8);
        add(k, l, BLOCK);
        if (i & 1)
            add(k, key, BLOCK);
        double_swap(l);
    }
    mote_wipe(x, sizeof x);
    mote_wipe(l, sizeof l);
}

/* GFN with eight branches (section 4.2.2) and 10 rounds; the words stay, their numbers move. */
static void wide(uint8_t x[2 * BLOCK], uint16_t *t)
{
    uint8_t con[16], round, first = 0;
    for (round = 0; round < 10; round++) {
        constants(t, con);
        constants(t, con + 8);
        f0(x + ((first + 4) & 28), x + first, con);
        f1(x + ((first + 12) & 28), x + ((first + 8) & 28), con + 4);
        f0(x + ((first + 20) & 28), x + ((first + 16) & 28), con + 8);
        f1(x + ((first + 28) & 28), x + ((first + 24) & 28), con + 12);
        first = (first + 4) & 28;
    }
}

/* Sections 6.3 and 6.4: from 32 bytes, which a key of 192 bits has been made up to. */
static void expand(uint8_t *k, const uint8_t key[2 * BLOCK], uint8_t rounds, uint16_t t)
{
    uint8_t x[2 * BLOCK], l[2 * BLOCK], i;
    memcpy(k, key, BLOCK);
    add(k, key + BLOCK, BLOCK);
    memcpy(x, key, sizeof x);
    wide(x, &t);
    /* The last rotation is left out: of ten rounds nine have moved the words. */
    memcpy(l, x + 4, 28);
    memcpy(l + 28, x, 4);
    for (i = 0; i < rounds / 2; i++) {
        uint8_t *half = i & 2 ? l + BLOCK : l;
        k += BLOCK;
        constants(&t, k);
        constants(&t, k + 8);
        add(k, half, BLOCK);
        if (i & 1)
            add(k, i & 2 ? key : key + BLOCK, BLOCK);
        double_swap(half);
    }
    mote_wipe(x, sizeof x);
    mote_wipe(l, sizeof l);
}

static void set_key_192(void *schedule, const uint8_t *key)
{
    uint8_t both[2 * BLOCK], i;
    memcpy(both, key, 24);
    for (i = 0; i < 8; i++)
        both[24 + i] = (uint8_t)~key[i];
    expand(schedule, both, ROUNDS_192, 0x7137);
    mote_wipe(both, sizeof both);
}

static void set_key_256(void *schedule, const uint8_t *key)
{
    expand(schedule, key, ROUNDS_256, 0xb5c0);
}

static void encrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt(schedule, ROUNDS_128, in, out);
}

static void decrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt(schedule, ROUNDS_128, in, out);
}

static void encrypt_192(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt(schedule, ROUNDS_192, in, out);
}

static void decrypt_192(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt(schedule, ROUNDS_192, in, out);
}

static void encrypt_256(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt(schedule, ROUNDS_256, in, out);
}

static void decrypt_256(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt(schedule, ROUNDS_256, in, out);
}

static const mote_block_cipher ciphers[] = {
    {.name = "clefia-128",
     .block_len = BLOCK,
     .key_len = 16,
     .schedule_len = SCHEDULE(ROUNDS_128),
     .set_key = set_key_128,
     .encrypt = encrypt_128,
     .decrypt = decrypt_128},
    {.name = "clefia-192",
     .block_len = BLOCK,
     .key_len = 24,
     .schedule_len = SCHEDULE(ROUNDS_192),
     .set_key = set_key_192,
     .encrypt = encrypt_192,
     .decrypt = decrypt_192},
    {.name = "clefia-256",
     .block_len = BLOCK,
     .key_len = 32,
     .schedule_len = SCHEDULE(ROUNDS_256),
     .set_key = set_key_256,
     .encrypt = encrypt_256,
     .decrypt = decrypt_256},
};

MOTE_IMPLEMENTATION(clefia) = {.name = "clefia", MOTE_BLOCKS(ciphers)};

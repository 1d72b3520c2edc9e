/*
 * DES and 3DES with little flash.
 *
 * Specification: FIPS 46-3; 3DES with three keys: NIST SP 800-67.
 *
 * Trades: permutations bit by bit, S-boxes of four bits in 256 bytes. Time: the S-boxes are looked
 * up at places that depend on secrets, which leaks where there is a data cache; no branch depends
 * on a secret.
 */
#include <stdint.h>

#include "des_keys.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

/*
 * FIPS 46-3, appendix 1: the S-boxes. A byte has the values for two inputs that differ in their
 * last bit alone; that of the input with a 0 is its lower half.
 */
static const uint8_t MOTE_FLASH boxes[8][32] = {
    {
        0x0e, 0xf4, 0x7d, 0x41, 0xe2, 0x2f, 0xdb, 0x18, 0xa3, 0x6a, 0xc6,
        0xbc, 0x95, 0x59, 0x30, 0x87, 0xf4, 0xc1, 0x8e, 0x28, 0x4d, 0x96,
        0x12, 0x7b, 0x5f, 0xbc, 0x39, 0xe7, 0xa3, 0x0a, 0x65, 0xd0,
    },
    {
        0x3f, 0xd1, 0x48, 0x7e, 0xf6, 0x2b, 0x83, 0xe4, 0xc9, 0x07, 0x12,
        0xad, 0x6c, 0x90, 0xb5, 0x5a, 0xd0, 0x8e, 0xa7, 0x1b, 0x3a, 0xf4,
        0x4d, 0x21, 0xb5, 0x68, 0x7c, 0xc6, 0x09, 0x53, 0xe2, 0x9f,
    },
    {
        0xda, 0x70, 0x09, 0x9e, 0x36, 0x43, 0x6f, 0xa5, 0x21, 0x8d, 0x5c,
        0xe7, 0xcb, 0xb4, 0xf2, 0x18, 0x1d, 0xa6, 0xd4, 0x09, 0x68, 0x9f,
        0x83, 0x70, 0x4b, 0xf1, 0xe2, 0x3c, 0xb5, 0x5a, 0x2e, 0xc7,
    },
    {
        0xd7, 0x8d, 0xbe, 0x53, 0x60, 0xf6, 0x09, 0x3a, 0x41, 0x72, 0x28,
        0xc5, 0x1b, 0xac, 0xe4, 0x9f, 0x3a, 0xf6, 0x09, 0x60, 0xac, 0x1b,
        0xd7, 0x8d, 0x9f, 0x41, 0x53, 0xbe, 0xc5, 0x72, 0x28, 0xe4,
    },
    {
        0xe2, 0xbc, 0x24, 0xc1, 0x47, 0x7a, 0xdb, 0x16, 0x58, 0x05, 0xf3,
        0xaf, 0x3d, 0x90, 0x8e, 0x69, 0xb4, 0x82, 0xc1, 0x7b, 0x1a, 0xed,
        0x27, 0xd8, 0x6f, 0xf9, 0x0c, 0x95, 0xa6, 0x43, 0x50, 0x3e,
    },
    {
        0xac, 0xf1, 0x4a, 0x2f, 0x79, 0xc2, 0x96, 0x58, 0x60, 0x1d, 0xd3,
        0xe4, 0x0e, 0xb7, 0x35, 0x8b, 0x49, 0x3e, 0x2f, 0xc5, 0x92, 0x58,
        0xfc, 0xa3, 0xb7, 0xe0, 0x14, 0x7a, 0x61, 0x0d, 0x8b, 0xd6,
    },
    {
        0xd4, 0x0b, 0xb2, 0x7e, 0x4f, 0x90, 0x18, 0xad, 0xe3, 0x3c, 0x59,
        0xc7, 0x25, 0xfa, 0x86, 0x61, 0x61, 0xb4, 0xdb, 0x8d, 0x1c, 0x43,
        0xa7, 0x7e, 0x9a, 0x5f, 0x06, 0xf8, 0xe0, 0x25, 0x39, 0xc2,
    },
    {
        0x1d, 0xf2, 0xd8, 0x84, 0xa6, 0x3f, 0x7b, 0x41, 0xca, 0x59, 0x63,
        0xbe, 0x05, 0xe0, 0x9c, 0x27, 0x27, 0x1b, 0xe4, 0x71, 0x49, 0xac,
        0x8e, 0xd2, 0xf0, 0xc6, 0x9a, 0x0d, 0x3f, 0x53, 0x65, 0xb8,
    },
};

/*
 * The permutation P, ditto, turned right by one bit as the halves of the block are here; positions
 * from 0.
 */
static const uint8_t MOTE_FLASH permutation[32] = {
    24, 15, 6, 19, 20, 28, 11, 27, 16, 0,  14, 22, 25, 4,  17, 30,
    9,  1,  7, 23, 13, 31, 26, 2,  8,  18, 12, 29, 5,  21, 10, 3,
};

/*
 * The highest six bits of the bytes of `half`, which is turned right by one bit, are what E gives
 * to S1, S3, S5 and S7; turned left by four, to S2, S4, S6 and S8.
 */
static uint32_t f(uint32_t half, const mote_des_round *round)
{
    uint32_t odd = half ^ round->odd;
    uint32_t even = mote_rotl32(half, 4) ^ round->even;
    uint8_t bits[32];
    uint8_t *bit = bits;
    const uint8_t MOTE_FLASH *box = boxes[0];
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t six = (uint8_t)(odd >> 24);
        uint32_t later = odd << 8;
        odd = even;
        even = later;
        uint8_t two = box[six >> 3];
        uint8_t upper = (uint8_t)-(six >> 2 & 1);
        uint8_t four = (uint8_t)((two & ~upper) | (two >> 4 & upper));
        box += 32;
        bit += 4;
        for (uint8_t j = 1; j <= 4; j++) {
            bit[-j] = four & 1;
            four >>= 1;
        }
    }
    uint32_t result = 0;
    for (uint8_t i = 0; i < 32; i++)
        result = result << 1 | bits[permutation[i]];
    return result;
}

/*
 * The initial permutation: bits 2, 4, 6, 8 of the bytes of the block make the left half, bits 1, 3,
 * 5, 7 the right one, each of them one byte, with the bit of the last byte highest. In `halves` the
 * left half's four bytes come first.
 */
static void permute(uint8_t halves[8], const uint8_t *in)
{
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t byte = in[i];
        for (uint8_t j = 4; j > 0;) {
            j--;
            halves[j] = (uint8_t)(halves[j] >> 1 | byte << 7);
            halves[j + 4] = (uint8_t)(halves[j + 4] >> 1 | (byte << 6 & 0x80));
            byte >>= 2;
        }
    }
}

static void permute_back(uint8_t *out, uint8_t halves[8])
{
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t byte = 0;
        for (uint8_t j = 0; j < 4; j++) {
            byte = (uint8_t)(byte << 2 | (halves[j + 4] << 1 & 2) | (halves[j] & 1));
            halves[j] >>= 1;
            halves[j + 4] >>= 1;
        }
        out[i] = byte;
    }
}

/* The inner permutations of the three passes cancel out: there is one at either end. */
static void crypt(const mote_des_round *round, uint8_t passes, const uint8_t *in, uint8_t *out)
{
    uint8_t halves[8] = {0};
    permute(halves, in);
    uint32_t left = mote_rotr32(mote_load32be(halves), 1);
    uint32_t right = mote_rotr32(mote_load32be(halves + 4), 1);
    do {
        uint32_t next;
        for (uint8_t i = 0; i < 16; i++) {
            next = left ^ f(right, round);
            left = right;
            right = next;
            round++;
        }
        right = left;
        left = next;
    } while (--passes > 0);
    mote_store32be(halves, mote_rotl32(left, 1));
    mote_store32be(halves + 4, mote_rotl32(right, 1));
    permute_back(out, halves);
}

static void crypt_once(const void *schedule, const uint8_t *in, uint8_t *out)
{
    crypt(schedule, 1, in, out);
}

static void crypt_thrice(const void *schedule, const uint8_t *in, uint8_t *out)
{
    crypt(schedule, 3, in, out);
}

static const mote_block_cipher ciphers[] = {
    {MOTE_DES, .encrypt = crypt_once, .decrypt = crypt_once},
    {MOTE_3DES, .encrypt = crypt_thrice, .decrypt = crypt_thrice},
};

MOTE_IMPLEMENTATION(des_small) = {.name = "des-small", MOTE_BLOCKS(ciphers)};

/*
 * DES and 3DES for speed.
 *
 * Specification: FIPS 46-3; 3DES with three keys: NIST SP 800-67.
 *
 * Trades: 2 KiB of tables, S-boxes and permutation in one, and round keys prepared as the tables
 * need them. Time: the tables are looked up at places that depend on secrets, which leaks where
 * there is a data cache; no branch depends on a secret.
 */
#include <stdint.h>

#include "des_keys.h"
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

/* des_avr.S wants each box on a page of 256 bytes. */
#if MOTE_ASSEMBLY_AVR
#define boxes mote_des_boxes
extern const uint32_t MOTE_FLASH boxes[8][64];
#define TABLE __attribute__((aligned(256))) const uint32_t MOTE_FLASH
#else
#define TABLE static const uint32_t MOTE_FLASH
#endif

/*
 * FIPS 46-3, appendix 1: the S-boxes with the permutation P applied to what they give, turned right
 * by one bit as the halves of the block are here. The place is the six bits that go in.
 */
TABLE boxes[8][64] = {
    {
        0x00404100, 0x00000000, 0x00004000, 0x00404101, 0x00404001, 0x00004101, 0x00000001,
        0x00004000, 0x00000100, 0x00404100, 0x00404101, 0x00000100, 0x00400101, 0x00404001,
        0x00400000, 0x00000001, 0x00000101, 0x00400100, 0x00400100, 0x00004100, 0x00004100,
        0x00404000, 0x00404000, 0x00400101, 0x00004001, 0x00400001, 0x00400001, 0x00004001,
        0x00000000, 0x00000101, 0x00004101, 0x00400000, 0x00004000, 0x00404101, 0x00000001,
        0x00404000, 0x00404100, 0x00400000, 0x00400000, 0x00000100, 0x00404001, 0x00004000,
        0x00004100, 0x00400001, 0x00000100, 0x00000001, 0x00400101, 0x00004101, 0x00404101,
        0x00004001, 0x00404000, 0x00400101, 0x00400001, 0x00000101, 0x00004101, 0x00404100,
        0x00000101, 0x00400100, 0x00400100, 0x00000000, 0x00004001, 0x00004100, 0x00000000,
        0x00404001,
    },
    {
        0x20042008, 0x20002000, 0x00002000, 0x00042008, 0x00040000, 0x00000008, 0x20040008,
        0x20002008, 0x20000008, 0x20042008, 0x20042000, 0x20000000, 0x20002000, 0x00040000,
        0x00000008, 0x20040008, 0x00042000, 0x00040008, 0x20002008, 0x00000000, 0x20000000,
        0x00002000, 0x00042008, 0x20040000, 0x00040008, 0x20000008, 0x00000000, 0x00042000,
        0x00002008, 0x20042000, 0x20040000, 0x00002008, 0x00000000, 0x00042008, 0x20040008,
        0x00040000, 0x20002008, 0x20040000, 0x20042000, 0x00002000, 0x20040000, 0x20002000,
        0x00000008, 0x20042008, 0x00042008, 0x00000008, 0x00002000, 0x20000000, 0x00002008,
        0x20042000, 0x00040000, 0x20000008, 0x00040008, 0x20002008, 0x20000008, 0x00040008,
        0x00042000, 0x00000000, 0x20002000, 0x00002008, 0x20000000, 0x20040008, 0x20042008,
        0x00042000,
    },
    {
        0x00000082, 0x02008080, 0x00000000, 0x02008002, 0x02000080, 0x00000000, 0x00008082,
        0x02000080, 0x00008002, 0x02000002, 0x02000002, 0x00008000, 0x02008082, 0x00008002,
        0x02008000, 0x00000082, 0x02000000, 0x00000002, 0x02008080, 0x00000080, 0x00008080,
        0x02008000, 0x02008002, 0x00008082, 0x02000082, 0x00008080, 0x00008000, 0x02000082,
        0x00000002, 0x02008082, 0x00000080, 0x02000000, 0x02008080, 0x02000000, 0x00008002,
        0x00000082, 0x00008000, 0x02008080, 0x02000080, 0x00000000, 0x00000080, 0x00008002,
        0x02008082, 0x02000080, 0x02000002, 0x00000080, 0x00000000, 0x02008002, 0x02000082,
        0x00008000, 0x02000000, 0x02008082, 0x00000002, 0x00008082, 0x00008080, 0x02000002,
        0x02008000, 0x02000082, 0x00000082, 0x02008000, 0x00008082, 0x00000002, 0x02008002,
        0x00008080,
    },
    {
        0x40200800, 0x40000820, 0x40000820, 0x00000020, 0x00200820, 0x40200020, 0x40200000,
        0x40000800, 0x00000000, 0x00200800, 0x00200800, 0x40200820, 0x40000020, 0x00000000,
        0x00200020, 0x40200000, 0x40000000, 0x00000800, 0x00200000, 0x40200800, 0x00000020,
        0x00200000, 0x40000800, 0x00000820, 0x40200020, 0x40000000, 0x00000820, 0x00200020,
        0x00000800, 0x00200820, 0x40200820, 0x40000020, 0x00200020, 0x40200000, 0x00200800,
        0x40200820, 0x40000020, 0x00000000, 0x00000000, 0x00200800, 0x00000820, 0x00200020,
        0x40200020, 0x40000000, 0x40200800, 0x40000820, 0x40000820, 0x00000020, 0x40200820,
        0x40000020, 0x40000000, 0x00000800, 0x40200000, 0x40000800, 0x00200820, 0x40200020,
        0x40000800, 0x00000820, 0x00200000, 0x40200800, 0x00000020, 0x00200000, 0x00000800,
        0x00200820,
    },
    {
        0x00000040, 0x00820040, 0x00820000, 0x10800040, 0x00020000, 0x00000040, 0x10000000,
        0x00820000, 0x10020040, 0x00020000, 0x00800040, 0x10020040, 0x10800040, 0x10820000,
        0x00020040, 0x10000000, 0x00800000, 0x10020000, 0x10020000, 0x00000000, 0x10000040,
        0x10820040, 0x10820040, 0x00800040, 0x10820000, 0x10000040, 0x00000000, 0x10800000,
        0x00820040, 0x00800000, 0x10800000, 0x00020040, 0x00020000, 0x10800040, 0x00000040,
        0x00800000, 0x10000000, 0x00820000, 0x10800040, 0x10020040, 0x00800040, 0x10000000,
        0x10820000, 0x00820040, 0x10020040, 0x00000040, 0x00800000, 0x10820000, 0x10820040,
        0x00020040, 0x10800000, 0x10820040, 0x00820000, 0x00000000, 0x10020000, 0x10800000,
        0x00020040, 0x00800040, 0x10000040, 0x00020000, 0x00000000, 0x10020000, 0x00820040,
        0x10000040,
    },
    {
        0x08000004, 0x08100000, 0x00001000, 0x08101004, 0x08100000, 0x00000004, 0x08101004,
        0x00100000, 0x08001000, 0x00101004, 0x00100000, 0x08000004, 0x00100004, 0x08001000,
        0x08000000, 0x00001004, 0x00000000, 0x00100004, 0x08001004, 0x00001000, 0x00101000,
        0x08001004, 0x00000004, 0x08100004, 0x08100004, 0x00000000, 0x00101004, 0x08101000,
        0x00001004, 0x00101000, 0x08101000, 0x08000000, 0x08001000, 0x00000004, 0x08100004,
        0x00101000, 0x08101004, 0x00100000, 0x00001004, 0x08000004, 0x00100000, 0x08001000,
        0x08000000, 0x00001004, 0x08000004, 0x08101004, 0x00101000, 0x08100000, 0x00101004,
        0x08101000, 0x00000000, 0x08100004, 0x00000004, 0x00001000, 0x08100000, 0x00101004,
        0x00001000, 0x00100004, 0x08001004, 0x00000000, 0x08101000, 0x08000000, 0x00100004,
        0x08001004,
    },
    {
        0x00080000, 0x81080000, 0x81000200, 0x00000000, 0x00000200, 0x81000200, 0x80080200,
        0x01080200, 0x81080200, 0x00080000, 0x00000000, 0x81000000, 0x80000000, 0x01000000,
        0x81080000, 0x80000200, 0x01000200, 0x80080200, 0x80080000, 0x01000200, 0x81000000,
        0x01080000, 0x01080200, 0x80080000, 0x01080000, 0x00000200, 0x80000200, 0x81080200,
        0x00080200, 0x80000000, 0x01000000, 0x00080200, 0x01000000, 0x00080200, 0x00080000,
        0x81000200, 0x81000200, 0x81080000, 0x81080000, 0x80000000, 0x80080000, 0x01000000,
        0x01000200, 0x00080000, 0x01080200, 0x80000200, 0x80080200, 0x01080200, 0x80000200,
        0x81000000, 0x81080200, 0x01080000, 0x00080200, 0x00000000, 0x80000000, 0x81080200,
        0x00000000, 0x80080200, 0x01080000, 0x00000200, 0x81000000, 0x01000200, 0x00000200,
        0x80080000,
    },
    {
        0x04000410, 0x00000400, 0x00010000, 0x04010410, 0x04000000, 0x04000410, 0x00000010,
        0x04000000, 0x00010010, 0x04010000, 0x04010410, 0x00010400, 0x04010400, 0x00010410,
        0x00000400, 0x00000010, 0x04010000, 0x04000010, 0x04000400, 0x00000410, 0x00010400,
        0x00010010, 0x04010010, 0x04010400, 0x00000410, 0x00000000, 0x00000000, 0x04010010,
        0x04000010, 0x04000400, 0x00010410, 0x00010000, 0x00010410, 0x00010000, 0x04010400,
        0x00000400, 0x00000010, 0x04010010, 0x00000400, 0x00010410, 0x04000400, 0x00000010,
        0x04000010, 0x04010000, 0x04010010, 0x04000000, 0x00010000, 0x04000410, 0x00000000,
        0x04010410, 0x00010010, 0x04000010, 0x04010000, 0x04000400, 0x04000410, 0x00000000,
        0x04010410, 0x00010400, 0x00010400, 0x00000410, 0x00000410, 0x00010010, 0x04000000,
        0x04010400,
    },
};

#if MOTE_ASSEMBLY_AVR
/* In des_avr.S. */
void crypt(const mote_des_round *round, uint8_t passes, const uint8_t *in,
           uint8_t *out) __asm__("mote_des_crypt");
#else
/* Six bits times 4 are an entry's place in bytes. */
static inline uint32_t look_up(uint8_t box, uint8_t place)
{
    return *(const uint32_t MOTE_FLASH *)((const uint8_t MOTE_FLASH *)boxes[box] + (place & 0xfc));
}

/*
 * The highest six bits of the bytes of `half`, which is turned right by one bit, are what E gives
 * to S1, S3, S5 and S7; turned left by four, to S2, S4, S6 and S8.
 */
static inline uint32_t f(uint32_t half, const mote_des_round *round)
{
    uint32_t odd = half ^ round->odd;
    uint32_t even = mote_rotl32(half, 4) ^ round->even;
    return look_up(0, (uint8_t)(odd >> 24)) ^ look_up(2, (uint8_t)(odd >> 16)) ^
           look_up(4, (uint8_t)(odd >> 8)) ^ look_up(6, (uint8_t)odd) ^
           look_up(1, (uint8_t)(even >> 24)) ^ look_up(3, (uint8_t)(even >> 16)) ^
           look_up(5, (uint8_t)(even >> 8)) ^ look_up(7, (uint8_t)even);
}

static inline void swap_bits(uint32_t *a, uint32_t *b, uint32_t mask, uint8_t shift)
{
    uint32_t differ = (*a >> shift ^ *b) & mask;
    *b ^= differ;
    *a ^= differ << shift;
}

/* The inner permutations of the three passes cancel out: there is one at either end. */
static void crypt(const mote_des_round *round, uint8_t passes, const uint8_t *in, uint8_t *out)
{
    uint32_t left = mote_load32be(in);
    uint32_t right = mote_load32be(in + 4);
    swap_bits(&left, &right, 0x0f0f0f0f, 4);
    swap_bits(&left, &right, 0x0000ffff, 16);
    swap_bits(&right, &left, 0x33333333, 2);
    swap_bits(&right, &left, 0x00ff00ff, 8);
    swap_bits(&left, &right, 0x55555555, 1);
    left = mote_rotr32(left, 1);
    right = mote_rotr32(right, 1);
    do {
        for (uint8_t i = 0; i < 8; i++) {
            left ^= f(right, round);
            right ^= f(left, round + 1);
            round += 2;
        }
        uint32_t other = left;
        left = right;
        right = other;
    } while (--passes > 0);
    left = mote_rotl32(left, 1);
    right = mote_rotl32(right, 1);
    swap_bits(&left, &right, 0x55555555, 1);
    swap_bits(&right, &left, 0x00ff00ff, 8);
    swap_bits(&right, &left, 0x33333333, 2);
    swap_bits(&left, &right, 0x0000ffff, 16);
    swap_bits(&left, &right, 0x0f0f0f0f, 4);
    mote_store32be(out, left);
    mote_store32be(out + 4, right);
}
#endif

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

MOTE_IMPLEMENTATION(des) = {.name = "des", MOTE_BLOCKS(ciphers)};

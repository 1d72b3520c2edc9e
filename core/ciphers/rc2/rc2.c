/*
 * RC2.
 *
 * Specification: RFC 2268; the effective key length is that of the key.
 *
 * Trades: little to choose. Time: PITABLE, and words of the schedule in the mashing rounds, are
 * looked up at places that depend on secrets, which leaks where there is a data cache; no branch
 * depends on a secret.
 */
#include <stdint.h>
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

enum { KEYS = 64 };

/* RFC 2268, section 2: PITABLE, a permutation made of the digits of pi. */
static const uint8_t MOTE_FLASH table[256] = {
    0xd9, 0x78, 0xf9, 0xc4, 0x19, 0xdd, 0xb5, 0xed, 0x28, 0xe9, 0xfd, 0x79, 0x4a, 0xa0, 0xd8, 0x9d,
    0xc6, 0x7e, 0x37, 0x83, 0x2b, 0x76, 0x53, 0x8e, 0x62, 0x4c, 0x64, 0x88, 0x44, 0x8b, 0xfb, 0xa2,
    0x17, 0x9a, 0x59, 0xf5, 0x87, 0xb3, 0x4f, 0x13, 0x61, 0x45, 0x6d, 0x8d, 0x09, 0x81, 0x7d, 0x32,
    0xbd, 0x8f, 0x40, 0xeb, 0x86, 0xb7, 0x7b, 0x0b, 0xf0, 0x95, 0x21, 0x22, 0x5c, 0x6b, 0x4e, 0x82,
    0x54, 0xd6, 0x65, 0x93, 0xce, 0x60, 0xb2, 0x1c, 0x73, 0x56, 0xc0, 0x14, 0xa7, 0x8c, 0xf1, 0xdc,
    0x12, 0x75, 0xca, 0x1f, 0x3b, 0xbe, 0xe4, 0xd1, 0x42, 0x3d, 0xd4, 0x30, 0xa3, 0x3c, 0xb6, 0x26,
    0x6f, 0xbf, 0x0e, 0xda, 0x46, 0x69, 0x07, 0x57, 0x27, 0xf2, 0x1d, 0x9b, 0xbc, 0x94, 0x43, 0x03,
    0xf8, 0x11, 0xc7, 0xf6, 0x90, 0xef, 0x3e, 0xe7, 0x06, 0xc3, 0xd5, 0x2f, 0xc8, 0x66, 0x1e, 0xd7,
    0x08, 0xe8, 0xea, 0xde, 0x80, 0x52, 0xee, 0xf7, 0x84, 0xaa, 0x72, 0xac, 0x35, 0x4d, 0x6a, 0x2a,
    0x96, 0x1a, 0xd2, 0x71, 0x5a, 0x15, 0x49, 0x74, 0x4b, 0x9f, 0xd0, 0x5e, 0x04, 0x18, 0xa4, 0xec,
    0xc2, 0xe0, 0x41, 0x6e, 0x0f, 0x51, 0xcb, 0xcc, 0x24, 0x91, 0xaf, 0x50, 0xa1, 0xf4, 0x70, 0x39,
    0x99, 0x7c, 0x3a, 0x85, 0x23, 0xb8, 0xb4, 0x7a, 0xfc, 0x02, 0x36, 0x5b, 0x25, 0x55, 0x97, 0x31,
    0x2d, 0x5d, 0xfa, 0x98, 0xe3, 0x8a, 0x92, 0xae, 0x05, 0xdf, 0x29, 0x10, 0x67, 0x6c, 0xba, 0xc9,
    0xd3, 0x00, 0xe6, 0xcf, 0xe1, 0x9e, 0xa8, 0x2c, 0x63, 0x16, 0x01, 0x3f, 0x58, 0xe2, 0x89, 0xa9,
    0x0d, 0x38, 0x34, 0x1b, 0xab, 0x33, 0xff, 0xb0, 0xbb, 0x48, 0x0c, 0x5f, 0xb9, 0xb1, 0xcd, 0x2e,
    0xc5, 0xf3, 0xdb, 0x47, 0xe5, 0xa5, 0x9c, 0x77, 0x0a, 0xa6, 0x20, 0x68, 0xfe, 0x7f, 0xc1, 0xad,
};

/*
 * RFC 2268, section 2; the effective key length is that of the key. The schedule is 64 words, lower
 * bytes first.
 */
static void expand(uint8_t *schedule, const uint8_t *key, uint8_t key_len)
{
    memcpy(schedule, key, key_len);
    for (uint8_t i = key_len; i < 2 * KEYS; i++)
        schedule[i] = table[(uint8_t)(schedule[i - 1] + schedule[i - key_len])];
    uint8_t i = (uint8_t)(2 * KEYS - key_len);
    schedule[i] = table[schedule[i]];
    while (i > 0) {
        i--;
        schedule[i] = table[schedule[i + 1] ^ schedule[i + key_len]];
    }
}

/* Sum for the mixed word from the three words before it: b, c and d in a circle. */
static inline uint16_t mixed_in(uint16_t b, uint16_t c, uint16_t d)
{
    return (uint16_t)((d & c) + (uint16_t)(~d & b));
}

static inline uint16_t mash(const uint8_t *schedule, uint16_t by)
{
    return mote_load16le(schedule + 2 * (uint8_t)(by & (KEYS - 1)));
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *key = schedule;
    uint16_t r0 = mote_load16le(in), r1 = mote_load16le(in + 2), r2 = mote_load16le(in + 4),
             r3 = mote_load16le(in + 6);
    for (uint8_t round = 0; round < 16; round++) {
        if (round == 5 || round == 11) {
            r0 = (uint16_t)(r0 + mash(schedule, r3));
            r1 = (uint16_t)(r1 + mash(schedule, r0));
            r2 = (uint16_t)(r2 + mash(schedule, r1));
            r3 = (uint16_t)(r3 + mash(schedule, r2));
        }
        r0 = mote_rotl16((uint16_t)(r0 + mote_load16le(key) + mixed_in(r1, r2, r3)), 1);
        r1 = mote_rotl16((uint16_t)(r1 + mote_load16le(key + 2) + mixed_in(r2, r3, r0)), 2);
        r2 = mote_rotl16((uint16_t)(r2 + mote_load16le(key + 4) + mixed_in(r3, r0, r1)), 3);
        r3 = mote_rotl16((uint16_t)(r3 + mote_load16le(key + 6) + mixed_in(r0, r1, r2)), 5);
        key += 8;
    }
    mote_store16le(out, r0);
    mote_store16le(out + 2, r1);
    mote_store16le(out + 4, r2);
    mote_store16le(out + 6, r3);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *key = (const uint8_t *)schedule + 2 * KEYS;
    uint16_t r0 = mote_load16le(in), r1 = mote_load16le(in + 2), r2 = mote_load16le(in + 4),
             r3 = mote_load16le(in + 6);
    for (uint8_t round = 16; round > 0; round--) {
        key -= 8;
        r3 = (uint16_t)(mote_rotl16(r3, 11) - mote_load16le(key + 6) - mixed_in(r0, r1, r2));
        r2 = (uint16_t)(mote_rotl16(r2, 13) - mote_load16le(key + 4) - mixed_in(r3, r0, r1));
        r1 = (uint16_t)(mote_rotl16(r1, 14) - mote_load16le(key + 2) - mixed_in(r2, r3, r0));
        r0 = (uint16_t)(mote_rotl16(r0, 15) - mote_load16le(key) - mixed_in(r1, r2, r3));
        if (round == 12 || round == 6) {
            r3 = (uint16_t)(r3 - mash(schedule, r2));
            r2 = (uint16_t)(r2 - mash(schedule, r1));
            r1 = (uint16_t)(r1 - mash(schedule, r0));
            r0 = (uint16_t)(r0 - mash(schedule, r3));
        }
    }
    mote_store16le(out, r0);
    mote_store16le(out + 2, r1);
    mote_store16le(out + 4, r2);
    mote_store16le(out + 6, r3);
}

static void set_key_40(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 5);
}

static void set_key_64(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 8);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 16);
}

#define RC2(bits)               \
    {.name = "rc2-" #bits,      \
     .block_len = 8,            \
     .key_len = bits / 8,       \
     .schedule_len = 2 * KEYS,  \
     .set_key = set_key_##bits, \
     .encrypt = encrypt,        \
     .decrypt = decrypt}

static const mote_block_cipher ciphers[] = {RC2(40), RC2(64), RC2(128)};

MOTE_IMPLEMENTATION(rc2) = {.name = "rc2", MOTE_BLOCKS(ciphers)};

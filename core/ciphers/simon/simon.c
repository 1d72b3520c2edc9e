/*
 * SIMON with 64- and 128-bit blocks and 128-bit keys.
 *
 * Beaulieu, Shors, Smith, Treatman-Clark, Weeks, Wingers: The SIMON and SPECK Families of
 * Lightweight Block Ciphers, 2013 (IACR ePrint 2013/404). Bytes become words as their "SIMON and
 * SPECK Implementation Guide" of 2018 has it: little-endian, the lower word of block and key first.
 *
 * Round keys are computed once; two rounds at a time, so that no word moves. No tables. Time and
 * memory addresses do not depend on secrets.
 */
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/modes.h"

enum { ROUNDS_64 = 44, ROUNDS_128 = 68, SEQUENCE = 62 };

/* The sequences z3 and z2 of the paper (section 3.3.1), the first bit in the lowest place. */
#define Z3 UINT64_C(0x3c2ce51207a635db)
#define Z2 UINT64_C(0x3369f885192c0ef5)

/* The sequence, one bit a round, over and over. */
static uint8_t next_bit(uint64_t *z)
{
    const uint8_t bit = (uint8_t)(*z & 1);
    *z = *z >> 1 | (uint64_t)bit << (SEQUENCE - 1);
    return bit;
}

static inline uint64_t f64(uint64_t x)
{
    const uint64_t x1 = mote_rotl64(x, 1);
    return (x1 & mote_rotl64(x, 8)) ^ mote_rotl64(x1, 1);
}

#if MOTE_ASSEMBLY_AVR || MOTE_ASSEMBLY_ARMV7M
/* In simon_avr.S, simon_armv7m.S. */
void encrypt_64(const void *schedule, const uint8_t *in,
                uint8_t *out) __asm__("mote_simon_encrypt_64");
void decrypt_64(const void *schedule, const uint8_t *in,
                uint8_t *out) __asm__("mote_simon_decrypt_64");
#endif

#if MOTE_ASSEMBLY_AVR
void set_key_64(void *schedule, const uint8_t *key) __asm__("mote_simon_set_key_64");
#elif MOTE_SMALL
static inline uint32_t f32(uint32_t x)
{
    const uint32_t x1 = mote_rotl32(x, 1);
    return (x1 & mote_rotl32(x, 8)) ^ mote_rotl32(x1, 1);
}

static void set_key_64(void *schedule, const uint8_t *key)
{
    uint32_t *k = schedule;
    uint64_t z = Z3;
    uint8_t i;
    for (i = 0; i < 4; i++)
        k[i] = mote_load32le(key + 4 * i);
    for (i = 0; i < ROUNDS_64 - 4; i++, k++) {
        const uint32_t t = mote_rotr32(k[3], 3) ^ k[1];
        k[4] = ~k[0] ^ t ^ mote_rotr32(t, 1) ^ 3 ^ next_bit(&z);
    }
}

static void encrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *k = schedule, *end = k + ROUNDS_64;
    uint32_t y = mote_load32le(in), x = mote_load32le(in + 4);
    do {
        y ^= f32(x) ^ *k++;
        x ^= f32(y) ^ *k++;
    } while (k != end);
    mote_store32le(out, y);
    mote_store32le(out + 4, x);
}

static void decrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *end = schedule, *k = end + ROUNDS_64;
    uint32_t y = mote_load32le(in), x = mote_load32le(in + 4);
    do {
        x ^= f32(y) ^ *--k;
        y ^= f32(x) ^ *--k;
    } while (k != end);
    mote_store32le(out, y);
    mote_store32le(out + 4, x);
}
#else
/* The constant, 2^32 - 4, with a bit of the sequence: 32 bits of it are in `z`. */
static void set_key_64(void *schedule, const uint8_t *key)
{
    uint32_t *k = schedule, z = (uint32_t)Z3;
    uint32_t k0 = mote_load32le(key), k1 = mote_load32le(key + 4);
    uint32_t k2 = mote_load32le(key + 8), k3 = mote_load32le(key + 12);
    uint8_t i;
    for (i = 0; i < ROUNDS_64; i++) {
        const uint32_t t = mote_rotr32(k3, 3) ^ k1;
        const uint32_t next = k0 ^ t ^ mote_rotr32(t, 1) ^ ~UINT32_C(3) ^ (z & 1);
        *k++ = k0;
        k0 = k1;
        k1 = k2;
        k2 = k3;
        k3 = next;
        z = i == 31 ? (uint32_t)(Z3 >> 32) : z >> 1;
    }
}

#if !MOTE_ASSEMBLY_ARMV7M
/* A round: y changes. Both words that are combined have turned by 1 bit less. */
#define ROUND_64(y, x, k) y ^= mote_rotl32(x & mote_rotl32(x, 7), 1) ^ mote_rotl32(x, 2) ^ (k)

static void encrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *k = schedule, *end = k + ROUNDS_64;
    uint32_t y = mote_load32le(in), x = mote_load32le(in + 4);
    for (; k != end; k += 4) {
        ROUND_64(y, x, k[0]);
        ROUND_64(x, y, k[1]);
        ROUND_64(y, x, k[2]);
        ROUND_64(x, y, k[3]);
    }
    mote_store32le(out, y);
    mote_store32le(out + 4, x);
}

static void decrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *end = schedule, *k = end + ROUNDS_64;
    uint32_t y = mote_load32le(in), x = mote_load32le(in + 4);
    do {
        k -= 4;
        ROUND_64(x, y, k[3]);
        ROUND_64(y, x, k[2]);
        ROUND_64(x, y, k[1]);
        ROUND_64(y, x, k[0]);
    } while (k != end);
    mote_store32le(out, y);
    mote_store32le(out + 4, x);
}
#endif
#endif

static void set_key_128(void *schedule, const uint8_t *key)
{
    uint64_t *k = schedule, z = Z2;
    uint8_t i;
    k[0] = mote_load64le(key);
    k[1] = mote_load64le(key + 8);
    for (i = 0; i < ROUNDS_128 - 2; i++, k++) {
        const uint64_t t = mote_rotr64(k[1], 3);
        k[2] = ~k[0] ^ t ^ mote_rotr64(t, 1) ^ 3 ^ next_bit(&z);
    }
}

static void encrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint64_t *k = schedule, *end = k + ROUNDS_128;
    uint64_t y = mote_load64le(in), x = mote_load64le(in + 8);
    do {
        y ^= f64(x) ^ *k++;
        x ^= f64(y) ^ *k++;
    } while (k != end);
    mote_store64le(out, y);
    mote_store64le(out + 8, x);
}

static void decrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint64_t *end = schedule, *k = end + ROUNDS_128;
    uint64_t y = mote_load64le(in), x = mote_load64le(in + 8);
    do {
        x ^= f64(y) ^ *--k;
        y ^= f64(x) ^ *--k;
    } while (k != end);
    mote_store64le(out, y);
    mote_store64le(out + 8, x);
}

static const mote_block_cipher ciphers[] = {
    {.name = "simon-64-128",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = 4 * ROUNDS_64,
     .set_key = set_key_64,
     .encrypt = encrypt_64,
     .decrypt = decrypt_64},
    {.name = "simon-128-128",
     .block_len = 16,
     .key_len = 16,
     .schedule_len = 8 * ROUNDS_128,
     .set_key = set_key_128,
     .encrypt = encrypt_128,
     .decrypt = decrypt_128},
};

MOTE_IMPLEMENTATION(simon) = {.name = "simon", MOTE_BLOCKS(ciphers), .constant_time = 1};

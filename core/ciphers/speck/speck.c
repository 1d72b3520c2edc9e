/*
 * SPECK with 64- and 128-bit blocks and 128-bit keys.
 *
 * Beaulieu, Shors, Smith, Treatman-Clark, Weeks, Wingers: The SIMON and SPECK Families of
 * Lightweight Block Ciphers, 2013 (IACR ePrint 2013/404). Bytes become words as their "SIMON and
 * SPECK Implementation Guide" of 2018 has it: little-endian, the lower word of block and key first.
 *
 * Round keys are computed once. No tables. Time and memory addresses do not depend on secrets.
 */
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/modes.h"

enum { ROUNDS_64 = 27, ROUNDS_128 = 32 };

#if MOTE_ASSEMBLY_ARMV6M || MOTE_ASSEMBLY_ARMV7M || MOTE_ASSEMBLY_RISCV32
#define SPECK(name) mote_speck_##name
void mote_speck_set_key_128(void *schedule, const uint8_t *key);
void mote_speck_encrypt_128(const void *schedule, const uint8_t *in, uint8_t *out);
void mote_speck_decrypt_128(const void *schedule, const uint8_t *in, uint8_t *out);
void mote_speck_encrypt_blocks_128(const void *schedule, const uint8_t *in, uint8_t *out,
                                   size_t blocks);
void mote_speck_decrypt_blocks_128(const void *schedule, const uint8_t *in, uint8_t *out,
                                   size_t blocks);
#define BLOCKS_128                                                        \
    .encrypt = mote_speck_encrypt_128, .decrypt = mote_speck_decrypt_128, \
    .encrypt_blocks = mote_speck_encrypt_blocks_128,                      \
    .decrypt_blocks = mote_speck_decrypt_blocks_128
#else
#define SPECK(name) name
#define BLOCKS_128 .encrypt = encrypt_128, .decrypt = decrypt_128
#endif

#if MOTE_ASSEMBLY
void mote_speck_set_key_64(void *schedule, const uint8_t *key);
#define SET_KEY_64 mote_speck_set_key_64
#else
#define SET_KEY_64 set_key_64
#endif

#if MOTE_ASSEMBLY || MOTE_ASSEMBLY_ARMV7M || MOTE_ASSEMBLY_RISCV32
void mote_speck_encrypt_64(const void *schedule, const uint8_t *in, uint8_t *out);
void mote_speck_decrypt_64(const void *schedule, const uint8_t *in, uint8_t *out);
void mote_speck_encrypt_blocks_64(const void *schedule, const uint8_t *in, uint8_t *out,
                                  size_t blocks);
void mote_speck_decrypt_blocks_64(const void *schedule, const uint8_t *in, uint8_t *out,
                                  size_t blocks);
#define BLOCKS_64                                                       \
    .encrypt = mote_speck_encrypt_64, .decrypt = mote_speck_decrypt_64, \
    .encrypt_blocks = mote_speck_encrypt_blocks_64, .decrypt_blocks = mote_speck_decrypt_blocks_64
#elif MOTE_SMALL
#define BLOCKS_64 .encrypt = encrypt_64, .decrypt = decrypt_64
#else
#define BLOCKS_64                                                                      \
    .encrypt = encrypt_64, .decrypt = decrypt_64, .encrypt_blocks = encrypt_blocks_64, \
    .decrypt_blocks = decrypt_blocks_64
#endif

#if !MOTE_ASSEMBLY
#if MOTE_SMALL
static void set_key_64(void *schedule, const uint8_t *key)
{
    uint32_t *k = schedule;
    uint32_t l[3] = {mote_load32le(key + 4), mote_load32le(key + 8), mote_load32le(key + 12)};
    uint8_t i, j = 0;
    k[0] = mote_load32le(key);
    for (i = 0; i < ROUNDS_64 - 1; i++) {
        l[j] = (k[i] + mote_rotr32(l[j], 8)) ^ i;
        k[i + 1] = mote_rotl32(k[i], 3) ^ l[j];
        j = j == 2 ? 0 : (uint8_t)(j + 1);
    }
    mote_wipe(l, sizeof l);
}

static void encrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *k = schedule, *end = k + ROUNDS_64;
    uint32_t y = mote_load32le(in), x = mote_load32le(in + 4);
    do {
        x = (mote_rotr32(x, 8) + y) ^ *k++;
        y = mote_rotl32(y, 3) ^ x;
    } while (k != end);
    mote_store32le(out, y);
    mote_store32le(out + 4, x);
}

static void decrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *end = schedule, *k = end + ROUNDS_64;
    uint32_t y = mote_load32le(in), x = mote_load32le(in + 4);
    do {
        y = mote_rotr32(y ^ x, 3);
        x = mote_rotl32((x ^ *--k) - y, 8);
    } while (k != end);
    mote_store32le(out, y);
    mote_store32le(out + 4, x);
}
#else
#define NEXT_KEY_64(l)                     \
    do {                                   \
        l = (k + mote_rotr32(l, 8)) ^ i++; \
        k = mote_rotl32(k, 3) ^ l;         \
        *to++ = k;                         \
    } while (0)

static void set_key_64(void *schedule, const uint8_t *key)
{
    uint32_t *to = schedule, i = 0;
    uint32_t k = mote_load32le(key), l0 = mote_load32le(key + 4);
    uint32_t l1 = mote_load32le(key + 8), l2 = mote_load32le(key + 12);
    *to++ = k;
    for (;;) {
        NEXT_KEY_64(l0);
        NEXT_KEY_64(l1);
        if (i == ROUNDS_64 - 1)
            break;
        NEXT_KEY_64(l2);
    }
}

#if !MOTE_ASSEMBLY_ARMV7M && !MOTE_ASSEMBLY_RISCV32
/* Nine rounds are written out, three times. */
#define NINE(step) \
    do {           \
        step(0);   \
        step(1);   \
        step(2);   \
        step(3);   \
        step(4);   \
        step(5);   \
        step(6);   \
        step(7);   \
        step(8);   \
    } while (0)

#define ROUND_64(i)                         \
    do {                                    \
        x = (mote_rotr32(x, 8) + y) ^ k[i]; \
        y = mote_rotl32(y, 3) ^ x;          \
    } while (0)

#define UNDO_64(i)                                \
    do {                                          \
        y = mote_rotr32(y ^ x, 3);                \
        x = mote_rotl32((x ^ k[8 - (i)]) - y, 8); \
    } while (0)

static void encrypt_blocks_64(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks)
{
    for (; blocks > 0; blocks--, in += 8, out += 8) {
        const uint32_t *k = schedule, *end = k + ROUNDS_64;
        uint32_t y = mote_load32le(in), x = mote_load32le(in + 4);
        for (; k != end; k += 9)
            NINE(ROUND_64);
        mote_store32le(out, y);
        mote_store32le(out + 4, x);
    }
}

static void decrypt_blocks_64(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks)
{
    for (; blocks > 0; blocks--, in += 8, out += 8) {
        const uint32_t *end = schedule, *k = end + ROUNDS_64;
        uint32_t y = mote_load32le(in), x = mote_load32le(in + 4);
        do {
            k -= 9;
            NINE(UNDO_64);
        } while (k != end);
        mote_store32le(out, y);
        mote_store32le(out + 4, x);
    }
}

static void encrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt_blocks_64(schedule, in, out, 1);
}

static void decrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt_blocks_64(schedule, in, out, 1);
}
#endif
#endif
#endif

#if !MOTE_ASSEMBLY_ARMV6M && !MOTE_ASSEMBLY_ARMV7M && !MOTE_ASSEMBLY_RISCV32
static void set_key_128(void *schedule, const uint8_t *key)
{
    uint64_t *k = schedule;
    uint64_t l = mote_load64le(key + 8);
    uint8_t i;
    k[0] = mote_load64le(key);
    for (i = 0; i < ROUNDS_128 - 1; i++) {
        l = (k[i] + mote_rotr64(l, 8)) ^ i;
        k[i + 1] = mote_rotl64(k[i], 3) ^ l;
    }
}

static void encrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint64_t *k = schedule, *end = k + ROUNDS_128;
    uint64_t y = mote_load64le(in), x = mote_load64le(in + 8);
    do {
        x = (mote_rotr64(x, 8) + y) ^ *k++;
        y = mote_rotl64(y, 3) ^ x;
    } while (k != end);
    mote_store64le(out, y);
    mote_store64le(out + 8, x);
}

static void decrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint64_t *end = schedule, *k = end + ROUNDS_128;
    uint64_t y = mote_load64le(in), x = mote_load64le(in + 8);
    do {
        y = mote_rotr64(y ^ x, 3);
        x = mote_rotl64((x ^ *--k) - y, 8);
    } while (k != end);
    mote_store64le(out, y);
    mote_store64le(out + 8, x);
}
#endif

static const mote_block_cipher ciphers[] = {
    {.name = "speck-64-128",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = 4 * ROUNDS_64,
     .set_key = SET_KEY_64,
     BLOCKS_64},
    {.name = "speck-128-128",
     .block_len = 16,
     .key_len = 16,
     .schedule_len = 8 * ROUNDS_128,
     .set_key = SPECK(set_key_128),
     BLOCKS_128},
};

MOTE_IMPLEMENTATION(speck) = {.name = "speck", MOTE_BLOCKS(ciphers), .constant_time = 1};

/*
 * Serpent, bitsliced.
 *
 * Specification: R. Anderson, E. Biham, L. Knudsen: Serpent: A Proposal for the Advanced Encryption
 * Standard, 1998.
 *
 * Trades: the rounds of the eight S-boxes are written out. No tables. Time: no look-up and no
 * branch depends on a secret.
 */
#include <stdint.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "serpent_boxes.h"

enum { ROUNDS = 32 };

typedef struct serpent_schedule { state keys[ROUNDS + 1]; } serpent_schedule;

static inline void add_key(state x, const state key)
{
    x[0] ^= key[0];
    x[1] ^= key[1];
    x[2] ^= key[2];
    x[3] ^= key[3];
}

static inline void transform(state x)
{
    const uint32_t x0 = mote_rotl32(x[0], 13), x2 = mote_rotl32(x[2], 3);
    x[1] = mote_rotl32(x[1] ^ x0 ^ x2, 1);
    x[3] = mote_rotl32(x[3] ^ x2 ^ x0 << 3, 7);
    x[0] = mote_rotl32(x0 ^ x[1] ^ x[3], 5);
    x[2] = mote_rotl32(x2 ^ x[3] ^ x[1] << 7, 22);
}

static inline void transform_back(state x)
{
    const uint32_t x2 = mote_rotr32(x[2], 22) ^ x[3] ^ x[1] << 7,
                   x0 = mote_rotr32(x[0], 5) ^ x[1] ^ x[3];
    x[3] = mote_rotr32(x[3], 7) ^ x2 ^ x0 << 3;
    x[1] = mote_rotr32(x[1], 1) ^ x0 ^ x2;
    x[2] = mote_rotr32(x2, 3);
    x[0] = mote_rotr32(x0, 13);
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const state *key = ((const serpent_schedule *)schedule)->keys;
    state x = {mote_load32le(in), mote_load32le(in + 4), mote_load32le(in + 8),
               mote_load32le(in + 12)};
    for (uint8_t eight = ROUNDS / 8;;) {
#define ROUND(i)        \
    add_key(x, key[i]); \
    s##i(x);            \
    transform(x)
        ROUND(0);
        ROUND(1);
        ROUND(2);
        ROUND(3);
        ROUND(4);
        ROUND(5);
        ROUND(6);
        add_key(x, key[7]);
        s7(x);
        key += 8;
        eight--;
        if (eight == 0)
            break;
        transform(x);
    }
    add_key(x, *key);
    for (uint8_t i = 0; i < 4; i++)
        mote_store32le(out + 4 * i, x[i]);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const state *key = ((const serpent_schedule *)schedule)->keys + ROUNDS;
    state x = {mote_load32le(in), mote_load32le(in + 4), mote_load32le(in + 8),
               mote_load32le(in + 12)};
    add_key(x, *key);
    for (uint8_t eight = ROUNDS / 8;;) {
        key -= 8;
        inverse_s7(x);
        add_key(x, key[7]);
#define ROUND_BACK(i)  \
    transform_back(x); \
    inverse_s##i(x);   \
    add_key(x, key[i])
        ROUND_BACK(6);
        ROUND_BACK(5);
        ROUND_BACK(4);
        ROUND_BACK(3);
        ROUND_BACK(2);
        ROUND_BACK(1);
        ROUND_BACK(0);
        eight--;
        if (eight == 0)
            break;
        transform_back(x);
    }
    for (uint8_t i = 0; i < 4; i++)
        mote_store32le(out + 4 * i, x[i]);
}

static void expand(serpent_schedule *s, const uint8_t *key, uint8_t key_len)
{
    /* The last eight words; a shorter key ends with a bit of 1, then zeros. */
    uint32_t words[8] = {0};
    for (uint8_t i = 0; i < key_len / 4; i++)
        words[i] = mote_load32le(key + 4 * i);
    if (key_len < 32)
        words[key_len / 4] = 1;

    for (uint8_t i = 0; i <= ROUNDS; i++) {
        uint32_t *x = s->keys[i];
        for (uint8_t j = 0; j < 4; j++) {
            uint8_t at = (uint8_t)(4 * i + j);
            uint32_t *word = &words[at & 7];
            const uint32_t others = words[(at + 3) & 7] ^ words[(at + 5) & 7] ^ words[(at + 7) & 7];
            *word = mote_rotl32(*word ^ others ^ UINT32_C(0x9e3779b9) ^ at, 11);
            x[j] = *word;
        }
        switch ((3 - i) & 7) {
        case 0:
            s0(x);
            break;
        case 1:
            s1(x);
            break;
        case 2:
            s2(x);
            break;
        case 3:
            s3(x);
            break;
        case 4:
            s4(x);
            break;
        case 5:
            s5(x);
            break;
        case 6:
            s6(x);
            break;
        default:
            s7(x);
            break;
        }
    }
    mote_wipe(words, sizeof words);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 16);
}

static void set_key_192(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 24);
}

static void set_key_256(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 32);
}

#define SERPENT(bits)                          \
    {.name = "serpent-" #bits,                 \
     .block_len = 16,                          \
     .key_len = bits / 8,                      \
     .schedule_len = sizeof(serpent_schedule), \
     .set_key = set_key_##bits,                \
     .encrypt = encrypt,                       \
     .decrypt = decrypt}

static const mote_block_cipher ciphers[] = {SERPENT(128), SERPENT(192), SERPENT(256)};

MOTE_IMPLEMENTATION(serpent) = {.name = "serpent", MOTE_BLOCKS(ciphers), .constant_time = 1};

/*
 * IDEA.
 *
 * Specification: X. Lai: On the Design and Security of Block Ciphers, 1992; X. Lai, J. Massey, S.
 * Murphy: Markov Ciphers and Differential Cryptanalysis, EUROCRYPT 1991.
 *
 * Trades: the multiplication has no branch for the factor 2^16. No tables. Time: no look-up and no
 * branch depends on a secret, where the machine's multiplication takes the same time for all
 * numbers.
 */
#include <stdint.h>

#include "mote/bytes.h"
#include "mote/cipher.h"

enum { ROUNDS = 8, KEYS = 6 * ROUNDS + 4 };

/*
 * The product modulo 2^16 + 1, where 0 stands for 2^16. As 2^16 = -1, it is the lower half of a b
 * less the upper half. A factor of 2^16 = -1 negates the other one: then a b is 0 here, and the
 * product is 1 - a - b.
 */
static inline uint16_t multiply(uint16_t a, uint16_t b)
{
    uint32_t product = (uint32_t)a * b;
    uint16_t low = (uint16_t)product, high = (uint16_t)(product >> 16);
    uint32_t differ = (uint32_t)low - high;
    uint16_t result = (uint16_t)(differ - (differ >> 16)); /* plus 1 if that was below 0 */
    /* All ones if the product is 0. */
    uint16_t none = (uint16_t)(((uint32_t)(uint16_t)(low | high) - 1) >> 16);
    return (uint16_t)(result + (none & (uint16_t)(1u - a - b)));
}

static void crypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint16_t *key = schedule;
    uint16_t a = mote_load16be(in), b = mote_load16be(in + 2), c = mote_load16be(in + 4),
             d = mote_load16be(in + 6);
    for (uint8_t i = 0; i < ROUNDS; i++) {
        a = multiply(a, key[0]);
        b = (uint16_t)(b + key[1]);
        c = (uint16_t)(c + key[2]);
        d = multiply(d, key[3]);
        uint16_t e = multiply(a ^ c, key[4]);
        uint16_t f = multiply((uint16_t)(e + (b ^ d)), key[5]);
        e = (uint16_t)(e + f);
        a ^= f;
        d ^= e;
        uint16_t inner = c ^ f;
        c = b ^ e;
        b = inner;
        key += 6;
    }
    /* The last round does not swap the inner words. */
    mote_store16be(out, multiply(a, key[0]));
    mote_store16be(out + 2, (uint16_t)(c + key[1]));
    mote_store16be(out + 4, (uint16_t)(b + key[2]));
    mote_store16be(out + 6, multiply(d, key[3]));
}

/* The key, and again and again the key turned left by 25 bits: one word, and 9 bits of the next. */
static void set_key(void *schedule, const uint8_t *key)
{
    uint16_t *keys = schedule;
    for (uint8_t i = 0; i < 8; i++)
        keys[i] = mote_load16be(key + 2 * i);
    for (uint8_t i = 8; i < KEYS; i++) {
        const uint16_t *before = keys + (i & 0xf8) - 8;
        uint8_t word = (uint8_t)(i + 1) & 7, next = (uint8_t)(i + 2) & 7;
        keys[i] = (uint16_t)((uint16_t)(before[word] << 9) | before[next] >> 7);
    }
}

/* The inverse modulo 2^16 + 1: the power of 2^16 - 1. */
static uint16_t invert(uint16_t a)
{
    uint16_t power = a;
    for (uint8_t i = 0; i < 15; i++)
        power = multiply(multiply(power, power), a);
    return power;
}

/*
 * The keys of encryption backwards, group by group, with inverses of what multiplies and of what is
 * added.
 */
static void set_decrypt_key(void *schedule, const uint8_t *key)
{
    uint16_t forward[KEYS];
    set_key(forward, key);
    uint16_t *keys = schedule;
    const uint16_t *from = forward + KEYS - 4;
    for (uint8_t round = 0; round <= ROUNDS; round++) {
        /* But for the two ends, the inner words come swapped. */
        uint8_t swap = round > 0 && round < ROUNDS;
        keys[0] = invert(from[0]);
        keys[1] = (uint16_t)(0u - from[1 + swap]);
        keys[2] = (uint16_t)(0u - from[2 - swap]);
        keys[3] = invert(from[3]);
        if (round < ROUNDS) {
            from -= 6;
            keys[4] = from[4];
            keys[5] = from[5];
            keys += 6;
        }
    }
    mote_wipe(forward, sizeof forward);
}

static const mote_block_cipher ciphers[] = {
    {.name = "idea",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = KEYS * sizeof(uint16_t),
     .set_key = set_key,
     .set_decrypt_key = set_decrypt_key,
     .encrypt = crypt,
     .decrypt = crypt},
};

MOTE_IMPLEMENTATION(idea) = {.name = "idea", MOTE_BLOCKS(ciphers), .constant_time = 1};

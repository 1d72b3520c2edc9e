/*
 * RC6-32/20.
 *
 * Specification: R. Rivest, M. Robshaw, R. Sidney, Y. Yin: The RC6 Block Cipher, version 1.1, 1998.
 *
 * Trades: rotations in constant time. No tables. Time: no look-up and no branch depends on a
 * secret. Rotations by secret amounts take the same time for all of them on machines that shift by
 * any amount at once, and on small ones by mote/rotate.h. Multiplications likewise.
 */
#include <stdint.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/rotate.h"

enum { ROUNDS = 20, KEYS = 2 * ROUNDS + 4 };
/* Odd((e - 2) 2^32) and Odd((phi - 1) 2^32), section 2.1 of the paper. */
#define P32 UINT32_C(0xb7e15163)
#define Q32 UINT32_C(0x9e3779b9)

/* words: of 32 bits in the key. */
static void expand(uint32_t *s, const uint8_t *key, uint8_t words)
{
    uint32_t word = P32;
    for (uint8_t i = 0; i < KEYS; i++) {
        s[i] = word;
        word += Q32;
    }
    uint32_t l[8];
    for (uint8_t i = 0; i < words; i++)
        l[i] = mote_load32le(key + 4 * i);
    uint32_t a = 0, b = 0;
    uint8_t at = 0, from = 0;
    for (uint8_t i = 0; i < 3 * KEYS; i++) {
        a = mote_rotl32(s[at] + a + b, 3);
        s[at] = a;
        at = (uint8_t)(at + 1 == KEYS ? 0 : at + 1);
        uint32_t sum = a + b;
        b = mote_rotl32_by(l[from] + sum, (uint8_t)sum);
        l[from] = b;
        from = (uint8_t)(from + 1 == words ? 0 : from + 1);
    }
    mote_wipe(l, sizeof l);
}

static inline uint32_t f(uint32_t x)
{
    return mote_rotl32(x * (2 * x + 1), 5);
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *s = schedule;
    uint32_t a = mote_load32le(in), b = mote_load32le(in + 4) + *s++;
    uint32_t c = mote_load32le(in + 8), d = mote_load32le(in + 12) + *s++;
    for (uint8_t i = 0; i < ROUNDS; i++) {
        uint32_t t = f(b), u = f(d);
        uint32_t first = a;
        a = b;
        b = mote_rotl32_by(c ^ u, (uint8_t)t) + s[1];
        c = d;
        d = mote_rotl32_by(first ^ t, (uint8_t)u) + s[0];
        s += 2;
    }
    mote_store32le(out, a + s[0]);
    mote_store32le(out + 4, b);
    mote_store32le(out + 8, c + s[1]);
    mote_store32le(out + 12, d);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *s = (const uint32_t *)schedule + KEYS - 2;
    uint32_t a = mote_load32le(in) - s[0], b = mote_load32le(in + 4);
    uint32_t c = mote_load32le(in + 8) - s[1], d = mote_load32le(in + 12);
    for (uint8_t i = 0; i < ROUNDS; i++) {
        s -= 2;
        uint32_t t = f(a), u = f(c);
        uint32_t last = d;
        d = c;
        c = mote_rotr32_by(b - s[1], (uint8_t)t) ^ u;
        b = a;
        a = mote_rotr32_by(last - s[0], (uint8_t)u) ^ t;
    }
    s -= 2;
    mote_store32le(out, a);
    mote_store32le(out + 4, b - s[0]);
    mote_store32le(out + 8, c);
    mote_store32le(out + 12, d - s[1]);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 4);
}

static void set_key_192(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 6);
}

static void set_key_256(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 8);
}

#define RC6(bits)                             \
    {.name = "rc6-" #bits,                    \
     .block_len = 16,                         \
     .key_len = bits / 8,                     \
     .schedule_len = KEYS * sizeof(uint32_t), \
     .set_key = set_key_##bits,               \
     .encrypt = encrypt,                      \
     .decrypt = decrypt}

static const mote_block_cipher ciphers[] = {RC6(128), RC6(192), RC6(256)};

MOTE_IMPLEMENTATION(rc6) = {.name = "rc6", MOTE_BLOCKS(ciphers), .constant_time = 1};

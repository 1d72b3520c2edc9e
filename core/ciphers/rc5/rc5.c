/*
 * RC5-32/12/16.
 *
 * Specification: RFC 2040.
 *
 * Trades: rotations in constant time. No tables. Time: no look-up and no branch depends on a
 * secret. Rotations by secret amounts take the same time for all of them on machines that shift by
 * any amount at once, and on small ones by mote/rotate.h.
 */
#include <stdint.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/rotate.h"

enum { ROUNDS = 12, KEY_LEN = 16, KEYS = 2 * (ROUNDS + 1), KEY_WORDS = KEY_LEN / 4 };
/* Odd((e - 2) 2^32) and Odd((phi - 1) 2^32), RFC 2040, section 6.2. */
#define P32 UINT32_C(0xb7e15163)
#define Q32 UINT32_C(0x9e3779b9)

static void set_key(void *schedule, const uint8_t *key)
{
    uint32_t *s = schedule;
    uint32_t word = P32;
    for (uint8_t i = 0; i < KEYS; i++) {
        s[i] = word;
        word += Q32;
    }
    uint32_t l[KEY_WORDS];
    for (uint8_t i = 0; i < KEY_WORDS; i++)
        l[i] = mote_load32le(key + 4 * i);
    uint32_t a = 0, b = 0;
    uint8_t at = 0;
    for (uint8_t i = 0; i < 3 * KEYS; i++) {
        a = mote_rotl32(s[at] + a + b, 3);
        s[at] = a;
        at = (uint8_t)(at + 1 == KEYS ? 0 : at + 1);
        uint32_t *next = &l[i % KEY_WORDS];
        uint32_t sum = a + b;
        b = mote_rotl32_by(*next + sum, (uint8_t)sum);
        *next = b;
    }
    mote_wipe(l, sizeof l);
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *s = schedule;
    uint32_t a = mote_load32le(in) + *s++, b = mote_load32le(in + 4) + *s++;
    for (uint8_t i = 0; i < ROUNDS; i++) {
        a = mote_rotl32_by(a ^ b, (uint8_t)b) + *s++;
        b = mote_rotl32_by(b ^ a, (uint8_t)a) + *s++;
    }
    mote_store32le(out, a);
    mote_store32le(out + 4, b);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *s = (const uint32_t *)schedule + KEYS;
    uint32_t a = mote_load32le(in), b = mote_load32le(in + 4);
    for (uint8_t i = 0; i < ROUNDS; i++) {
        b = mote_rotr32_by(b - *--s, (uint8_t)a) ^ a;
        a = mote_rotr32_by(a - *--s, (uint8_t)b) ^ b;
    }
    b -= *--s;
    a -= *--s;
    mote_store32le(out, a);
    mote_store32le(out + 4, b);
}

static const mote_block_cipher ciphers[] = {
    {.name = "rc5-128",
     .block_len = 8,
     .key_len = KEY_LEN,
     .schedule_len = KEYS * sizeof(uint32_t),
     .set_key = set_key,
     .encrypt = encrypt,
     .decrypt = decrypt},
};

MOTE_IMPLEMENTATION(rc5) = {.name = "rc5", MOTE_BLOCKS(ciphers), .constant_time = 1};

/*
 * AES with little flash.
 *
 * Specification: FIPS 197.
 *
 * Trades: the state is in memory, the steps are loops, and MixColumns serves both ways. Time: the
 * S-boxes are looked up at places that depend on secrets, which leaks where there is a data cache;
 * no branch depends on a secret.
 */
#include <stdint.h>
#include <string.h>

#include "aes_bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

#define X(value) value
static const uint8_t MOTE_FLASH sbox[256] = {
#include "aes_sbox.inc"
};
static const uint8_t MOTE_FLASH inverse_sbox[256] = {
#include "aes_inverse_sbox.inc"
};
#undef X

/* FIPS 197, section 5.2, byte by byte. */
static void expand(mote_aes_schedule *schedule, const uint8_t *key, uint8_t key_len)
{
    uint8_t rounds = (uint8_t)(key_len / 4 + 6);
    schedule->rounds = rounds;
    memcpy(schedule->keys, key, key_len);

    uint8_t *before = schedule->keys; /* the byte key_len bytes before the next */
    uint8_t constant = 1;
    uint8_t position = 0; /* the next byte's, in a group of key_len bytes */
    const uint8_t *end = schedule->keys + 16 * rounds + 16 - key_len;
    while (before != end) {
        uint8_t *next = before + key_len;
        uint8_t byte = next[-4];
        if (position < 4) {
            byte = sbox[position == 3 ? next[-7] : next[-3]];
            if (position == 0) {
                byte ^= constant;
                constant = mote_aes_double(constant);
            }
        } else if (key_len == 32 && (position & 0x1c) == 16) {
            byte = sbox[byte];
        }
        *next = byte ^ *before++;
        position++;
        if (position == key_len) {
            position = 0;
        }
    }
}

/* AddRoundKey where it stands alone. Not inlined: it is called twice. */
__attribute__((noinline)) static void
add_key(uint8_t out[16], const uint8_t in[16], const uint8_t key[16])
{
    for (uint8_t i = 16; i > 0; i--) {
        *out++ = *in++ ^ *key++;
    }
}

/*
 * ShiftRows without a table: row r of column c, byte i = 4c + r, comes from column c + r, byte 4c +
 * 5r = 5i modulo 16. So byte i goes to place 13i, since 5 * 13 = 1 modulo 16; and the inverse takes
 * byte i from place 13i. After 16 steps the place is 0 again.
 */
enum { step = 13 };

/*
 * MixColumns, or its inverse, which is the same after a product with 4 x^2 + 5:
 * (3 x^3 + x^2 + x + 2) (4 x^2 + 5) = b x^3 + d x^2 + 9 x + e modulo x^4 + 1.
 */
static void mix(uint8_t out[16], const uint8_t in[16], uint8_t back)
{
    for (uint8_t column = 4; column > 0; column--) {
        uint8_t a0 = *in++;
        uint8_t a1 = *in++;
        uint8_t a2 = *in++;
        uint8_t a3 = *in++;
        if (back) {
            uint8_t even = mote_aes_double(mote_aes_double(a0 ^ a2));
            a0 ^= even;
            a2 ^= even;
            uint8_t odd = mote_aes_double(mote_aes_double(a1 ^ a3));
            a1 ^= odd;
            a3 ^= odd;
        }
        uint8_t sum = a0 ^ a1 ^ a2 ^ a3;
        *out++ = a0 ^ sum ^ mote_aes_double(a0 ^ a1);
        *out++ = a1 ^ sum ^ mote_aes_double(a1 ^ a2);
        *out++ = a2 ^ sum ^ mote_aes_double(a2 ^ a3);
        *out++ = a3 ^ sum ^ mote_aes_double(a3 ^ a0);
    }
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const mote_aes_schedule *s = schedule;
    const uint8_t *key = s->keys;
    uint8_t state[16];
    for (uint8_t round = s->rounds;;) {
        uint8_t to = 0;
        do {
            state[to] = sbox[*in++ ^ *key++];
            to = (to + step) & 15;
        } while (to != 0);
        round--;
        if (round == 0) {
            break;
        }
        mix(out, state, 0);
        in = out;
    }
    add_key(out, state, key);
    mote_wipe(state, sizeof state);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const mote_aes_schedule *s = schedule;
    uint8_t round = s->rounds;
    const uint8_t *key = s->keys + 16 * round;
    uint8_t state[16];
    add_key(out, in, key);
    for (;;) {
        key -= 16;
        uint8_t from = 0;
        for (uint8_t i = 0; i < 16; i++) {
            state[i] = inverse_sbox[out[from]] ^ key[i];
            from = (from + step) & 15;
        }
        round--;
        if (round == 0) {
            break;
        }
        mix(out, state, 1);
    }
    memcpy(out, state, sizeof state);
    mote_wipe(state, sizeof state);
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

#define AES_SMALL(bits)                               \
    {.name = "aes-" #bits,                            \
     .block_len = 16,                                 \
     .key_len = bits / 8,                             \
     .schedule_len = MOTE_AES_SCHEDULE_LEN(bits / 8), \
     .set_key = set_key_##bits,                       \
     .encrypt = encrypt,                              \
     .decrypt = decrypt}

static const mote_block_cipher ciphers[] = {AES_SMALL(128), AES_SMALL(192), AES_SMALL(256)};

MOTE_IMPLEMENTATION(aes_small) = {.name = "aes-small", MOTE_BLOCKS(ciphers)};

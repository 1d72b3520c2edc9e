/*
 * TWINE.
 *
 * Suzaki, Minematsu, Morioka, Kobayashi: TWINE: A Lightweight Block Cipher for Multiple Platforms,
 * SAC 2012. Nibbles of blocks and keys are numbered from the most significant one of the first
 * byte, as in the paper's test vectors.
 *
 * A nibble is in a byte of its own, of the state as of the round keys. ROM: 51 bytes of tables.
 * RAM: 288 bytes of schedule; 60 bytes of stack on an ATmega2560. Look-ups depend on secrets, in a
 * table of 16 bytes: it may span two cache lines, and leak through time, where there is a data
 * cache; without one (AVR, Cortex-M0+) nothing does.
 *
 * ATmega2560: in assembly there (twine_avr.S; 1,134 bytes of flash, 28 of stack). In ECB a message
 * of one block takes 3,013 cycles to encrypt and 3,015 to decrypt, a further block 2,959 and 2,961;
 * a key of 80 bits 3,460, of 128 bits 3,881. In C, avr-gcc 5.4 -O2, a block takes 4,980 both ways,
 * a key 20,868 and 29,924.
 */
#include "mote/assembly.h"
#include "mote/cipher.h"
#include "mote/flash.h"

enum { ROUNDS = 36, SCHEDULE = 8 * ROUNDS };

#if MOTE_ASSEMBLY_AVR
/* In twine_avr.S. */
void set_key_80(void *schedule, const uint8_t *key) __asm__("mote_twine_set_key_80");
void set_key_128(void *schedule, const uint8_t *key) __asm__("mote_twine_set_key_128");
void encrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_twine_encrypt");
void decrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_twine_decrypt");
#else
/* Table 1 of the paper. */
static const uint8_t MOTE_FLASH sbox[16] = {
    0xc, 0x0, 0xf, 0xa, 0x2, 0xb, 0x9, 0x5, 0x8, 0x3, 0xd, 0x7, 0x1, 0xe, 0x6, 0x4,
};

/* CON, table 3: powers of z in GF(2)[z] / (z^6 + z + 1). */
static const uint8_t MOTE_FLASH constants[ROUNDS - 1] = {
    0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x03, 0x06, 0x0c, 0x18, 0x30, 0x23,
    0x05, 0x0a, 0x14, 0x28, 0x13, 0x26, 0x0f, 0x1e, 0x3c, 0x3b, 0x35, 0x29,
    0x11, 0x22, 0x07, 0x0e, 0x1c, 0x38, 0x33, 0x25, 0x09, 0x12, 0x24,
};

/* Nibbles x0 ... x15 of `in`; a round of S-boxes with the round key k; nibbles to `out`. */
#define LOAD                                    \
    uint8_t x0 = in[0] >> 4, x1 = in[0] & 15;   \
    uint8_t x2 = in[1] >> 4, x3 = in[1] & 15;   \
    uint8_t x4 = in[2] >> 4, x5 = in[2] & 15;   \
    uint8_t x6 = in[3] >> 4, x7 = in[3] & 15;   \
    uint8_t x8 = in[4] >> 4, x9 = in[4] & 15;   \
    uint8_t x10 = in[5] >> 4, x11 = in[5] & 15; \
    uint8_t x12 = in[6] >> 4, x13 = in[6] & 15; \
    uint8_t x14 = in[7] >> 4, x15 = in[7] & 15

#define SUBSTITUTE           \
    x1 ^= sbox[x0 ^ k[0]];   \
    x3 ^= sbox[x2 ^ k[1]];   \
    x5 ^= sbox[x4 ^ k[2]];   \
    x7 ^= sbox[x6 ^ k[3]];   \
    x9 ^= sbox[x8 ^ k[4]];   \
    x11 ^= sbox[x10 ^ k[5]]; \
    x13 ^= sbox[x12 ^ k[6]]; \
    x15 ^= sbox[x14 ^ k[7]]

#define STORE                           \
    out[0] = (uint8_t)(x0 << 4 | x1);   \
    out[1] = (uint8_t)(x2 << 4 | x3);   \
    out[2] = (uint8_t)(x4 << 4 | x5);   \
    out[3] = (uint8_t)(x6 << 4 | x7);   \
    out[4] = (uint8_t)(x8 << 4 | x9);   \
    out[5] = (uint8_t)(x10 << 4 | x11); \
    out[6] = (uint8_t)(x12 << 4 | x13); \
    out[7] = (uint8_t)(x14 << 4 | x15)

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *k = schedule, *last = k + 8 * (ROUNDS - 1);
    LOAD;
    for (;; k += 8) {
        uint8_t t;
        SUBSTITUTE;
        if (k == last)
            break;
        /* The block shuffle, table 2: nibbles 0, 1, 2 ... go to 5, 0, 1 ... */
        t = x0;
        x0 = x1;
        x1 = x2;
        x2 = x11;
        x11 = x14;
        x14 = x15;
        x15 = x12;
        x12 = x5;
        x5 = t;
        t = x3;
        x3 = x6;
        x6 = x9;
        x9 = x10;
        x10 = x13;
        x13 = x8;
        x8 = x7;
        x7 = x4;
        x4 = t;
    }
    STORE;
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *last = schedule, *k = last + 8 * (ROUNDS - 1);
    LOAD;
    for (;; k -= 8) {
        uint8_t t;
        SUBSTITUTE;
        if (k == last)
            break;
        t = x0;
        x0 = x5;
        x5 = x12;
        x12 = x15;
        x15 = x14;
        x14 = x11;
        x11 = x2;
        x2 = x1;
        x1 = t;
        t = x3;
        x3 = x4;
        x4 = x7;
        x7 = x8;
        x8 = x13;
        x13 = x10;
        x10 = x9;
        x9 = x6;
        x6 = t;
    }
    STORE;
}

/*
 * The key register, a nibble in a byte: what one round adds to it, and the rotation that ends the
 * round.
 */
static void step(uint8_t *w, uint8_t len, uint8_t round)
{
    uint8_t first[4], i;
    w[1] ^= sbox[w[0]];
    w[4] ^= sbox[w[16]];
    if (len == 32)
        w[23] ^= sbox[w[30]];
    w[7] = (uint8_t)(w[7] ^ constants[round] >> 3);
    w[19] = (uint8_t)(w[19] ^ (constants[round] & 7));
    for (i = 0; i < 4; i++)
        first[i] = w[(i + 1) & 3];
    for (i = 0; i < len - 4; i++)
        w[i] = w[i + 4];
    for (i = 0; i < 4; i++)
        w[len - 4 + i] = first[i];
}

static void expand(uint8_t *k, const uint8_t *key, uint8_t len, const uint8_t MOTE_FLASH *taken)
{
    uint8_t w[32], i, round;
    for (i = 0; i < len / 2; i++) {
        w[2 * i] = key[i] >> 4;
        w[2 * i + 1] = key[i] & 15;
    }
    for (round = 0;; round++) {
        for (i = 0; i < 8; i++)
            *k++ = w[taken[i]];
        if (round == ROUNDS - 1)
            break;
        step(w, len, round);
    }
    mote_wipe(w, sizeof w);
}

static void set_key_80(void *schedule, const uint8_t *key)
{
    static const uint8_t MOTE_FLASH taken[8] = {1, 3, 4, 6, 13, 14, 15, 16};
    expand(schedule, key, 20, taken);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    static const uint8_t MOTE_FLASH taken[8] = {2, 3, 12, 15, 17, 18, 28, 31};
    expand(schedule, key, 32, taken);
}
#endif

static const mote_block_cipher ciphers[] = {
    {.name = "twine-80",
     .block_len = 8,
     .key_len = 10,
     .schedule_len = SCHEDULE,
     .set_key = set_key_80,
     .encrypt = encrypt,
     .decrypt = decrypt},
    {.name = "twine-128",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = SCHEDULE,
     .set_key = set_key_128,
     .encrypt = encrypt,
     .decrypt = decrypt},
};

MOTE_IMPLEMENTATION(twine) = {.name = "twine", MOTE_BLOCKS(ciphers)};

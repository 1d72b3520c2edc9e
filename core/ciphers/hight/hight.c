/*
 * HIGHT.
 *
 * Hong et al.: HIGHT: A New Block Cipher Suitable for Low-Resource Device, CHES 2006. Byte 0 of a
 * block or key comes first, as in the reference code of KISA and in other libraries; the paper
 * prints byte 0 last.
 *
 * Whitening keys and subkeys are computed once; eight rounds are written out, so that no byte
 * moves. No tables: F0 and F1 are rotations, which are free of look-ups. RAM: 136 bytes of
 * schedule; 15 bytes of stack on an ATmega2560. Time and memory addresses do not depend on secrets.
 *
 * ATmega2560: in assembly there (hight_avr.S; 1,062 bytes of flash, 128 of them a table of public
 * constants, 26 of stack). In ECB a message of one block takes 2,107 cycles to encrypt and 2,109 to
 * decrypt, a further block 2,053 and 2,055, a key 1,090. In C, avr-gcc 5.4 -O2, a block takes 2,256
 * and 2,255, a key 5,189.
 */
#include "mote/assembly.h"
#include "mote/cipher.h"

enum { ROUNDS = 32, SCHEDULE = 8 + 4 * ROUNDS };

#if MOTE_ASSEMBLY_AVR
/* In hight_avr.S. */
void set_key(void *schedule, const uint8_t *key) __asm__("mote_hight_set_key");
void encrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_hight_encrypt");
void decrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_hight_decrypt");
#else
static inline uint8_t rotl8(uint8_t v, uint8_t n)
{
    return (uint8_t)((uint8_t)(v << n) | v >> (8 - n));
}

static inline uint8_t swap4(uint8_t v)
{
    return (uint8_t)((uint8_t)(v << 4) | v >> 4);
}

/* Turned left by 1, 2 and 7: turned by 1, then by 1 and 6, or 2 to the right. */
static inline uint8_t f0(uint8_t x)
{
    const uint8_t x1 = rotl8(x, 1);
    return rotl8(x1, 1) ^ x1 ^ (uint8_t)(x >> 1 | (uint8_t)(x << 7));
}

/* Turned left by 3, 4 and 6. */
static inline uint8_t f1(uint8_t x)
{
    const uint8_t x4 = swap4(x), x6 = rotl8(rotl8(x4, 1), 1);
    return (uint8_t)(x4 >> 1 | (uint8_t)(x4 << 7)) ^ x4 ^ x6;
}

static void set_key(void *schedule, const uint8_t *key)
{
    /* Section 2.2: s6 ... s0, of which s3 and s0 give the next s6. */
    uint8_t *k = schedule, i, j, delta = 0x5a;
    for (i = 0; i < 4; i++) {
        k[i] = key[12 + i];
        k[4 + i] = key[i];
    }
    k += 8;
    for (i = 0; i < 8; i++)
        for (j = 0; j < 16; j++) {
            const uint8_t byte = (uint8_t)(((j - i) & 7) | (j & 8));
            *k++ = (uint8_t)(key[byte] + delta);
            delta = (uint8_t)(delta >> 1 | ((delta ^ delta >> 3) & 1) << 6);
        }
}

/* Bytes x7 ... x0 in places; after a round each is one place further. */
#define ROUND(k, x7, x6, x5, x4, x3, x2, x1, x0)         \
    do {                                                 \
        x7 = (uint8_t)(x7 ^ (uint8_t)(f0(x6) + (k)[3])); \
        x1 = (uint8_t)(x1 + (f1(x0) ^ (k)[0]));          \
        x3 = (uint8_t)(x3 ^ (uint8_t)(f0(x2) + (k)[1])); \
        x5 = (uint8_t)(x5 + (f1(x4) ^ (k)[2]));          \
    } while (0)

#define UNDO(k, x7, x6, x5, x4, x3, x2, x1, x0)          \
    do {                                                 \
        x7 = (uint8_t)(x7 ^ (uint8_t)(f0(x6) + (k)[3])); \
        x1 = (uint8_t)(x1 - (f1(x0) ^ (k)[0]));          \
        x3 = (uint8_t)(x3 ^ (uint8_t)(f0(x2) + (k)[1])); \
        x5 = (uint8_t)(x5 - (f1(x4) ^ (k)[2]));          \
    } while (0)

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *w = schedule, *k = w + 8, *end = k + 4 * ROUNDS;
    uint8_t x0 = (uint8_t)(in[0] + w[0]), x1 = in[1], x2 = in[2] ^ w[1], x3 = in[3];
    uint8_t x4 = (uint8_t)(in[4] + w[2]), x5 = in[5], x6 = in[6] ^ w[3], x7 = in[7];
    for (; k != end; k += 32) {
        ROUND(k, x7, x6, x5, x4, x3, x2, x1, x0);
        ROUND(k + 4, x6, x5, x4, x3, x2, x1, x0, x7);
        ROUND(k + 8, x5, x4, x3, x2, x1, x0, x7, x6);
        ROUND(k + 12, x4, x3, x2, x1, x0, x7, x6, x5);
        ROUND(k + 16, x3, x2, x1, x0, x7, x6, x5, x4);
        ROUND(k + 20, x2, x1, x0, x7, x6, x5, x4, x3);
        ROUND(k + 24, x1, x0, x7, x6, x5, x4, x3, x2);
        ROUND(k + 28, x0, x7, x6, x5, x4, x3, x2, x1);
    }
    out[0] = (uint8_t)(x1 + w[4]); /* the last round moves no bytes */
    out[1] = x2;
    out[2] = x3 ^ w[5];
    out[3] = x4;
    out[4] = (uint8_t)(x5 + w[6]);
    out[5] = x6;
    out[6] = x7 ^ w[7];
    out[7] = x0;
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *w = schedule, *end = w + 8, *k = end + 4 * ROUNDS;
    uint8_t x1 = (uint8_t)(in[0] - w[4]), x2 = in[1], x3 = in[2] ^ w[5], x4 = in[3];
    uint8_t x5 = (uint8_t)(in[4] - w[6]), x6 = in[5], x7 = in[6] ^ w[7], x0 = in[7];
    do {
        k -= 32;
        UNDO(k + 28, x0, x7, x6, x5, x4, x3, x2, x1);
        UNDO(k + 24, x1, x0, x7, x6, x5, x4, x3, x2);
        UNDO(k + 20, x2, x1, x0, x7, x6, x5, x4, x3);
        UNDO(k + 16, x3, x2, x1, x0, x7, x6, x5, x4);
        UNDO(k + 12, x4, x3, x2, x1, x0, x7, x6, x5);
        UNDO(k + 8, x5, x4, x3, x2, x1, x0, x7, x6);
        UNDO(k + 4, x6, x5, x4, x3, x2, x1, x0, x7);
        UNDO(k, x7, x6, x5, x4, x3, x2, x1, x0);
    } while (k != end);
    out[0] = (uint8_t)(x0 - w[0]);
    out[1] = x1;
    out[2] = x2 ^ w[1];
    out[3] = x3;
    out[4] = (uint8_t)(x4 - w[2]);
    out[5] = x5;
    out[6] = x6 ^ w[3];
    out[7] = x7;
}
#endif

static const mote_block_cipher ciphers[] = {
    {.name = "hight",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = SCHEDULE,
     .set_key = set_key,
     .encrypt = encrypt,
     .decrypt = decrypt},
};

MOTE_IMPLEMENTATION(hight) = {.name = "hight", MOTE_BLOCKS(ciphers), .constant_time = 1};

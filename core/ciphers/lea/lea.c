/*
 * LEA, with keys of 128, 192 and 256 bits.
 *
 * Hong, Lee, Kim, Kwon, Ryu, Lee: LEA: A 128-Bit Block Cipher for Fast Encryption on Common
 * Processors, WISA 2013. Words are little-endian, as there.
 *
 * Four rounds are written out, so that no word moves. Of the six words of each round key, 128-bit
 * keys repeat one: only four are kept. Time and memory addresses do not depend on secrets.
 */
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"
#include "mote/modes.h"

enum { ROUNDS_128 = 24, ROUNDS_192 = 28, ROUNDS_256 = 32 };

#if MOTE_ASSEMBLY_AVR || MOTE_ASSEMBLY_ARMV7M
/* In lea_avr.S, lea_armv7m.S. */
void encrypt_128(const void *schedule, const uint8_t *in,
                 uint8_t *out) __asm__("mote_lea_encrypt_128");
void decrypt_128(const void *schedule, const uint8_t *in,
                 uint8_t *out) __asm__("mote_lea_decrypt_128");
void encrypt_192(const void *schedule, const uint8_t *in,
                 uint8_t *out) __asm__("mote_lea_encrypt_192");
void decrypt_192(const void *schedule, const uint8_t *in,
                 uint8_t *out) __asm__("mote_lea_decrypt_192");
void encrypt_256(const void *schedule, const uint8_t *in,
                 uint8_t *out) __asm__("mote_lea_encrypt_256");
void decrypt_256(const void *schedule, const uint8_t *in,
                 uint8_t *out) __asm__("mote_lea_decrypt_256");
#endif

#if MOTE_ASSEMBLY_AVR
void set_key_128(void *schedule, const uint8_t *key) __asm__("mote_lea_set_key_128");
void set_key_192(void *schedule, const uint8_t *key) __asm__("mote_lea_set_key_192");
void set_key_256(void *schedule, const uint8_t *key) __asm__("mote_lea_set_key_256");
#else
/* Key constants: section 3.2.1 of the paper. */
static const uint32_t MOTE_FLASH delta[8] = {
    0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec, 0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957,
};

#if MOTE_SMALL
static uint32_t turn(uint32_t v, uint8_t n)
{
    for (; n > 0; n--)
        v = mote_rotl32(v, 1);
    return v;
}

/*
 * Round keys of `used` words from a key register of `words` words, of which each round changes
 * `used`, one after the other.
 */
static void expand(uint32_t *k, const uint8_t *key, uint8_t words, uint8_t used, uint8_t rounds)
{
    static const uint8_t MOTE_FLASH turns[6] = {1, 3, 6, 11, 13, 17};
    uint32_t t[8], d[8];
    uint8_t i, j, at = 0, which = 0;
    for (i = 0; i < words; i++) {
        t[i] = mote_load32le(key + 4 * i);
        d[i] = turn(delta[i], i);
    }
    for (i = 0; i < rounds; i++) {
        uint32_t c = d[which];
        for (j = 0; j < used; j++) {
            t[at] = turn(t[at] + c, turns[j]);
            *k++ = t[at];
            at = (uint8_t)(at + 1 == words ? 0 : at + 1);
            c = mote_rotl32(c, 1);
        }
        /* Constant i mod words has turned i bits when it is used. */
        d[which] = turn(d[which], words);
        which = (uint8_t)(which + 1 == words ? 0 : which + 1);
    }
    mote_wipe(t, sizeof t);
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 4, 4, ROUNDS_128);
}

static void set_key_192(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 6, 6, ROUNDS_192);
}

static void set_key_256(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 8, 6, ROUNDS_256);
}
#else
/* By 0 <= n < 32 bits to the left. */
static inline uint32_t turn(uint32_t v, unsigned n)
{
    return v << n | v >> (-n & 31);
}

/* Constant `i` of a key of `words` words as round i uses it: turned by i bits. */
#define CONSTANT(words) turn(delta[i % (words)], i & 31)

/* Word `t` of the key register and constant c, turned by `j` bits before and `n` after the sum. */
#define NEXT(t, c, j, n)                    \
    do {                                    \
        t = mote_rotl32(t + turn(c, j), n); \
        *k++ = t;                           \
    } while (0)

#define NEXT_FOUR(c, j)         \
    do {                        \
        NEXT(t0, c, j, 1);      \
        NEXT(t1, c, j + 1, 3);  \
        NEXT(t2, c, j + 2, 6);  \
        NEXT(t3, c, j + 3, 11); \
        c = mote_rotl32(c, 4);  \
    } while (0)

#if MOTE_ASSEMBLY_ARMV7M
void set_key_128(void *schedule, const uint8_t *key) __asm__("mote_lea_set_key_128");
#else
static void set_key_128(void *schedule, const uint8_t *key)
{
    uint32_t *k = schedule, *end = k + 4 * ROUNDS_128;
    uint32_t t0 = mote_load32le(key), t1 = mote_load32le(key + 4);
    uint32_t t2 = mote_load32le(key + 8), t3 = mote_load32le(key + 12);
    uint32_t c0 = delta[0], c1 = delta[1], c2 = delta[2], c3 = delta[3];
    do {
        NEXT_FOUR(c0, 0);
        NEXT_FOUR(c1, 1);
        NEXT_FOUR(c2, 2);
        NEXT_FOUR(c3, 3);
    } while (k != end);
}
#endif

static void set_key_192(void *schedule, const uint8_t *key)
{
    uint32_t *k = schedule;
    uint32_t t0 = mote_load32le(key), t1 = mote_load32le(key + 4);
    uint32_t t2 = mote_load32le(key + 8), t3 = mote_load32le(key + 12);
    uint32_t t4 = mote_load32le(key + 16), t5 = mote_load32le(key + 20);
    uint8_t i;
    for (i = 0; i < ROUNDS_192; i++) {
        const uint32_t c = CONSTANT(6);
        NEXT(t0, c, 0, 1);
        NEXT(t1, c, 1, 3);
        NEXT(t2, c, 2, 6);
        NEXT(t3, c, 3, 11);
        NEXT(t4, c, 4, 13);
        NEXT(t5, c, 5, 17);
    }
}

/* Of eight words a round changes six, in a circle. */
static void set_key_256(void *schedule, const uint8_t *key)
{
    uint32_t *k = schedule, t[8];
    uint8_t i;
    for (i = 0; i < 8; i++)
        t[i] = mote_load32le(key + 4 * i);
    for (i = 0; i < ROUNDS_256; i++) {
        const uint8_t first = (uint8_t)(6 * i);
        const uint32_t c = CONSTANT(8);
        NEXT(t[first & 7], c, 0, 1);
        NEXT(t[(first + 1) & 7], c, 1, 3);
        NEXT(t[(first + 2) & 7], c, 2, 6);
        NEXT(t[(first + 3) & 7], c, 3, 11);
        NEXT(t[(first + 4) & 7], c, 4, 13);
        NEXT(t[(first + 5) & 7], c, 5, 17);
    }
    mote_wipe(t, sizeof t);
}
#endif
#endif

#if !MOTE_ASSEMBLY_AVR && !MOTE_ASSEMBLY_ARMV7M
/*
 * One round; the words stay, and their names move: a is the last of the next round. k2 to k5 are
 * where the last words of a round key are, because four can stand for six.
 */
#define ROUND(a, b, c, d, k, k2, k3, k4, k5)               \
    do {                                                   \
        d = mote_rotr32((c ^ (k)[k4]) + (d ^ (k)[k5]), 3); \
        c = mote_rotr32((b ^ (k)[k2]) + (c ^ (k)[k3]), 5); \
        b = mote_rotl32((a ^ (k)[0]) + (b ^ (k)[1]), 9);   \
    } while (0)

#define UNDO(a, b, c, d, k, k2, k3, k4, k5)                \
    do {                                                   \
        b = (mote_rotr32(b, 9) - (a ^ (k)[0])) ^ (k)[1];   \
        c = (mote_rotl32(c, 5) - (b ^ (k)[k2])) ^ (k)[k3]; \
        d = (mote_rotl32(d, 3) - (c ^ (k)[k4])) ^ (k)[k5]; \
    } while (0)

#define ENCRYPT(n, k2, k3, k4, k5, rounds)                                                \
    const uint32_t *k = schedule, *end = k + (n) * (rounds);                              \
    uint32_t a = mote_load32le(in), b = mote_load32le(in + 4), c = mote_load32le(in + 8), \
             d = mote_load32le(in + 12);                                                  \
    for (; k != end; k += 4 * (n)) {                                                      \
        ROUND(a, b, c, d, k, k2, k3, k4, k5);                                             \
        ROUND(b, c, d, a, k + (n), k2, k3, k4, k5);                                       \
        ROUND(c, d, a, b, k + 2 * (n), k2, k3, k4, k5);                                   \
        ROUND(d, a, b, c, k + 3 * (n), k2, k3, k4, k5);                                   \
    }                                                                                     \
    mote_store32le(out, a);                                                               \
    mote_store32le(out + 4, b);                                                           \
    mote_store32le(out + 8, c);                                                           \
    mote_store32le(out + 12, d)

#define DECRYPT(n, k2, k3, k4, k5, rounds)                                                \
    const uint32_t *end = schedule, *k = end + (n) * (rounds);                            \
    uint32_t a = mote_load32le(in), b = mote_load32le(in + 4), c = mote_load32le(in + 8), \
             d = mote_load32le(in + 12);                                                  \
    do {                                                                                  \
        k -= 4 * (n);                                                                     \
        UNDO(d, a, b, c, k + 3 * (n), k2, k3, k4, k5);                                    \
        UNDO(c, d, a, b, k + 2 * (n), k2, k3, k4, k5);                                    \
        UNDO(b, c, d, a, k + (n), k2, k3, k4, k5);                                        \
        UNDO(a, b, c, d, k, k2, k3, k4, k5);                                              \
    } while (k != end);                                                                   \
    mote_store32le(out, a);                                                               \
    mote_store32le(out + 4, b);                                                           \
    mote_store32le(out + 8, c);                                                           \
    mote_store32le(out + 12, d)

static void encrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    ENCRYPT(4, 2, 1, 3, 1, ROUNDS_128);
}

static void decrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    DECRYPT(4, 2, 1, 3, 1, ROUNDS_128);
}

/* Six words in a round key. */
static void encrypt_long(const void *schedule, const uint8_t *in, uint8_t *out, uint8_t rounds)
{
    ENCRYPT(6, 2, 3, 4, 5, rounds);
}

static void decrypt_long(const void *schedule, const uint8_t *in, uint8_t *out, uint8_t rounds)
{
    DECRYPT(6, 2, 3, 4, 5, rounds);
}

static void encrypt_192(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt_long(schedule, in, out, ROUNDS_192);
}

static void decrypt_192(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt_long(schedule, in, out, ROUNDS_192);
}

static void encrypt_256(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt_long(schedule, in, out, ROUNDS_256);
}

static void decrypt_256(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt_long(schedule, in, out, ROUNDS_256);
}
#endif

static const mote_block_cipher ciphers[] = {
    {.name = "lea-128",
     .block_len = 16,
     .key_len = 16,
     .schedule_len = 4 * 4 * ROUNDS_128,
     .set_key = set_key_128,
     .encrypt = encrypt_128,
     .decrypt = decrypt_128},
    {.name = "lea-192",
     .block_len = 16,
     .key_len = 24,
     .schedule_len = 4 * 6 * ROUNDS_192,
     .set_key = set_key_192,
     .encrypt = encrypt_192,
     .decrypt = decrypt_192},
    {.name = "lea-256",
     .block_len = 16,
     .key_len = 32,
     .schedule_len = 4 * 6 * ROUNDS_256,
     .set_key = set_key_256,
     .encrypt = encrypt_256,
     .decrypt = decrypt_256},
};

MOTE_IMPLEMENTATION(lea) = {.name = "lea", MOTE_BLOCKS(ciphers), .constant_time = 1};

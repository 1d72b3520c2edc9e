/*
 * HIGHT.
 *
 * Hong et al.: HIGHT: A New Block Cipher Suitable for Low-Resource Device, CHES 2006. Byte 0 of a
 * block or key comes first, as in the reference code of KISA and in other libraries; the paper
 * prints byte 0 last.
 *
 * Whitening keys and subkeys are computed once; four or eight rounds are written out, so that no
 * byte moves. F0 and F1 are rotations, which are free of look-ups; machines of 32 bits have two of
 * each at once, and a table of 128 bytes of public constants. Time and memory addresses do not
 * depend on secrets.
 */
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"
#include "mote/modes.h"

enum { ROUNDS = 32, SCHEDULE = 8 + 4 * ROUNDS };

#if MOTE_ASSEMBLY_AVR
/* In hight_avr.S. */
void set_key(void *schedule, const uint8_t *key) __asm__("mote_hight_set_key");
void encrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_hight_encrypt");
void decrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_hight_decrypt");
#elif MOTE_SMALL
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
#else
/*
 * Bytes x4 and x0 of a block, x5 and x1, x6 and x2, x7 and x3 are in a word each: one in its upper
 * half, one in its lower half, with zeros above each. So a round has one F0 and one F1.
 */
#define BYTES UINT32_C(0x00ff00ff)

/* The constants of section 2.2, delta_0 in the lowest byte of the first word. */
static const uint32_t MOTE_FLASH delta[ROUNDS] = {
    0x1b366d5a, 0x4103060d, 0x4c183060, 0x2c593366, 0x4a152b56, 0x1c397265, 0x7973674e, 0x376f5e3c,
    0x0b162d5b, 0x50214205, 0x552a5428, 0x7d7a756a, 0x172f5f3e, 0x2952254b, 0x62450a14, 0x766c5831,
    0x470e1d3b, 0x7c787163, 0x1f3f7f7e, 0x6143070f, 0x6e5c3870, 0x1e3d7b77, 0x6953274f, 0x264d1a34,
    0x12244913, 0x01020409, 0x08102040, 0x48112244, 0x0c193264, 0x68512346, 0x2e5d3a74, 0x5a356b57,
};

/* Bytes turned left by 1, 2 and 7; what is above the bytes is not cleared. */
static inline __attribute__((always_inline)) uint32_t f0(uint32_t x)
{
    const uint32_t twice = x | x << 8;
    return twice >> 7 ^ twice >> 6 ^ twice >> 1;
}

/* Turned left by 3, 4 and 6. */
static inline __attribute__((always_inline)) uint32_t f1(uint32_t x)
{
    const uint32_t twice = x | x << 8;
    return twice >> 5 ^ twice >> 4 ^ twice >> 2;
}

/* Four sums of bytes; those of `b` are below 128. */
static inline __attribute__((always_inline)) uint32_t add_bytes(uint32_t a, uint32_t b)
{
    return ((a & UINT32_C(0x7f7f7f7f)) + b) ^ (a & UINT32_C(0x80808080));
}

static void set_key(void *schedule, const uint8_t *key)
{
    uint32_t *k = schedule;
    uint32_t w0 = mote_load32le(key), w1 = mote_load32le(key + 4);
    uint32_t w2 = mote_load32le(key + 8), w3 = mote_load32le(key + 12);
    uint8_t i;
    k[0] = w3;
    k[1] = w0;
    k += 2;
    for (i = 0; i < ROUNDS; i = (uint8_t)(i + 4), k += 4) {
        const uint32_t *d = delta + i;
        uint32_t t;
        k[0] = add_bytes(w0, d[0]);
        k[1] = add_bytes(w1, d[1]);
        k[2] = add_bytes(w2, d[2]);
        k[3] = add_bytes(w3, d[3]);
        t = w0 << 8 | w1 >> 24;
        w1 = w1 << 8 | w0 >> 24;
        w0 = t;
        t = w2 << 8 | w3 >> 24;
        w3 = w3 << 8 | w2 >> 24;
        w2 = t;
    }
}

/* Words with x7 to x4 above; after a round each is one place further, p of the other half. */
#define ROUND(k, p, q, r, s)                       \
    do {                                           \
        p ^= (f0(q) & BYTES) + ((k) >> 8 & BYTES); \
        p = mote_rotl32(p & BYTES, 16);            \
        r = (r + ((f1(s) ^ (k)) & BYTES)) & BYTES; \
    } while (0)

#define UNDO(k, p, q, r, s)                                                 \
    do {                                                                    \
        p = mote_rotl32(p, 16);                                             \
        p = (p ^ ((f0(q) & BYTES) + ((k) >> 8 & BYTES))) & BYTES;           \
        r = ((r | UINT32_C(0x01000100)) - ((f1(s) ^ (k)) & BYTES)) & BYTES; \
    } while (0)

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *white = schedule, *k = white + 2, *end = k + ROUNDS;
    const uint32_t low = mote_load32le(in), high = mote_load32le(in + 4);
    uint32_t p = low >> 24 | (high >> 8 & 0xff0000), q = (low >> 16 & 0xff) | (high & 0xff0000);
    uint32_t r = (low >> 8 & 0xff) | (high << 8 & 0xff0000), s = (low & 0xff) | high << 16;
    q ^= white[0] >> 8 & BYTES;
    s = ((s & BYTES) + (white[0] & BYTES)) & BYTES;
    for (; k != end; k += 4) {
        ROUND(k[0], p, q, r, s);
        ROUND(k[1], q, r, s, p);
        ROUND(k[2], r, s, p, q);
        ROUND(k[3], s, p, q, r);
    }
    r = (r + (white[1] & BYTES)) & BYTES; /* the last round moves no bytes */
    p ^= white[1] >> 8 & BYTES;
    mote_store32le(out, (r & 0xff) | (q & 0xff) << 8 | (p & 0xff) << 16 | (s >> 16) << 24);
    mote_store32le(out + 4, r >> 16 | q >> 16 << 8 | (p & 0xff0000) | s << 24);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *white = schedule, *end = white + 2, *k = end + ROUNDS;
    const uint32_t low = mote_load32le(in), high = mote_load32le(in + 4);
    uint32_t p = (low >> 16 & 0xff) | (high & 0xff0000),
             q = (low >> 8 & 0xff) | (high << 8 & 0xff0000);
    uint32_t r = (low & 0xff) | (high & 0xff) << 16, s = high >> 24 | (low >> 24) << 16;
    r = ((r | UINT32_C(0x01000100)) - (white[1] & BYTES)) & BYTES;
    p ^= white[1] >> 8 & BYTES;
    do {
        k -= 4;
        UNDO(k[3], s, p, q, r);
        UNDO(k[2], r, s, p, q);
        UNDO(k[1], q, r, s, p);
        UNDO(k[0], p, q, r, s);
    } while (k != end);
    q ^= white[0] >> 8 & BYTES;
    s = ((s | UINT32_C(0x01000100)) - (white[0] & BYTES)) & BYTES;
    mote_store32le(out, (s & 0xff) | (r & 0xff) << 8 | (q & 0xff) << 16 | (p & 0xff) << 24);
    mote_store32le(out + 4, s >> 16 | r >> 16 << 8 | (q & 0xff0000) | (p & 0xff0000) << 8);
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

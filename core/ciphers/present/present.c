/*
 * PRESENT, for speed.
 *
 * Bogdanov et al.: PRESENT: An Ultra-Lightweight Block Cipher, CHES 2007. Bytes of blocks and keys
 * come most significant first, as in the paper's test vectors.
 *
 * Small machines: the bit permutation sends bit w of every S-box output into word w of 16 bits. A
 * table of 256 bytes puts two S-boxes side by side with their bits already in pairs, bits w
 * together; transposing a matrix of 4 x 4 such pairs does the rest. Look-ups depend on secrets, in
 * tables of four cache lines: they leak through time where there is a data cache; without one
 * (AVR) nothing does.
 *
 * Others: two blocks at a time and bit by bit, without look-ups but for keys, in the 16 bytes of
 * the S-box.
 */
#include "key_register.h"
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"
#include "mote/modes.h"
#include "present_schedule.h"

#if MOTE_ASSEMBLY_AVR
/* In present_avr.S, and present_schedule_avr.S for round keys as it wants them. */
void encrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_present_encrypt");
void decrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_present_decrypt");
void mote_present_set_turned_key_80(void *schedule, const uint8_t *key);
void mote_present_set_turned_key_128(void *schedule, const uint8_t *key);
#define PRESENT_SET_KEY(bits) mote_present_set_turned_key_##bits
#elif MOTE_SMALL
static inline uint8_t left2(uint8_t v)
{
    return (uint8_t)((uint8_t)(v << 2) | v >> 6);
}

static inline uint8_t right2(uint8_t v)
{
    return (uint8_t)(v >> 2 | (uint8_t)(v << 6));
}

static inline uint8_t swap4(uint8_t v)
{
    return (uint8_t)(v >> 4 | (uint8_t)(v << 4));
}

/*
 * S-box on both halves of a byte, then bit i of the upper half beside bit i of the lower one, at 2i
 * + 1 and 2i.
 */
static const uint8_t MOTE_FLASH substitute[256] = {
    0xf0, 0xb1, 0xb4, 0xe5, 0xe1, 0xa0, 0xe4, 0xf1, 0xa5, 0xf4, 0xf5, 0xe0, 0xb0, 0xb5, 0xa1, 0xa4,
    0x72, 0x33, 0x36, 0x67, 0x63, 0x22, 0x66, 0x73, 0x27, 0x76, 0x77, 0x62, 0x32, 0x37, 0x23, 0x26,
    0x78, 0x39, 0x3c, 0x6d, 0x69, 0x28, 0x6c, 0x79, 0x2d, 0x7c, 0x7d, 0x68, 0x38, 0x3d, 0x29, 0x2c,
    0xda, 0x9b, 0x9e, 0xcf, 0xcb, 0x8a, 0xce, 0xdb, 0x8f, 0xde, 0xdf, 0xca, 0x9a, 0x9f, 0x8b, 0x8e,
    0xd2, 0x93, 0x96, 0xc7, 0xc3, 0x82, 0xc6, 0xd3, 0x87, 0xd6, 0xd7, 0xc2, 0x92, 0x97, 0x83, 0x86,
    0x50, 0x11, 0x14, 0x45, 0x41, 0x00, 0x44, 0x51, 0x05, 0x54, 0x55, 0x40, 0x10, 0x15, 0x01, 0x04,
    0xd8, 0x99, 0x9c, 0xcd, 0xc9, 0x88, 0xcc, 0xd9, 0x8d, 0xdc, 0xdd, 0xc8, 0x98, 0x9d, 0x89, 0x8c,
    0xf2, 0xb3, 0xb6, 0xe7, 0xe3, 0xa2, 0xe6, 0xf3, 0xa7, 0xf6, 0xf7, 0xe2, 0xb2, 0xb7, 0xa3, 0xa6,
    0x5a, 0x1b, 0x1e, 0x4f, 0x4b, 0x0a, 0x4e, 0x5b, 0x0f, 0x5e, 0x5f, 0x4a, 0x1a, 0x1f, 0x0b, 0x0e,
    0xf8, 0xb9, 0xbc, 0xed, 0xe9, 0xa8, 0xec, 0xf9, 0xad, 0xfc, 0xfd, 0xe8, 0xb8, 0xbd, 0xa9, 0xac,
    0xfa, 0xbb, 0xbe, 0xef, 0xeb, 0xaa, 0xee, 0xfb, 0xaf, 0xfe, 0xff, 0xea, 0xba, 0xbf, 0xab, 0xae,
    0xd0, 0x91, 0x94, 0xc5, 0xc1, 0x80, 0xc4, 0xd1, 0x85, 0xd4, 0xd5, 0xc0, 0x90, 0x95, 0x81, 0x84,
    0x70, 0x31, 0x34, 0x65, 0x61, 0x20, 0x64, 0x71, 0x25, 0x74, 0x75, 0x60, 0x30, 0x35, 0x21, 0x24,
    0x7a, 0x3b, 0x3e, 0x6f, 0x6b, 0x2a, 0x6e, 0x7b, 0x2f, 0x7e, 0x7f, 0x6a, 0x3a, 0x3f, 0x2b, 0x2e,
    0x52, 0x13, 0x16, 0x47, 0x43, 0x02, 0x46, 0x53, 0x07, 0x56, 0x57, 0x42, 0x12, 0x17, 0x03, 0x06,
    0x58, 0x19, 0x1c, 0x4d, 0x49, 0x08, 0x4c, 0x59, 0x0d, 0x5c, 0x5d, 0x48, 0x18, 0x1d, 0x09, 0x0c,
};

/* Its inverse. */
static const uint8_t MOTE_FLASH restore[256] = {
    0x55, 0x5e, 0xe5, 0xee, 0x5f, 0x58, 0xef, 0xe8, 0xf5, 0xfe, 0x85, 0x8e, 0xff, 0xf8, 0x8f, 0x88,
    0x5c, 0x51, 0xec, 0xe1, 0x52, 0x5d, 0xe2, 0xed, 0xfc, 0xf1, 0x8c, 0x81, 0xf2, 0xfd, 0x82, 0x8d,
    0xc5, 0xce, 0x15, 0x1e, 0xcf, 0xc8, 0x1f, 0x18, 0x25, 0x2e, 0xd5, 0xde, 0x2f, 0x28, 0xdf, 0xd8,
    0xcc, 0xc1, 0x1c, 0x11, 0xc2, 0xcd, 0x12, 0x1d, 0x2c, 0x21, 0xdc, 0xd1, 0x22, 0x2d, 0xd2, 0xdd,
    0x5b, 0x54, 0xeb, 0xe4, 0x56, 0x53, 0xe6, 0xe3, 0xfb, 0xf4, 0x8b, 0x84, 0xf6, 0xf3, 0x86, 0x83,
    0x50, 0x57, 0xe0, 0xe7, 0x59, 0x5a, 0xe9, 0xea, 0xf0, 0xf7, 0x80, 0x87, 0xf9, 0xfa, 0x89, 0x8a,
    0xcb, 0xc4, 0x1b, 0x14, 0xc6, 0xc3, 0x16, 0x13, 0x2b, 0x24, 0xdb, 0xd4, 0x26, 0x23, 0xd6, 0xd3,
    0xc0, 0xc7, 0x10, 0x17, 0xc9, 0xca, 0x19, 0x1a, 0x20, 0x27, 0xd0, 0xd7, 0x29, 0x2a, 0xd9, 0xda,
    0xb5, 0xbe, 0x45, 0x4e, 0xbf, 0xb8, 0x4f, 0x48, 0x65, 0x6e, 0x35, 0x3e, 0x6f, 0x68, 0x3f, 0x38,
    0xbc, 0xb1, 0x4c, 0x41, 0xb2, 0xbd, 0x42, 0x4d, 0x6c, 0x61, 0x3c, 0x31, 0x62, 0x6d, 0x32, 0x3d,
    0x05, 0x0e, 0x75, 0x7e, 0x0f, 0x08, 0x7f, 0x78, 0x95, 0x9e, 0xa5, 0xae, 0x9f, 0x98, 0xaf, 0xa8,
    0x0c, 0x01, 0x7c, 0x71, 0x02, 0x0d, 0x72, 0x7d, 0x9c, 0x91, 0xac, 0xa1, 0x92, 0x9d, 0xa2, 0xad,
    0xbb, 0xb4, 0x4b, 0x44, 0xb6, 0xb3, 0x46, 0x43, 0x6b, 0x64, 0x3b, 0x34, 0x66, 0x63, 0x36, 0x33,
    0xb0, 0xb7, 0x40, 0x47, 0xb9, 0xba, 0x49, 0x4a, 0x60, 0x67, 0x30, 0x37, 0x69, 0x6a, 0x39, 0x3a,
    0x0b, 0x04, 0x7b, 0x74, 0x06, 0x03, 0x76, 0x73, 0x9b, 0x94, 0xab, 0xa4, 0x96, 0x93, 0xa6, 0xa3,
    0x00, 0x07, 0x70, 0x77, 0x09, 0x0a, 0x79, 0x7a, 0x90, 0x97, 0xa0, 0xa7, 0x99, 0x9a, 0xa9, 0xaa,
};

/* Exchange of the bits of a and b at which mask is 1. */
#define EXCHANGE(a, b, mask)                     \
    do {                                         \
        uint8_t t = (uint8_t)((a ^ b) & (mask)); \
        a ^= t;                                  \
        b ^= t;                                  \
    } while (0)

/*
 * Four bytes as a matrix of 2-bit elements, transposed: rows rotated by their number, so that
 * elements change places without shifts, and rotated back.
 */
#define TRANSPOSE(a, b, c, d) \
    do {                      \
        b = left2(b);         \
        c = swap4(c);         \
        d = right2(d);        \
        EXCHANGE(a, c, 0xf0); \
        EXCHANGE(b, d, 0xc3); \
        EXCHANGE(a, b, 0xcc); \
        EXCHANGE(c, d, 0xcc); \
        b = right2(b);        \
        c = swap4(c);         \
        d = left2(d);         \
    } while (0)

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *k = schedule, *end = k + 8 * PRESENT_ROUNDS;
    uint8_t s0 = in[7], s1 = in[6], s2 = in[5], s3 = in[4], s4 = in[3], s5 = in[2], s6 = in[1],
            s7 = in[0];
    do {
        uint8_t a = substitute[(uint8_t)(s0 ^ k[0])], b = substitute[(uint8_t)(s1 ^ k[1])];
        uint8_t c = substitute[(uint8_t)(s2 ^ k[2])], d = substitute[(uint8_t)(s3 ^ k[3])];
        s1 = substitute[(uint8_t)(s4 ^ k[4])];
        s3 = substitute[(uint8_t)(s5 ^ k[5])];
        s5 = substitute[(uint8_t)(s6 ^ k[6])];
        s7 = substitute[(uint8_t)(s7 ^ k[7])];
        TRANSPOSE(a, b, c, d);
        TRANSPOSE(s1, s3, s5, s7);
        s0 = a;
        s2 = b;
        s4 = c;
        s6 = d;
        k += 8;
    } while (k != end);
    out[7] = s0 ^ k[0];
    out[6] = s1 ^ k[1];
    out[5] = s2 ^ k[2];
    out[4] = s3 ^ k[3];
    out[3] = s4 ^ k[4];
    out[2] = s5 ^ k[5];
    out[1] = s6 ^ k[6];
    out[0] = s7 ^ k[7];
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *end = schedule, *k = end + 8 * PRESENT_ROUNDS;
    uint8_t s0 = in[7] ^ k[0], s1 = in[6] ^ k[1], s2 = in[5] ^ k[2], s3 = in[4] ^ k[3];
    uint8_t s4 = in[3] ^ k[4], s5 = in[2] ^ k[5], s6 = in[1] ^ k[6], s7 = in[0] ^ k[7];
    do {
        uint8_t a = s0, b = s2, c = s4, d = s6;
        TRANSPOSE(a, b, c, d);
        TRANSPOSE(s1, s3, s5, s7);
        k -= 8;
        s4 = restore[s1] ^ k[4];
        s0 = restore[a] ^ k[0];
        s1 = restore[b] ^ k[1];
        s2 = restore[c] ^ k[2];
        s6 = restore[s5] ^ k[6];
        s5 = restore[s3] ^ k[5];
        s3 = restore[d] ^ k[3];
        s7 = restore[s7] ^ k[7];
    } while (k != end);
    out[7] = s0;
    out[6] = s1;
    out[5] = s2;
    out[4] = s3;
    out[3] = s4;
    out[2] = s5;
    out[1] = s6;
    out[0] = s7;
}
#else
#define PRESENT_SET_KEY(bits) set_key_##bits
#define PRESENT_SCHEDULE_LEN (2 * PRESENT_SCHEDULE)

/* Each half is a matrix of 4 x 4 bits. */
static inline __attribute__((always_inline)) uint32_t transpose(uint32_t v)
{
    uint32_t t = (v ^ v >> 3) & UINT32_C(0x0a0a0a0a);
    v ^= t ^ t << 3;
    t = (v ^ v >> 6) & UINT32_C(0x00cc00cc);
    return v ^ t ^ t << 6;
}

/*
 * Round key `round` as two blocks want it: 16 bits in a word, twice; every other key is transposed.
 * Returns the end.
 */
static uint32_t *spread(uint32_t *to, uint8_t round, uint32_t high, uint32_t low)
{
    if (round & 1) {
        high = transpose(high);
        low = transpose(low);
    }
    *to++ = (low & 0xffff) | low << 16;
    *to++ = low >> 16 | (low & UINT32_C(0xffff0000));
    *to++ = (high & 0xffff) | high << 16;
    *to++ = high >> 16 | (high & UINT32_C(0xffff0000));
    return to;
}

static void set_key_80(void *schedule, const uint8_t *key)
{
    uint32_t *to = schedule;
    present_register k = present_register_80(key);
    uint8_t i = 0;
    for (;;) {
        to = spread(to, i, k.high, k.low);
        if (i++ == PRESENT_ROUNDS)
            break;
        k = present_next_80(k, i);
    }
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    uint32_t *to = schedule;
    present_register k = present_register_128(key);
    uint8_t i = 0;
    for (;;) {
        to = spread(to, i, k.high, k.low);
        if (i++ == PRESENT_ROUNDS)
            break;
        k = present_next_128(k, i);
    }
}

#if MOTE_ASSEMBLY_ARMV6M
/* In present_armv6m.S. */
void encrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_present_encrypt");
void decrypt(const void *schedule, const uint8_t *in, uint8_t *out) __asm__("mote_present_decrypt");
void mote_present_encrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out,
                                 size_t blocks);
void mote_present_decrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out,
                                 size_t blocks);
#define PRESENT_MANY \
    .encrypt_blocks = mote_present_encrypt_blocks, .decrypt_blocks = mote_present_decrypt_blocks
#else
/*
 * Two blocks at a time: one costs as much as two. The head of present_armv6m.S, which does the
 * same, says how. A word has 16 bits of each block, those of the first in its lower half.
 */
typedef struct two_blocks { uint32_t x0, x1, x2, x3; } two_blocks;

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS two_blocks load(const uint8_t *first, const uint8_t *second)
{
    const uint32_t high = mote_load32be(first), low = mote_load32be(first + 4);
    const uint32_t high2 = mote_load32be(second), low2 = mote_load32be(second + 4);
    return (two_blocks){
        (low & 0xffff) | low2 << 16,
        low >> 16 | (low2 & UINT32_C(0xffff0000)),
        (high & 0xffff) | high2 << 16,
        high >> 16 | (high2 & UINT32_C(0xffff0000)),
    };
}

ALWAYS void store(uint8_t *out, two_blocks b, size_t blocks)
{
    mote_store32be(out, (b.x2 & 0xffff) | b.x3 << 16);
    mote_store32be(out + 4, (b.x0 & 0xffff) | b.x1 << 16);
    if (blocks == 1)
        return;
    mote_store32be(out + 8, b.x2 >> 16 | (b.x3 & UINT32_C(0xffff0000)));
    mote_store32be(out + 12, b.x0 >> 16 | (b.x1 & UINT32_C(0xffff0000)));
}

ALWAYS two_blocks add_key(two_blocks b, const uint32_t *k)
{
    return (two_blocks){b.x0 ^ k[0], b.x1 ^ k[1], b.x2 ^ k[2], b.x3 ^ k[3]};
}

/* The S-box; its logic is that of present_armv6m.S, which names its source. */
ALWAYS two_blocks substitute(two_blocks b)
{
    const uint32_t x12 = b.x1 ^ b.x2;
    const uint32_t t3 = b.x3 ^ (b.x2 & x12);
    const uint32_t y0 = b.x0 ^ t3;
    const uint32_t t1 = x12 ^ y0;
    const uint32_t t2 = (x12 & t3) ^ b.x2;
    const uint32_t y1 = (b.x0 | t2) ^ t1;
    const uint32_t t4 = t2 ^ ~b.x0;
    return (two_blocks){y0, y1, (t4 | t1) ^ t3, t4 ^ y1};
}

ALWAYS two_blocks restore(two_blocks b)
{
    const uint32_t t = (b.x3 & b.x1) ^ b.x2;
    const uint32_t x13 = b.x3 ^ b.x1;
    const uint32_t t0 = t ^ b.x0;
    const uint32_t t2 = (t0 & x13) ^ b.x1 ^ b.x0;
    const uint32_t x013 = x13 ^ b.x0;
    const uint32_t y1 = (t & t2) ^ x013;
    return (two_blocks){~t0, y1, ~(t2 ^ y1), (t2 | x013) ^ t};
}

#define EXCHANGE(low, high, shift, mask)                         \
    do {                                                         \
        const uint32_t t = ((low) >> (shift) ^ (high)) & (mask); \
        (high) ^= t;                                             \
        (low) ^= t << (shift);                                   \
    } while (0)

ALWAYS two_blocks exchange_fine(two_blocks b)
{
    EXCHANGE(b.x0, b.x1, 1, UINT32_C(0x55555555));
    EXCHANGE(b.x2, b.x3, 1, UINT32_C(0x55555555));
    EXCHANGE(b.x0, b.x2, 2, UINT32_C(0x33333333));
    EXCHANGE(b.x1, b.x3, 2, UINT32_C(0x33333333));
    return b;
}

ALWAYS two_blocks exchange_coarse(two_blocks b)
{
    EXCHANGE(b.x0, b.x1, 4, UINT32_C(0x0f0f0f0f));
    EXCHANGE(b.x2, b.x3, 4, UINT32_C(0x0f0f0f0f));
    EXCHANGE(b.x0, b.x2, 8, UINT32_C(0x00ff00ff));
    EXCHANGE(b.x1, b.x3, 8, UINT32_C(0x00ff00ff));
    return b;
}

ALWAYS two_blocks transpose_all(two_blocks b)
{
    return (two_blocks){transpose(b.x0), transpose(b.x1), transpose(b.x2), transpose(b.x3)};
}

static void encrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks)
{
    while (blocks > 0) {
        const uint32_t *k = schedule, *last = k + 4 * (PRESENT_ROUNDS - 1);
        const size_t n = blocks == 1 ? 1 : 2;
        two_blocks b = load(in, in + 8 * (n - 1));
        for (;; k += 8) {
            b = substitute(exchange_fine(add_key(b, k)));
            if (k == last)
                break;
            b = substitute(exchange_coarse(add_key(b, k + 4)));
        }
        store(out, transpose_all(add_key(b, k + 4)), n);
        in += 8 * n;
        out += 8 * n;
        blocks -= n;
    }
}

static void decrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks)
{
    while (blocks > 0) {
        const uint32_t *first = schedule, *k = first + 4 * (PRESENT_ROUNDS - 1);
        const size_t n = blocks == 1 ? 1 : 2;
        two_blocks b = add_key(transpose_all(load(in, in + 8 * (n - 1))), k + 4);
        for (;; k -= 8) {
            b = add_key(exchange_fine(restore(b)), k);
            if (k == first)
                break;
            b = add_key(exchange_coarse(restore(b)), k - 4);
        }
        store(out, b, n);
        in += 8 * n;
        out += 8 * n;
        blocks -= n;
    }
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt_blocks(schedule, in, out, 1);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt_blocks(schedule, in, out, 1);
}

#define PRESENT_MANY .encrypt_blocks = encrypt_blocks, .decrypt_blocks = decrypt_blocks
#endif
#endif

#include "present_ciphers.h"

MOTE_IMPLEMENTATION(present) = {.name = "present", MOTE_BLOCKS(ciphers)};

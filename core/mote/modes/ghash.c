#include "ghash.h"

#include "mote/assembly.h"
#include "mote/modes.h"

#if MOTE_ASSEMBLY || MOTE_ASSEMBLY_ARMV7M
/* ghash_avr.S, ghash_armv6m.S, ghash_armv7m.S */
#elif MOTE_SMALL

/*
 * Horner's rule from the highest coefficient of y: z = z * x + (y_i ? h : 0). z * x moves all bits
 * one place towards the end of the block; x^128 = x^7 + x^2 + x + 1.
 */
void mote_ghash_multiply(uint32_t y[4], const uint32_t h[4])
{
    uint32_t z0 = 0, z1 = 0, z2 = 0, z3 = 0;
    for (uint8_t word = 4; word-- > 0;) {
        uint32_t bits = y[word];
        for (uint8_t i = 0; i < 32; i++, bits >>= 1) {
            const uint32_t out = (uint32_t)0 - (z3 & 1u), in = (uint32_t)0 - (bits & 1u);
            z3 = (z3 >> 1 | z2 << 31) ^ (h[3] & in);
            z2 = (z2 >> 1 | z1 << 31) ^ (h[2] & in);
            z1 = (z1 >> 1 | z0 << 31) ^ (h[1] & in);
            z0 = (z0 >> 1) ^ (out & UINT32_C(0xe1000000)) ^ (h[0] & in);
        }
    }
    y[0] = z0;
    y[1] = z1;
    y[2] = z2;
    y[3] = z3;
}

#else

/* Factors that the machine multiplies at once. */
#if UINTPTR_MAX > 0xffffffffu
typedef uint64_t word;
#else
typedef uint32_t word;
#endif
enum { BITS = 8 * sizeof(word) };
#define EACH(pattern) ((word)UINT64_C(pattern))

#if defined(__riscv_mul) && __riscv_xlen == 32
/*
 * Product of two polynomials over GF(2): bit i is the coefficient of x^i. Of each factor every
 * fourth bit is taken at a time, so that the sums of an integer product have four bits of room and
 * do not carry into one another. Both halves of a product take a time that does not depend on it.
 */
static uint64_t whole_product(word a, word b)
{
    const uint64_t every4 = UINT64_C(0x1111111111111111);
    const word mask = (word)every4;
    const uint64_t a0 = a & mask, a1 = a & mask << 1, a2 = a & mask << 2, a3 = a & mask << 3;
    const word b0 = b & mask, b1 = b & mask << 1, b2 = b & mask << 2, b3 = b & mask << 3;
    const uint64_t p0 = (a0 * b0) ^ (a1 * b3) ^ (a2 * b2) ^ (a3 * b1);
    const uint64_t p1 = (a0 * b1) ^ (a1 * b0) ^ (a2 * b3) ^ (a3 * b2);
    const uint64_t p2 = (a0 * b2) ^ (a1 * b1) ^ (a2 * b0) ^ (a3 * b3);
    const uint64_t p3 = (a0 * b3) ^ (a1 * b2) ^ (a2 * b1) ^ (a3 * b0);
    return (p0 & every4) | (p1 & every4 << 1) | (p2 & every4 << 2) | (p3 & every4 << 3);
}

/* All of the product of numbers of two words, the lower one first, Karatsuba's way. */
static void product(word p[4], const word a[2], const word b[2])
{
    const uint64_t low = whole_product(a[0], b[0]), high = whole_product(a[1], b[1]);
    const uint64_t middle = whole_product(a[0] ^ a[1], b[0] ^ b[1]) ^ low ^ high;
    p[0] = (word)low;
    p[1] = (word)(low >> 32) ^ (word)middle;
    p[2] = (word)high ^ (word)(middle >> 32);
    p[3] = (word)(high >> 32);
}
#else
/*
 * Product of two polynomials over GF(2), modulo x^BITS: bit i is the coefficient of x^i. Of each
 * factor every fourth bit is taken at a time, so that the sums of an integer product have four bits
 * of room and do not carry into one another; of 64 bits only the topmost sum can need a fifth,
 * which falls off.
 */
static word low_product(word a, word b)
{
    const word every4 = EACH(0x1111111111111111);
    const word a0 = a & every4, a1 = a & every4 << 1, a2 = a & every4 << 2, a3 = a & every4 << 3;
    const word b0 = b & every4, b1 = b & every4 << 1, b2 = b & every4 << 2, b3 = b & every4 << 3;
    const word p0 = (a0 * b0) ^ (a1 * b3) ^ (a2 * b2) ^ (a3 * b1);
    const word p1 = (a0 * b1) ^ (a1 * b0) ^ (a2 * b3) ^ (a3 * b2);
    const word p2 = (a0 * b2) ^ (a1 * b1) ^ (a2 * b0) ^ (a3 * b3);
    const word p3 = (a0 * b3) ^ (a1 * b2) ^ (a2 * b1) ^ (a3 * b0);
    return (p0 & every4) | (p1 & every4 << 1) | (p2 & every4 << 2) | (p3 & every4 << 3);
}

static word swap(word v, word mask, unsigned distance)
{
    return (v & mask) << distance | (v >> distance & mask);
}

/* The bits in reverse order. */
static word reversed(word v)
{
    v = swap(v, EACH(0x5555555555555555), 1);
    v = swap(v, EACH(0x3333333333333333), 2);
    v = swap(v, EACH(0x0f0f0f0f0f0f0f0f), 4);
    v = swap(v, EACH(0x00ff00ff00ff00ff), 8);
#if UINTPTR_MAX > 0xffffffffu
    v = swap(v, EACH(0x0000ffff0000ffff), 16);
#endif
    return v << BITS / 2 | v >> BITS / 2;
}

/*
 * The upper half of the product, of reversed factors: reversed, a product begins with its highest
 * coefficient.
 */
static word high_product(word a_reversed, word b_reversed)
{
    return reversed(low_product(a_reversed, b_reversed)) >> 1;
}

/* All of the product of numbers of two words, the lower one first, Karatsuba's way. */
static inline void product(word p[4], const word a[2], const word b[2])
{
    const word ra0 = reversed(a[0]), ra1 = reversed(a[1]), rb0 = reversed(b[0]),
               rb1 = reversed(b[1]);
    const word low0 = low_product(a[0], b[0]), high0 = high_product(ra0, rb0);
    const word low1 = low_product(a[1], b[1]), high1 = high_product(ra1, rb1);
    p[0] = low0;
    p[1] = high0 ^ low0 ^ low1 ^ low_product(a[0] ^ a[1], b[0] ^ b[1]);
    p[2] = low1 ^ high0 ^ high1 ^ high_product(ra0 ^ ra1, rb0 ^ rb1);
    p[3] = high1;
}
#endif

/*
 * The block as an integer has the coefficient of x^0 on top, and so has the product of two, one bit
 * too far down. Then x^128 = x^7 + x^2 + x + 1, where times x is one bit down: what the lower half
 * would push beyond the end comes in again at its beginning.
 */
#if UINTPTR_MAX > 0xffffffffu
void mote_ghash_multiply(uint32_t y[4], const uint32_t h[4])
{
    const word a[2] = {(word)y[2] << 32 | y[3], (word)y[0] << 32 | y[1]};
    const word b[2] = {(word)h[2] << 32 | h[3], (word)h[0] << 32 | h[1]};
    word p[4];
    product(p, a, b);
    const word w0 = p[0] << 1, w2 = p[2] << 1 | p[1] >> 63, w3 = p[3] << 1 | p[2] >> 63;
    word w1 = p[1] << 1 | p[0] >> 63;
    w1 ^= w0 << 63 ^ w0 << 62 ^ w0 << 57;
    const word z1 = w3 ^ w1 ^ w1 >> 1 ^ w1 >> 2 ^ w1 >> 7;
    const word z0 = w2 ^ w0 ^ (w0 >> 1 | w1 << 63) ^ (w0 >> 2 | w1 << 62) ^ (w0 >> 7 | w1 << 57);
    y[0] = (uint32_t)(z1 >> 32);
    y[1] = (uint32_t)z1;
    y[2] = (uint32_t)(z0 >> 32);
    y[3] = (uint32_t)z0;
}
#else
/* Numbers of four words, Karatsuba's way once more. */
static void long_product(word p[8], const word a[4], const word b[4])
{
    const word a_sum[2] = {a[0] ^ a[2], a[1] ^ a[3]}, b_sum[2] = {b[0] ^ b[2], b[1] ^ b[3]};
    word middle[4];
    product(p, a, b);
    product(p + 4, a + 2, b + 2);
    product(middle, a_sum, b_sum);
    for (uint8_t i = 0; i < 4; i++)
        middle[i] ^= p[i] ^ p[i + 4];
    for (uint8_t i = 0; i < 4; i++)
        p[i + 2] ^= middle[i];
}

void mote_ghash_multiply(uint32_t y[4], const uint32_t h[4])
{
    const word a[4] = {y[3], y[2], y[1], y[0]}, b[4] = {h[3], h[2], h[1], h[0]};
    word p[8];
    long_product(p, a, b);
    for (uint8_t i = 7; i > 0; i--)
        p[i] = p[i] << 1 | p[i - 1] >> 31;
    p[0] <<= 1;
    p[3] ^= p[0] << 31 ^ p[0] << 30 ^ p[0] << 25;
    for (uint8_t i = 0; i < 4; i++) {
        const word low = p[i], next = i < 3 ? p[i + 1] : 0;
        y[3 - i] = p[4 + i] ^ low ^ (low >> 1 | next << 31) ^ (low >> 2 | next << 30) ^
                   (low >> 7 | next << 25);
    }
}
#endif

#endif

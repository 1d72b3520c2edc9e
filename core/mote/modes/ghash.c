#include "ghash.h"

#include "mote/modes.h"

#if MOTE_SMALL || UINTPTR_MAX <= 0xffffffffu

/*
 * Horner's rule from the highest coefficient of y: z = z * x + (y_i ? h : 0). z * x moves all bits one place towards the
 * end of the block; x^128 = x^7 + x^2 + x + 1.
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

/*
 * Product of two polynomials over GF(2), modulo x^64: bit i is the coefficient of x^i. Of each factor every fourth bit is
 * taken at a time, so that the sums of an integer product have four bits of room and do not carry into one another; only
 * the topmost sum can need a fifth, which falls off.
 */
static uint64_t low_product(uint64_t a, uint64_t b)
{
    const uint64_t every4 = UINT64_C(0x1111111111111111);
    const uint64_t a0 = a & every4, a1 = a & every4 << 1, a2 = a & every4 << 2, a3 = a & every4 << 3;
    const uint64_t b0 = b & every4, b1 = b & every4 << 1, b2 = b & every4 << 2, b3 = b & every4 << 3;
    const uint64_t p0 = (a0 * b0) ^ (a1 * b3) ^ (a2 * b2) ^ (a3 * b1);
    const uint64_t p1 = (a0 * b1) ^ (a1 * b0) ^ (a2 * b3) ^ (a3 * b2);
    const uint64_t p2 = (a0 * b2) ^ (a1 * b1) ^ (a2 * b0) ^ (a3 * b3);
    const uint64_t p3 = (a0 * b3) ^ (a1 * b2) ^ (a2 * b1) ^ (a3 * b0);
    return (p0 & every4) | (p1 & every4 << 1) | (p2 & every4 << 2) | (p3 & every4 << 3);
}

static uint64_t swap(uint64_t v, uint64_t mask, unsigned distance)
{
    return (v & mask) << distance | (v >> distance & mask);
}

/* The bits in reverse order. */
static uint64_t reversed(uint64_t v)
{
    v = swap(v, UINT64_C(0x5555555555555555), 1);
    v = swap(v, UINT64_C(0x3333333333333333), 2);
    v = swap(v, UINT64_C(0x0f0f0f0f0f0f0f0f), 4);
    v = swap(v, UINT64_C(0x00ff00ff00ff00ff), 8);
    v = swap(v, UINT64_C(0x0000ffff0000ffff), 16);
    return v << 32 | v >> 32;
}

/* The upper half of the product, of reversed factors: reversed, a product begins with its highest coefficient. */
static uint64_t high_product(uint64_t a_reversed, uint64_t b_reversed)
{
    return reversed(low_product(a_reversed, b_reversed)) >> 1;
}

/*
 * The block as an integer has the coefficient of x^0 on top, and so has the product of two, one bit too far down. Karatsuba's
 * way for the two halves; then x^128 = x^7 + x^2 + x + 1, where times x is one bit down.
 */
void mote_ghash_multiply(uint32_t y[4], const uint32_t h[4])
{
    const uint64_t a1 = (uint64_t)y[0] << 32 | y[1], a0 = (uint64_t)y[2] << 32 | y[3];
    const uint64_t b1 = (uint64_t)h[0] << 32 | h[1], b0 = (uint64_t)h[2] << 32 | h[3];
    const uint64_t ra1 = reversed(a1), ra0 = reversed(a0), rb1 = reversed(b1), rb0 = reversed(b0);
    const uint64_t low0 = low_product(a0, b0), high0 = high_product(ra0, rb0);
    const uint64_t low1 = low_product(a1, b1), high1 = high_product(ra1, rb1);
    const uint64_t low = low_product(a0 ^ a1, b0 ^ b1) ^ low0 ^ low1;
    const uint64_t high = high_product(ra0 ^ ra1, rb0 ^ rb1) ^ high0 ^ high1;
    /* Four words, the least one first, moved up by one bit. */
    const uint64_t p1 = high0 ^ low, p2 = low1 ^ high;
    const uint64_t w0 = low0 << 1, w2 = p2 << 1 | p1 >> 63, w3 = high1 << 1 | p2 >> 63;
    uint64_t w1 = p1 << 1 | low0 >> 63;
    /* What w1, w0 would push beyond the end comes in again at their beginning. */
    w1 ^= w0 << 63 ^ w0 << 62 ^ w0 << 57;
    const uint64_t z1 = w3 ^ w1 ^ w1 >> 1 ^ w1 >> 2 ^ w1 >> 7;
    const uint64_t z0 = w2 ^ w0 ^ (w0 >> 1 | w1 << 63) ^ (w0 >> 2 | w1 << 62) ^ (w0 >> 7 | w1 << 57);
    y[0] = (uint32_t)(z1 >> 32);
    y[1] = (uint32_t)z1;
    y[2] = (uint32_t)(z0 >> 32);
    y[3] = (uint32_t)z0;
}

#endif

#include "ghash.h"

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

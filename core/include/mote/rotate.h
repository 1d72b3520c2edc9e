/*
 * Rotations by amounts that depend on data. They take the same time for all amounts, also on
 * machines of 8 bits, which shift by one bit at a time.
 */
#ifndef MOTE_ROTATE_H
#define MOTE_ROTATE_H

#include <stdint.h>

#include "mote/modes.h"

#if MOTE_SMALL
/* To the left by n modulo 32: by bits with multiplications, by bytes with selections. */
static inline uint32_t mote_rotl32_by(uint32_t v, uint8_t n)
{
    uint8_t power = (uint8_t)(1 + (n & 1));
    power = (uint8_t)(power * (1 + 3 * (n >> 1 & 1)));
    power = (uint8_t)(power * (1 + 15 * (n >> 2 & 1)));
    const uint16_t p0 = (uint16_t)((uint16_t)(uint8_t)v * power);
    const uint16_t p1 = (uint16_t)((uint16_t)(uint8_t)(v >> 8) * power);
    const uint16_t p2 = (uint16_t)((uint16_t)(uint8_t)(v >> 16) * power);
    const uint16_t p3 = (uint16_t)((uint16_t)(uint8_t)(v >> 24) * power);
    uint8_t b0 = (uint8_t)(p0 | p3 >> 8), b1 = (uint8_t)(p1 | p0 >> 8);
    uint8_t b2 = (uint8_t)(p2 | p1 >> 8), b3 = (uint8_t)(p3 | p2 >> 8);
    uint8_t mask = (uint8_t)-(n >> 4 & 1); /* by two bytes? */
    uint8_t differ = (uint8_t)((b0 ^ b2) & mask);
    b0 ^= differ;
    b2 ^= differ;
    differ = (uint8_t)((b1 ^ b3) & mask);
    b1 ^= differ;
    b3 ^= differ;
    mask = (uint8_t)-(n >> 3 & 1); /* by one? */
    const uint8_t c0 = (uint8_t)(b0 ^ ((b0 ^ b3) & mask)), c1 = (uint8_t)(b1 ^ ((b1 ^ b0) & mask));
    const uint8_t c2 = (uint8_t)(b2 ^ ((b2 ^ b1) & mask)), c3 = (uint8_t)(b3 ^ ((b3 ^ b2) & mask));
    return c0 | (uint32_t)c1 << 8 | (uint32_t)c2 << 16 | (uint32_t)c3 << 24;
}
#else
static inline uint32_t mote_rotl32_by(uint32_t v, uint32_t n)
{
    return v << (n & 31) | v >> (-n & 31);
}
#endif

static inline uint32_t mote_rotr32_by(uint32_t v, uint32_t n)
{
#if MOTE_SMALL
    return mote_rotl32_by(v, (uint8_t)-n);
#else
    return v >> (n & 31) | v << (-n & 31);
#endif
}

#endif

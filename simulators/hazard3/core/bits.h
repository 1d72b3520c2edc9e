/* Orders of the bits of a word in Zbkb: a secret bit goes where its bit goes. */
#ifndef MOTEBENCH_HAZARD3_BITS_H
#define MOTEBENCH_HAZARD3_BITS_H

#include <stdint.h>

static inline uint32_t reversed_in_bytes(uint32_t v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    return (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
}

static inline uint32_t zipped(uint32_t v)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 16; i++)
        result |= (v >> i & 1) << 2 * i | (v >> (i + 16) & 1) << (2 * i + 1);
    return result;
}

static inline uint32_t unzipped(uint32_t v)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 16; i++)
        result |= (v >> 2 * i & 1) << i | (v >> (2 * i + 1) & 1) << (i + 16);
    return result;
}

#endif

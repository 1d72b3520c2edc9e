/*
 * Products of words whose time does not depend on the operands. Processors whose long
 * multiplication takes a time that does (Cortex-M3), or that have none, take four products of 16
 * bits. So does an AVR in C: the function of its library for 64 bits branches on a carry.
 */
#ifndef MOTE_P256_PRODUCT_H
#define MOTE_P256_PRODUCT_H

#include <stdint.h>

#include "p256_assembly.h"

#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_6M__) || defined(__AVR__)
#define MOTE_P256_HALVES 1
#else
#define MOTE_P256_HALVES 0
#endif

#if MOTE_ASSEMBLY_AVR
uint64_t mote_p256_product(uint32_t a, uint32_t b);
int64_t mote_p256_signed_product(int32_t a, int32_t b);
#endif

static inline uint64_t mote_product(uint32_t a, uint32_t b)
{
#if MOTE_ASSEMBLY_AVR
    return mote_p256_product(a, b);
#elif MOTE_P256_HALVES
    const uint32_t a0 = a & 0xffff, a1 = a >> 16, b0 = b & 0xffff, b1 = b >> 16;
    const uint32_t low = a0 * b0, sum = a1 * b0 + (low >> 16), more = a0 * b1 + (sum & 0xffff);
    return (uint64_t)(a1 * b1 + (sum >> 16) + (more >> 16)) << 32 | more << 16 | (low & 0xffff);
#else
    return (uint64_t)a * b;
#endif
}

static inline int64_t mote_signed_product(int32_t a, int32_t b)
{
#if MOTE_ASSEMBLY_AVR
    return mote_p256_signed_product(a, b);
#elif MOTE_P256_HALVES
    const uint32_t signs =
        ((uint32_t)(a >> 31) & (uint32_t)b) + ((uint32_t)(b >> 31) & (uint32_t)a);
    return (int64_t)(mote_product((uint32_t)a, (uint32_t)b) - ((uint64_t)signs << 32));
#else
    return (int64_t)a * b;
#endif
}

#endif

/* XOR of messages and key streams. */
#ifndef MOTE_XOR_H
#define MOTE_XOR_H

#include <stdint.h>
#include <string.h>

#include "mote/modes.h"

/* 1: words that are not aligned have to be read byte by byte. */
#if defined(__ARM_ARCH_6M__) || (defined(__riscv_xlen) && __riscv_xlen == 32)
#define MOTE_STRICT 1
#else
#define MOTE_STRICT 0
#endif

/* out = a XOR b; any of the three may be the same, or aligned in any way. */
static inline void mote_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t len)
{
#if MOTE_STRICT
    if ((((uintptr_t)out | (uintptr_t)a | (uintptr_t)b) & 3) == 0) {
        for (; len >= 4; len -= 4, out += 4, a += 4, b += 4) {
            uint32_t x, y;
            memcpy(&x, __builtin_assume_aligned(a, 4), 4);
            memcpy(&y, __builtin_assume_aligned(b, 4), 4);
            x ^= y;
            memcpy(__builtin_assume_aligned(out, 4), &x, 4);
        }
    }
#elif !MOTE_SMALL
    for (; len >= 8; len -= 8, out += 8, a += 8, b += 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        x ^= y;
        memcpy(out, &x, 8);
    }
#endif
    for (; len > 0; len--)
        *out++ = *a++ ^ *b++;
}

#endif

/* XOR of messages and key streams; copies by words. */
#ifndef MOTE_XOR_H
#define MOTE_XOR_H

#include <stdint.h>
#include <string.h>

#include "mote/assembly.h"
#include "mote/modes.h"

/* 1: words that are not aligned have to be read byte by byte. */
#if defined(__ARM_ARCH_6M__) || (defined(__riscv_xlen) && __riscv_xlen == 32)
#define MOTE_STRICT 1
#else
#define MOTE_STRICT 0
#endif

/* 1: little-endian, and memcpy of more than a word goes byte by byte, or checks the alignment. */
#define MOTE_COPIES_WORDS (MOTE_STRICT || MOTE_ASSEMBLY_ARMV7M)

/* Copies words to aligned ones; `from` is aligned in any way. */
static inline void mote_copy_words(void *to, const void *from, size_t words)
{
#if MOTE_COPIES_WORDS
    const uint8_t *in = from;
    if (((uintptr_t)in & 3) == 0) {
        for (uint8_t *out = to; words > 0; words--, in += 4, out += 4) {
            uint32_t word;
            memcpy(&word, __builtin_assume_aligned(in, 4), 4);
            memcpy(__builtin_assume_aligned(out, 4), &word, 4);
            __asm__ volatile("" : : : "memory"); /* or it would be made a call of memcpy */
        }
        return;
    }
#endif
    memcpy(to, from, 4 * words);
}

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

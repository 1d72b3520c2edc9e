/*
 * Integers in messages, keys and tables of any alignment, whatever the byte order of the machine.
 */
#ifndef MOTE_BYTES_H
#define MOTE_BYTES_H

#include <stdint.h>

/*
 * A mask from a secret, hidden from a clang, which makes branches and jumps of masks that it sees
 * through. GCC does not, and its code stays as it is.
 */
static inline uint32_t mote_hidden(uint32_t mask)
{
#ifdef __clang__
    __asm__("" : "+r"(mask));
#endif
    return mask;
}

static inline uint16_t mote_load16le(const uint8_t p[2])
{
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

static inline uint16_t mote_load16be(const uint8_t p[2])
{
    return (uint16_t)((uint16_t)p[0] << 8 | p[1]);
}

static inline uint32_t mote_load32le(const uint8_t p[4])
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint32_t mote_load32be(const uint8_t p[4])
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t mote_load64le(const uint8_t p[8])
{
    return mote_load32le(p) | (uint64_t)mote_load32le(p + 4) << 32;
}

static inline uint64_t mote_load64be(const uint8_t p[8])
{
    return (uint64_t)mote_load32be(p) << 32 | mote_load32be(p + 4);
}

static inline void mote_store16le(uint8_t p[2], uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void mote_store16be(uint8_t p[2], uint16_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static inline void mote_store32le(uint8_t p[4], uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

static inline void mote_store32be(uint8_t p[4], uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

static inline void mote_store64le(uint8_t p[8], uint64_t v)
{
    mote_store32le(p, (uint32_t)v);
    mote_store32le(p + 4, (uint32_t)(v >> 32));
}

static inline void mote_store64be(uint8_t p[8], uint64_t v)
{
    mote_store32be(p, (uint32_t)(v >> 32));
    mote_store32be(p + 4, (uint32_t)v);
}

/* Rotations by 0 < n < width. */
static inline uint16_t mote_rotl16(uint16_t v, unsigned n)
{
    return (uint16_t)((unsigned)v << n | (unsigned)v >> (16 - n));
}

#ifdef __AVR__
/*
 * avr-gcc makes single instructions of rotations by 1 and by 8, 16 and 24, and loops of all others.
 */
static inline __attribute__((always_inline)) uint32_t mote_rotl32(uint32_t v, unsigned n)
{
    const unsigned whole = (n + 3) & 24, left = (n - whole) & 31;
    if (!__builtin_constant_p(n))
        return v << n | v >> (32 - n);
    if (whole != 0)
        v = v << whole | v >> (32 - whole);
    if (left >= 1 && left <= 4)
        v = v << 1 | v >> 31;
    if (left >= 2 && left <= 4)
        v = v << 1 | v >> 31;
    if (left >= 3 && left <= 4)
        v = v << 1 | v >> 31;
    if (left == 4)
        v = v << 1 | v >> 31;
    if (left >= 29)
        v = v >> 1 | v << 31;
    if (left >= 29 && left <= 30)
        v = v >> 1 | v << 31;
    if (left == 29)
        v = v >> 1 | v << 31;
    return v;
}

static inline __attribute__((always_inline)) uint32_t mote_rotr32(uint32_t v, unsigned n)
{
    return mote_rotl32(v, 32 - n);
}
#else
static inline uint32_t mote_rotl32(uint32_t v, unsigned n)
{
    return v << n | v >> (32 - n);
}

static inline uint32_t mote_rotr32(uint32_t v, unsigned n)
{
    return v >> n | v << (32 - n);
}
#endif

#ifdef __AVR__
/* libgcc would turn 64 bits in a loop, bit by bit. The halves turn by 1 bit, as one number. */
#define MOTE_AVR_RIGHT(low, high)                                       \
    __asm__("bst %A0,0\n\tlsr %D1\n\tror %C1\n\tror %B1\n\tror %A1\n\t" \
            "ror %D0\n\tror %C0\n\tror %B0\n\tror %A0\n\tbld %D1,7"     \
            : "+r"(low), "+r"(high))
#define MOTE_AVR_LEFT(low, high)                                               \
    __asm__("lsl %A0\n\trol %B0\n\trol %C0\n\trol %D0\n\t"                     \
            "rol %A1\n\trol %B1\n\trol %C1\n\trol %D1\n\tadc %A0,__zero_reg__" \
            : "+r"(low), "+r"(high))

static inline __attribute__((always_inline)) uint64_t mote_rotr64(uint64_t v, unsigned n)
{
    const unsigned whole = (n + 3) & 56, left = (whole - n) & 63, right = (n - whole) & 63;
    const unsigned shift = whole & 31;
    union {
        uint64_t whole;
        uint32_t half[2];
    } u; /* a shift by 32 would be a loop too */
    uint32_t low, high;
    u.whole = v;
    low = u.half[whole >> 5 & 1];
    high = u.half[(whole >> 5 & 1) ^ 1];
    if (shift != 0) {
        const uint32_t moved = low >> shift | high << (32 - shift);
        high = high >> shift | low << (32 - shift);
        low = moved;
    }
    if (right >= 1 && right <= 4)
        MOTE_AVR_RIGHT(low, high);
    if (right >= 2 && right <= 4)
        MOTE_AVR_RIGHT(low, high);
    if (right >= 3 && right <= 4)
        MOTE_AVR_RIGHT(low, high);
    if (right == 4)
        MOTE_AVR_RIGHT(low, high);
    if (left >= 1 && left <= 3)
        MOTE_AVR_LEFT(low, high);
    if (left >= 2 && left <= 3)
        MOTE_AVR_LEFT(low, high);
    if (left == 3)
        MOTE_AVR_LEFT(low, high);
    u.half[0] = low;
    u.half[1] = high;
    return u.whole;
}

static inline __attribute__((always_inline)) uint64_t mote_rotl64(uint64_t v, unsigned n)
{
    return mote_rotr64(v, 64 - n);
}
#else
static inline uint64_t mote_rotl64(uint64_t v, unsigned n)
{
    return v << n | v >> (64 - n);
}

static inline uint64_t mote_rotr64(uint64_t v, unsigned n)
{
    return v >> n | v << (64 - n);
}
#endif

#endif

/*
 * Rules of the shadow: which bits of a result can depend on a secret. A shadow has the width of
 * its value, and a bit of it is set if that bit of the value may be another one for another secret.
 * Logic, moves and shifts are exact bit by bit; sums go by the carries of the least and the
 * greatest value that secret bits allow, as memcheck's do (Seward and Nethercote, USENIX 2005).
 */
#ifndef MOTEBENCH_SHADOW_RULES_H
#define MOTEBENCH_SHADOW_RULES_H

#include <stdbool.h>
#include <stdint.h>

#define SH_ALL 0xffffffffu

/* A value and its shadow. */
typedef struct sh_word { uint32_t value, secret; } sh_word;

/* A result's shadow, and those of its flags: 0 or 1 each. */
typedef struct sh_sum {
    uint32_t secret;
    uint8_t n, z, c, v;
} sh_sum;

/* A value that is no secret. */
static inline sh_word sh_plain(uint32_t value)
{
    return (sh_word){value, 0};
}

static inline uint32_t sh_least(sh_word x)
{
    return x.value & ~x.secret;
}

static inline uint32_t sh_most(sh_word x)
{
    return x.value | x.secret;
}

static inline sh_word sh_inverted(sh_word x)
{
    return (sh_word){~x.value, x.secret};
}

static inline uint32_t sh_and(sh_word a, sh_word b)
{
    return (a.secret & b.secret) | (a.secret & b.value) | (b.secret & a.value);
}

static inline uint32_t sh_or(sh_word a, sh_word b)
{
    return sh_and(sh_inverted(a), sh_inverted(b));
}

/* Is it a secret that this value is zero? Not if a bit that is no secret is set. */
static inline uint8_t sh_zero(uint32_t value, uint32_t secret)
{
    return secret != 0 && (value & ~secret) == 0;
}

/* All bits from the lowest one that is set. */
static inline uint32_t sh_upwards(uint32_t bits)
{
    return bits | (0u - bits);
}

/* All bits from the highest one that is set, down. */
static inline uint32_t sh_downwards(uint32_t bits)
{
    return bits == 0 ? 0 : SH_ALL >> __builtin_clz(bits);
}

/*
 * a + b + carry in the lowest `width` bits, 8 to 32; bits above are zero in both. Every carry grows
 * with every bit of the operands, so one that is the same for the least and the greatest operands
 * is the same for all between.
 */
static inline sh_sum sh_add_in(unsigned width, sh_word a, sh_word b, sh_word carry)
{
    const uint32_t top = 1u << (width - 1);
    const uint64_t least = (uint64_t)sh_least(a) + sh_least(b) + sh_least(carry);
    const uint64_t most = (uint64_t)sh_most(a) + sh_most(b) + sh_most(carry);
    const uint64_t bits = (least ^ most) | a.secret | b.secret;
    const uint64_t value = (uint64_t)a.value + b.value + carry.value;
    /* carries into each bit */
    const uint64_t into_least = least ^ sh_least(a) ^ sh_least(b);
    const uint64_t into_most = most ^ sh_most(a) ^ sh_most(b);
    const uint64_t carries = into_least ^ into_most;
    sh_sum sum;
    sum.secret = (uint32_t)bits & (top | (top - 1));
    sum.c = (uint8_t)(carries >> width & 1);
    sum.v = sum.c | (uint8_t)(carries >> (width - 1) & 1);
    sum.n = (sum.secret & top) != 0;
    sum.z = sh_zero((uint32_t)value & (top | (top - 1)), sum.secret);
    return sum;
}

static inline sh_sum sh_add(sh_word a, sh_word b, sh_word carry)
{
    return sh_add_in(32, a, b, carry);
}

/* a - b - borrow, where `carry` is that there is no borrow. */
static inline sh_sum sh_subtract(sh_word a, sh_word b, sh_word carry)
{
    return sh_add(a, sh_inverted(b), carry);
}

/* x - x - !carry: a mask that the carry decides; `carry`: is it a secret? */
static inline sh_sum sh_subtract_itself(uint8_t carry)
{
    return (sh_sum){.secret = carry != 0 ? SH_ALL : 0, .n = carry, .z = carry, .c = carry};
}

/* A value of two words and its shadow. */
typedef struct sh_pair { uint64_t value, secret; } sh_pair;

/* a + b; every bit by its carry, as in sh_add_in. */
static inline sh_pair sh_add_pairs(sh_pair a, sh_pair b)
{
    const uint64_t least = (a.value & ~a.secret) + (b.value & ~b.secret);
    const uint64_t most = (a.value | a.secret) + (b.value | b.secret);
    return (sh_pair){a.value + b.value, (least ^ most) | a.secret | b.secret};
}

/* Bits that differ somewhere between two bounds of an unsigned number: all below the first in which
 * the bounds differ, and that one. */
static inline uint64_t sh_between(uint64_t least, uint64_t most)
{
    return least == most ? 0 : ~0ull >> __builtin_clzll(least ^ most);
}

/* The lowest bit of a product, of any width, that a secret bit reaches; 64 or more: none. */
static inline unsigned sh_product_lowest(sh_word a, sh_word b)
{
    unsigned lowest = 64;
    if (a.secret != 0 && sh_most(b) != 0)
        lowest = (unsigned)__builtin_ctz(a.secret) + (unsigned)__builtin_ctz(sh_most(b));
    if (b.secret != 0 && sh_most(a) != 0) {
        const unsigned other =
            (unsigned)__builtin_ctz(b.secret) + (unsigned)__builtin_ctz(sh_most(a));
        lowest = other < lowest ? other : lowest;
    }
    return lowest;
}

/*
 * The product of two unsigned words, 64 bits: bits above those in which its least and its greatest
 * value differ are no secret, nor are those below the lowest that a secret bit reaches.
 */
static inline uint64_t sh_product(sh_word a, sh_word b)
{
    if ((a.secret | b.secret) == 0)
        return 0;
    const uint64_t range =
        sh_between((uint64_t)sh_least(a) * sh_least(b), (uint64_t)sh_most(a) * sh_most(b));
    const unsigned lowest = sh_product_lowest(a, b);
    if (lowest >= 64)
        return 0;
    if (a.secret == 0 && (a.value & (a.value - 1)) == 0) /* a shift */
        return (uint64_t)b.secret * a.value;
    if (b.secret == 0 && (b.value & (b.value - 1)) == 0)
        return (uint64_t)a.secret * b.value;
    return range & ~0ull << lowest;
}

/* The product of two signed words, 64 bits: all from the lowest that a secret bit reaches. */
static inline uint64_t sh_signed_product(sh_word a, sh_word b)
{
    const unsigned lowest = sh_product_lowest(a, b);
    return lowest < 64 ? ~0ull << lowest : 0;
}

/* The quotient of two unsigned words; 0 if the divisor is. */
static inline uint32_t sh_quotient(sh_word a, sh_word b)
{
    if ((a.secret | b.secret) == 0)
        return 0;
    if (sh_least(b) == 0)
        return sh_most(b) == 0 ? 0 : SH_ALL;
    return (uint32_t)sh_between(sh_least(a) / sh_most(b), sh_most(a) / sh_least(b));
}

/* The number of zeros above the highest bit that is set. */
static inline uint32_t sh_leading_zeros(sh_word x)
{
    const uint32_t least = sh_most(x) == 0 ? 32 : (uint32_t)__builtin_clz(sh_most(x));
    const uint32_t most = sh_least(x) == 0 ? 32 : (uint32_t)__builtin_clz(sh_least(x));
    return (uint32_t)sh_between(least, most);
}

typedef enum sh_shift { SH_LSL, SH_LSR, SH_ASR, SH_ROR } sh_shift;

static inline sh_word sh_rotated(sh_word x, unsigned by)
{
    if ((by & 31) == 0)
        return x;
    return (sh_word){x.value >> (by & 31) | x.value << (32 - (by & 31)),
                     x.secret >> (by & 31) | x.secret << (32 - (by & 31))};
}

/* A shift by a number that is no secret. `carry`: is the one that comes out of it a secret? It
 * stays for 0. */
static inline sh_word sh_shifted(sh_shift kind, sh_word x, unsigned by, uint32_t *carry)
{
    const unsigned most = by < 32 ? by : 31;
    if (by == 0)
        return x;
    switch (kind) {
    case SH_LSL:
        *carry = by <= 32 ? x.secret >> (32 - by) & 1 : 0;
        return by < 32 ? (sh_word){x.value << by, x.secret << by} : sh_plain(0);
    case SH_LSR:
        *carry = by <= 32 ? x.secret >> (by - 1) & 1 : 0;
        return by < 32 ? (sh_word){x.value >> by, x.secret >> by} : sh_plain(0);
    case SH_ASR:
        *carry = by <= 32 ? x.secret >> (by - 1) & 1 : x.secret >> 31;
        return (sh_word){(uint32_t)((int32_t)x.value >> most),
                         (uint32_t)((int32_t)x.secret >> most)};
    default:
        x = sh_rotated(x, by);
        *carry = x.secret >> 31;
        return x;
    }
}

/*
 * A shift of any kind by a number that is a secret: nothing of the result is known, unless the
 * value is zero whatever the secret is.
 */
static inline uint32_t sh_shifted_by_secret(sh_word value)
{
    return sh_most(value) == 0 ? 0 : SH_ALL;
}

/* A shift by the lowest byte of a word. */
static inline sh_word sh_shifted_by(sh_shift kind, sh_word x, sh_word by, uint32_t *carry)
{
    if ((by.secret & 0xff) == 0)
        return sh_shifted(kind, x, by.value & 0xff, carry);
    *carry = 1;
    return (sh_word){0, sh_shifted_by_secret(x)};
}

/* Can a < b, unsigned, be either? */
static inline bool sh_below(sh_word a, sh_word b)
{
    return (sh_least(a) < sh_most(b)) != (sh_most(a) < sh_least(b));
}

/* The same of signed numbers: the order of unsigned ones with the sign turned. */
static inline bool sh_less(sh_word a, sh_word b)
{
    a.value ^= 0x80000000u;
    b.value ^= 0x80000000u;
    return sh_below(a, b);
}

#endif

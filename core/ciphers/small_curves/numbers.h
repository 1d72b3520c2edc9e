/*
 * Numbers of 256 bits, modulo a prime, and points of curves, in the least code: one product for all
 * primes, one loop of double and add for all curves, and formulas as programs of two bytes a step.
 *
 * A number is words, the lowest first, as wide as the processor multiplies; modulo a prime it is
 * below it. Results may be operands. Nothing here branches on a number or takes an address from
 * it, except where that is said.
 */
#ifndef MOTE_SMALL_NUMBERS_H
#define MOTE_SMALL_NUMBERS_H

#include <stdint.h>

#include "mote/assembly.h"
#include "mote/flash.h"

#define MOTE_SMALL_THUMB (MOTE_ASSEMBLY_ARMV6M || MOTE_ASSEMBLY_ARMV7M)

#if defined(__AVR__)
typedef uint8_t mote_word;
typedef uint16_t mote_two_words;
/* Their long products take a varying time, or there are none. */
#elif (defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__)) && !MOTE_SMALL_THUMB
typedef uint16_t mote_word;
typedef uint32_t mote_two_words;
#else
typedef uint32_t mote_word;
typedef uint64_t mote_two_words;
#endif

enum {
    MOTE_WORD = sizeof(mote_word),
    MOTE_WORD_BITS = 8 * MOTE_WORD,
    MOTE_WORDS = 32 / MOTE_WORD,
};

typedef struct mote_number { mote_word w[MOTE_WORDS]; } mote_number;

/* The functions that may be in assembly. r = r + a b; what is carried. */
mote_word mote_small_add_row(mote_word r[MOTE_WORDS], const mote_word a[MOTE_WORDS], mote_word b);
/*
 * r = a + (b ^ flip & mask) + lowest bit of flip; what is carried. All ones as flip and mask make
 * a - b, and 1 unless it is negative.
 */
mote_word mote_small_sum(mote_number *r, const mote_number *a, const mote_number *b, mote_word flip,
                         mote_word mask);

/* Bytes of a number, the lowest first, or with MOTE_HIGH_FIRST. */
enum { MOTE_LOW_FIRST = 0, MOTE_HIGH_FIRST = 31 };
void mote_small_load(mote_number *r, const uint8_t bytes[32], uint8_t order);
#ifdef __AVR__
void mote_small_load_flash(mote_number *r, const uint8_t MOTE_FLASH bytes[32]);
#else
#define mote_small_load_flash(r, bytes) mote_small_load(r, bytes, MOTE_LOW_FIRST)
#endif
void mote_small_store(uint8_t bytes[32], const mote_number *a, uint8_t order);
void mote_small_set(mote_number *r, uint32_t value);
/* 1 or 0. */
mote_word mote_small_is_zero(const mote_number *a);
mote_word mote_small_is_below(const mote_number *a, const mote_number *b);
mote_word mote_small_bit(const mote_number *a, uint8_t at);

/* A prime p, and its product. One factor may be any number, the other one is below p. */
typedef struct mote_prime {
    mote_number p;
    void (*multiply)(const struct mote_prime *prime, mote_number *r, const mote_number *a,
                     const mote_number *b);
    mote_word inverse; /* -1 / p modulo the range of a word, for mote_small_montgomery */
} mote_prime;

/* Montgomery's product: it comes with a factor 2^-256. */
void mote_small_montgomery(const mote_prime *prime, mote_number *r, const mote_number *a,
                           const mote_number *b);
/* 2^255 - 19, without a factor. */
void mote_small_set_25519(mote_prime *prime);

/* a - p, or a where it is below p; it is below 2 p, and `top` a word above it. */
void mote_small_reduce(const mote_prime *prime, mote_number *r, const mote_number *a,
                       mote_word top);
/* r = a^((p - less) / 2^shift), rounded down; r is not a. */
void mote_small_power(const mote_prime *prime, mote_number *r, const mote_number *a, uint8_t less,
                      uint8_t shift);
/* 1 / a: of 0 it is 0. */
#define mote_small_invert(prime, r, a) mote_small_power(prime, r, a, 2, 0)

/* A step of a program on numbers v[0] to v[15]: v[r] = v[a] * v[b]. The last step is 0. */
#define MOTE_MUL(r, a, b) (1 << 12 | (r) << 8 | (a) << 4 | (b))
#define MOTE_ADD(r, a, b) (2 << 12 | (r) << 8 | (a) << 4 | (b))
#define MOTE_SUB(r, a, b) (3 << 12 | (r) << 8 | (a) << 4 | (b))
void mote_small_run(const mote_prime *prime, mote_number *v, const uint16_t MOTE_FLASH *program);

/* Exchanges the words of a and b if `bit` is 1, and not if it is 0. */
void mote_small_swap(mote_word *a, mote_word *b, uint8_t words, mote_word bit);

/* A point, as many of the coordinates as its curve has. */
typedef struct mote_point { mote_number at[4]; } mote_point;

/*
 * A curve whose sum holds for any two points. `add` is a program: numbers 0 to 3 are a point, of
 * which the sum with the point in 4 to 7 is made; 8 is a constant, 9 to 13 are lost.
 */
typedef struct mote_curve {
    mote_prime prime;
    const uint16_t MOTE_FLASH *add;
    mote_point neutral;
} mote_curve;

enum { MOTE_CONSTANT = 8, MOTE_REGISTERS = 14 };

/* The sum of k[i] times a[i], of one or two, to v[0] to v[3]; k is any number. */
void mote_small_times(const mote_curve *curve, mote_number v[MOTE_REGISTERS], const mote_number *k,
                      const mote_point *a, uint8_t count);

#endif

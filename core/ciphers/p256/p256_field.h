/*
 * Numbers modulo p, the prime of P-256, and modulo n, the order of the curve: eight words, the
 * lowest first, always below the modulus. Products come with a factor R^-1, R = 2^256
 * (Montgomery). Results may be operands.
 *
 * Nothing here branches on a number or takes an address from it, except the functions that say so.
 */
#ifndef MOTE_P256_FIELD_H
#define MOTE_P256_FIELD_H

#include <stdint.h>

#include "mote/flash.h"
#include "p256_assembly.h"

extern const uint32_t MOTE_FLASH mote_p256_p[8], mote_p256_n[8];
extern const uint32_t MOTE_FLASH mote_p256_one[8]; /* R modulo p */

/* a b R^-1, a^2 R^-1, a + b, a - b, a / 2 modulo p. */
void mote_p256_multiply(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void mote_p256_square(uint32_t r[8], const uint32_t a[8]);
void mote_p256_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void mote_p256_subtract(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void mote_p256_halve(uint32_t r[8], const uint32_t a[8]);
/* r = -r where mask is all ones; r is not 0. */
void mote_p256_negate_if(uint32_t r[8], uint32_t mask);

/* R^2 / a: the inverse of a as products want it; of 0 it is 0. r is not a. */
void mote_p256_invert(uint32_t r[8], const uint32_t a[8]);
/* a^((p + 1) / 4): of the square of a number, the number or its negative. r is not a. */
void mote_p256_root(uint32_t r[8], const uint32_t a[8]);
void mote_p256_to_montgomery(uint32_t r[8], const uint32_t a[8]);
void mote_p256_from_montgomery(uint32_t r[8], const uint32_t a[8]);

/* The same modulo n; the last one is 1 / a, without factors. r is not a. */
void mote_p256_scalar_multiply(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void mote_p256_scalar_to_montgomery(uint32_t r[8], const uint32_t a[8]);
void mote_p256_scalar_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void mote_p256_scalar_invert(uint32_t r[8], const uint32_t a[8]);
/* n - a; a is not 0. */
void mote_p256_scalar_negate(uint32_t r[8], const uint32_t a[8]);
/* Subtracts n if that leaves no negative number. */
void mote_p256_scalar_reduce(uint32_t r[8], const uint32_t a[8]);

/*
 * 1 / a, without factors; of 0 it is 0. `inverse` is 1 / modulus modulo 2^30. For the two above.
 */
void mote_p256_inverse(uint32_t r[8], const uint32_t a[8], const uint32_t MOTE_FLASH *modulus,
                       uint32_t inverse);

/* All ones if a is 0; if a is below the modulus; 0 otherwise. */
uint32_t mote_p256_is_zero(const uint32_t a[8]);
uint32_t mote_p256_is_below(const uint32_t a[8], const uint32_t MOTE_FLASH *modulus);
/* r = a where mask is all ones; nothing where it is 0. */
void mote_p256_select(uint32_t r[8], const uint32_t a[8], uint32_t mask);

void mote_p256_load(uint32_t r[8], const uint8_t in[32]);
void mote_p256_store(uint8_t out[32], const uint32_t a[8]);

#endif

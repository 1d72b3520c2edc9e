/*
 * Numbers modulo L, the order of the base point of Ed25519 (RFC 8032, section 5.1): words of 16
 * bits, the lowest first. Products of such words take the same time for all operands on every
 * processor that we know; long products do not.
 */
#ifndef MOTE_ED25519_SCALAR_H
#define MOTE_ED25519_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

enum { MOTE_ED25519_WORDS = 16 };

/* Any number below 2^256. */
typedef struct mote_ed25519_scalar { uint16_t w[MOTE_ED25519_WORDS]; } mote_ed25519_scalar;

void mote_ed25519_scalar_load(mote_ed25519_scalar *r, const uint8_t bytes[32]);
void mote_ed25519_scalar_store(uint8_t bytes[32], const mote_ed25519_scalar *a);

/*
 * The remainder of a number of 64 bytes, and of a b + c, which may have any 256 bits each. No
 * branch and no address depends on a number.
 */
void mote_ed25519_scalar_reduce(mote_ed25519_scalar *r, const uint8_t bytes[64]);
void mote_ed25519_scalar_multiply_add(mote_ed25519_scalar *r, const mote_ed25519_scalar *a,
                                      const mote_ed25519_scalar *b, const mote_ed25519_scalar *c);
/* a, or a + L: the one that is odd. a is below 2^256 - L. Nothing depends on it. */
void mote_ed25519_scalar_make_odd(mote_ed25519_scalar *a);

/* True if a is below L. This, and what follows, takes a time that depends on the number. */
bool mote_ed25519_scalar_is_canonical(const mote_ed25519_scalar *a);

/*
 * Two numbers with the quotient k modulo 8 L, near the root of 8 L: c = d k, d odd and positive;
 * *negative: -d in its place. k is below L. For very few k, which no hash gives, c is k and d 1.
 */
void mote_ed25519_scalar_halve(mote_ed25519_scalar *c, mote_ed25519_scalar *d, bool *negative,
                               const mote_ed25519_scalar *k);

/*
 * Digits of the lowest `len` bits of k, 0 or odd and between -2^(width - 1) and 2^(width - 1), of
 * which at most one of any `width` in a row is not 0. k is below 2^(len - 1).
 */
void mote_ed25519_scalar_digits(int8_t *digits, uint16_t len, const mote_ed25519_scalar *k,
                                uint8_t width);
/* The number of bits of a: 0 of 0. */
uint16_t mote_ed25519_scalar_bits(const mote_ed25519_scalar *a);

#endif

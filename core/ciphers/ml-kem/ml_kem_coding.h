/*
 * Polynomials of ML-KEM as bytes, and out of the bytes of a hash (FIPS 203, section 4.2). Nothing
 * here branches on a coefficient or takes an address from it, but for the matrix, which is public.
 */
#ifndef MOTE_ML_KEM_CODING_H
#define MOTE_ML_KEM_CODING_H

#include <stdint.h>

#include "ml_kem_ring.h"

/*
 * Coefficients of the matrix out of `in`, three bytes for two (algorithm 7), to *to and on. Returns
 * what follows in `in` once `enough` is reached, with *to behind the last coefficient; or NULL,
 * when all is used up. A coefficient may stand at `enough`, and one that does not count behind it.
 */
const uint8_t *mote_ml_kem_sample(int16_t **to, const int16_t *enough, const uint8_t *in,
                                  const uint8_t *end);

/*
 * A few coefficients of 12 bits (algorithm 6). Returns what follows in `in`; a byte of it may be
 * read.
 */
const uint8_t *mote_ml_kem_decode(int16_t few[MOTE_ML_KEM_FEW], const uint8_t *in);

/*
 * p += noise * factor (algorithm 8): coefficients from -eta to eta, four of every eta bytes. eta is
 * 2 or 3, `len` a multiple of 4 eta, and the factor 1 or R. A byte behind the last may be read.
 */
void mote_ml_kem_add_noise(int16_t *p, const uint8_t *bits, uint8_t len, uint8_t eta,
                           int16_t factor);

/*
 * Compress (section 4.2.1) to d bits, of what is at least -q and below q, or 2 q where d is 10 or
 * less: (2^d (a + q) + q / 2) / q, where q adds a multiple of 2^d. The first quotient is right or
 * one too small: it lacks less than 255 / q + 42,246 * 0.47 / 2^20.
 */
static inline __attribute__((always_inline)) uint_fast16_t mote_ml_kem_compress(int16_t a,
                                                                                uint8_t d)
{
    const uint32_t t = ((uint32_t)(a + MOTE_ML_KEM_Q) << d) + MOTE_ML_KEM_Q / 2;
    enum { TOP = 8 * sizeof(uint_fast16_t) - 1 };
    const uint_fast16_t quotient = (uint_fast16_t)((t >> 8) * 80635u >> 20);
    const uint_fast16_t left =
        (uint_fast16_t)((uint_fast16_t)t - quotient * (unsigned)MOTE_ML_KEM_Q);
    return (quotient + 1u - ((uint_fast16_t)(left - (unsigned)MOTE_ML_KEM_Q) >> TOP)) &
           ((1u << d) - 1);
}

/*
 * Compresses to d bits, 4, 5, 10 or 11, and encodes (algorithm 5): 32 d bytes to `out`, if it is
 * not NULL. Otherwise compares with 32 d bytes, and returns 0 if they are the same.
 */
uint8_t mote_ml_kem_put(uint8_t *out, const uint8_t *compare, const int16_t *p, uint8_t d);

/* Decodes and decompresses 32 d bytes: (q a + 2^(d - 1)) / 2^d for each a. */
void mote_ml_kem_get(int16_t *p, const uint8_t *in, uint8_t d);

#endif

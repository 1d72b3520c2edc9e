/*
 * The ring of ML-KEM: polynomials of 256 coefficients modulo q = 3329, signed 16-bit integers that
 * need not be reduced.
 *
 * Products of two polynomials come with a factor R^-1 modulo q, R = 2^16, which mote_ml_kem_inverse
 * takes away; elsewhere one of the two has the factor R. Nothing here branches on a coefficient or
 * takes an address from it.
 */
#ifndef MOTE_ML_KEM_RING_H
#define MOTE_ML_KEM_RING_H

#include <stdint.h>

#include "mote/assembly.h"

enum {
    MOTE_ML_KEM_Q = 3329,
    MOTE_ML_KEM_N = 256,
    MOTE_ML_KEM_R = -1044,                            /* R modulo q */
    MOTE_ML_KEM_FEW = MOTE_ASSEMBLY_ARMV7EM ? 64 : 16 /* that mote_ml_kem_multiply_add takes */
};

/* a R^-1 modulo q; the magnitude is at most |a| / 2^16 + q / 2. */
static inline int16_t mote_ml_kem_reduce(int32_t a)
{
    const int16_t t = (int16_t)((uint16_t)a * 62209u); /* q^-1 modulo 2^16 */
    return (int16_t)((a - (int32_t)t * MOTE_ML_KEM_Q) >> 16);
}

/*
 * The number-theoretic transform, in place (FIPS 203, algorithm 9). Takes at most q, gives at most
 * 5 q.
 */
void mote_ml_kem_ntt(int16_t p[MOTE_ML_KEM_N]);

/* Its inverse (algorithm 10), times R. Takes at most 16,000 and gives at most 1,950. */
void mote_ml_kem_inverse(int16_t p[MOTE_ML_KEM_N]);

/*
 * sum += a b R^-1 (algorithm 11) for a few coefficients from `at` on, a multiple of as many; `sum`
 * and `b` are whole polynomials, b at most 5 q; `a` are these coefficients, from 0 to q. The
 * magnitude of the sum grows by at most 3,800.
 */
void mote_ml_kem_multiply_add(int16_t *sum, const int16_t *b, const int16_t a[MOTE_ML_KEM_FEW],
                              uint16_t at);

#endif

/*
 * Arithmetic of ML-DSA (FIPS 204) modulo q = 8380417 and x^256 + 1, with products of 32 bits only:
 * neither a Cortex-M0+ nor an AVR has an instruction for longer ones.
 *
 * A factor w goes with its multiples 2^8 w and 2^16 w modulo q. The other factor is x = x0 + 2^8 x1
 * + 2^16 x2 with digits of -128 to 127 (x2: the rest). Then x0 w + x1 2^8 w + x2 2^16 w is
 * congruent to x w and fits 32 bits, if |w| <= 2^22 and |x| < 1.33 * 2^23. One reduction ends it:
 * since q = 2^23 - 2^13 + 1, any x is x - (x >> 23) q, in -2^21 to 1.25 * 2^23 ("reduced").
 */
#ifndef MOTE_ML_DSA_RING_H
#define MOTE_ML_DSA_RING_H

#include <stdint.h>

#include "mote/assembly.h"

enum { MOTE_ML_DSA_N = 256, MOTE_ML_DSA_SAMPLED = MOTE_ASSEMBLY_ARMV7EM ? 168 : 24 };
#define MOTE_ML_DSA_Q INT32_C(8380417)

/*
 * The transform of FIPS 204, algorithm 41, in place. In: up to 2^19 either way; out: up to 1.25 *
 * 2^27.
 */
void mote_ml_dsa_ntt(int32_t a[MOTE_ML_DSA_N]);

/*
 * The inverse, algorithm 42. In: up to 10 * 2^23 either way (8 products); out: reduced, or on
 * ARMv7E-M below q either way.
 */
void mote_ml_dsa_ntt_inverse(int32_t a[MOTE_ML_DSA_N]);

/*
 * Part of a product by a row of the matrix: `in` are SHAKE128's next bytes for an element of the
 * matrix, aligned for uint32_t, of which every 3 give a coefficient or none (algorithm 30). Adds
 * coefficient times y[i] to sum[i], from i = `from` on; returns the next i, at most 256. y is as
 * mote_ml_dsa_ntt leaves it; sum grows by at most 1.25 * 2^23. In assembly the products may lack a
 * factor, which mote_ml_dsa_ntt_inverse then puts in.
 */
uint16_t mote_ml_dsa_accumulate(int32_t *sum, const int32_t *y,
                                const uint8_t in[MOTE_ML_DSA_SAMPLED], uint16_t from);

#if MOTE_ASSEMBLY_ARMV7EM
/*
 * sum -= a b, of what mote_ml_dsa_ntt leaves; it lacks the factor that mote_ml_dsa_accumulate's
 * products lack. The sum grows by at most 1.25 * 2^23.
 */
void mote_ml_dsa_subtract_product(int32_t sum[MOTE_ML_DSA_N], const int32_t a[MOTE_ML_DSA_N],
                                  const int32_t b[MOTE_ML_DSA_N]);
#else
/* to[i] += from[i], or -= : for i < n, n > 0. */
void mote_ml_dsa_add(int32_t *to, const int32_t *from, uint16_t n);
void mote_ml_dsa_subtract(int32_t *to, const int32_t *from, uint16_t n);
#endif

/* Of 32 bits, either sign. */
static inline int32_t mote_ml_dsa_reduced(int32_t x)
{
    return x - (x >> 23) * MOTE_ML_DSA_Q;
}

#endif

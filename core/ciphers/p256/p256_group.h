/*
 * Points of P-256 in Jacobian coordinates: x = X / Z^2, y = Y / Z^3, all with Montgomery's factor.
 * Z is 0 at infinity.
 */
#ifndef MOTE_P256_GROUP_H
#define MOTE_P256_GROUP_H

#include "p256_field.h"

typedef struct mote_p256_jacobian { uint32_t x[8], y[8], z[8]; } mote_p256_jacobian;
typedef struct mote_p256_affine { uint32_t x[8], y[8]; } mote_p256_affine;

/* True if y^2 = x^3 - 3 x + b: all ones or 0. And the right side alone. */
uint32_t mote_p256_on_curve(const mote_p256_affine *a);
void mote_p256_curve(uint32_t r[8], const uint32_t x[8]);

/*
 * k times a point of the curve, or the base point; k is from 1 to n - 1. Neither a branch nor an
 * address depends on k, but for some thousand values of k with the base point: these are
 * multiplied as with any other point, which takes longer. Nobody meets one by chance.
 */
void mote_p256_times(mote_p256_jacobian *r, const uint32_t k[8], const mote_p256_affine *a);
void mote_p256_base_times(mote_p256_jacobian *r, const uint32_t k[8]);

/* u times the base point + v times a; u and v from 0 to n - 1. Its time depends on all of them. */
void mote_p256_combine(mote_p256_jacobian *r, const uint32_t u[8], const uint32_t v[8],
                       const mote_p256_affine *a);

/* r = 2 a; r may be a. */
void mote_p256_double(mote_p256_jacobian *r, const mote_p256_jacobian *a);
/*
 * r = r + a, neither at infinity; x and y are the differences of their coordinates. Where x is 0,
 * the points are equal (y is 0) or opposite, and r gets Z = 0, which is wrong for equal ones.
 */
void mote_p256_add_affine(mote_p256_jacobian *r, const mote_p256_affine *a, uint32_t x[8],
                          uint32_t y[8]);

/* r is not at infinity. */
void mote_p256_to_affine(mote_p256_affine *r, const mote_p256_jacobian *a);

#endif

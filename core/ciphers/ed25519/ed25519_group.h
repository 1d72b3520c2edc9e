/*
 * The group of Ed25519 (RFC 8032, section 5.1): points of -x^2 + y^2 = 1 + d x^2 y^2, neutral
 * point (0, 1). x = X / Z, y = Y / Z, and T = X Y / Z where a function says so.
 */
#ifndef MOTE_ED25519_GROUP_H
#define MOTE_ED25519_GROUP_H

#include <stdbool.h>

#include "../curve25519/field.h"
#include "ed25519_scalar.h"

typedef struct mote_ed25519_point { mote_f25519 x, y, z, t; } mote_ed25519_point;

/*
 * k times the base point; k is below 2^256 - L and may be lost. Neither a branch nor an address
 * depends on it. r has no T.
 */
void mote_ed25519_base_times(mote_ed25519_point *r, mote_ed25519_scalar *k);

/*
 * True if s times the base point is r + k a; s and k are below L, a and r points of the curve, with
 * Z = 1 and T. Its time depends on all of them.
 */
bool mote_ed25519_is_sum(const mote_ed25519_scalar *s, const mote_ed25519_point *r,
                         const mote_ed25519_scalar *k, const mote_ed25519_point *a);

/* A point as 32 bytes (section 5.1.2); a is lost. */
void mote_ed25519_encode(uint8_t bytes[32], mote_ed25519_point *a);
/*
 * And back, with Z = 1 and T (section 5.1.3): false if y is not below p, no point has this y, or x
 * is 0 and has a sign. For public points: its time shows which it is.
 */
bool mote_ed25519_decode(mote_ed25519_point *r, const uint8_t bytes[32]);

#endif

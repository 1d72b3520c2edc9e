/* The ladder of X25519, which may be in assembly. */
#ifndef MOTE_CURVE25519_LADDER_H
#define MOTE_CURVE25519_LADDER_H

#include "field.h"

/*
 * The multiple x2 / z2 of the point with the coordinate x1. A bit of `turns` is 1 where a bit of
 * the scalar and the next higher one differ; the highest bit is not used. The lowest bit of the
 * scalar is 0. x1 may be x2 or z2.
 */
void mote_x25519_climb(mote_f25519 *x2, mote_f25519 *z2, const mote_f25519 *x1,
                       const uint32_t turns[8]);

#endif

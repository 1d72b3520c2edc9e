/*
 * X25519, Ed25519 and P-256 in the least flash, many times slower than mote/curve25519.h,
 * mote/ed25519.h and mote/p256.h, which say what the functions of the same names do.
 * core/ciphers/small_curves
 */
#ifndef MOTE_SMALL_CURVES_H
#define MOTE_SMALL_CURVES_H

#include <stddef.h>
#include <stdint.h>

uint8_t mote_x25519_small(uint8_t secret[32], const uint8_t private_key[32],
                          const uint8_t peer[32]);
void mote_x25519_small_public(uint8_t public_key[32], const uint8_t private_key[32]);

#endif

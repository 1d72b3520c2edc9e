/*
 * X25519, Ed25519 and P-256 in the least flash, many times slower than mote/curve25519.h,
 * mote/ed25519.h and mote/p256.h, which say what the functions of the same names do.
 * core/ciphers/small_curves
 */
#ifndef MOTE_SMALL_CURVES_H
#define MOTE_SMALL_CURVES_H

#include <stddef.h>
#include <stdint.h>

#include "mote/ed25519.h"
#include "mote/p256.h"

uint8_t mote_x25519_small(uint8_t secret[32], const uint8_t private_key[32],
                          const uint8_t peer[32]);
void mote_x25519_small_public(uint8_t public_key[32], const uint8_t private_key[32]);

void mote_ed25519_small_expand(mote_ed25519_signer *signer, const uint8_t private_key[32]);
void mote_ed25519_small_public_key(uint8_t public_key[32], const uint8_t private_key[32]);
void mote_ed25519_small_sign(uint8_t signature[64], const mote_ed25519_signer *signer,
                             const uint8_t *message, size_t len);
int mote_ed25519_small_verify(const uint8_t signature[64], const uint8_t public_key[32],
                              const uint8_t *message, size_t len);

int mote_p256_small_keygen(uint8_t key[32], uint8_t point[65], const uint8_t random[32]);
int mote_p256_small_public_key(uint8_t point[65], const uint8_t key[32]);
int mote_p256_small_agree(uint8_t secret[32], const uint8_t key[32], const uint8_t *peer,
                          size_t peer_len);
int mote_p256_small_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32]);
int mote_p256_small_sign_with(uint8_t signature[64], const uint8_t key[32],
                              const uint8_t digest[32], const uint8_t nonce[32]);
int mote_p256_small_verify(const uint8_t *point, size_t point_len, const uint8_t digest[32],
                           const uint8_t signature[64]);
/* SHA-256 of two strings, one behind the other. */
void mote_p256_small_hash(uint8_t digest[32], const uint8_t *first, size_t first_len,
                          const uint8_t *second, size_t second_len);

#endif

/*
 * X25519 (RFC 7748). core/ciphers/curve25519
 *
 * Any 32 bytes are a private key, and any 32 bytes the other side's public key: the highest bit is
 * ignored, and coordinates from p = 2^255 - 19 on are taken modulo p (section 5). Outputs may
 * overlap inputs, and nothing needs alignment.
 */
#ifndef MOTE_CURVE25519_H
#define MOTE_CURVE25519_H

#include <stdint.h>

/*
 * 1 if the shared secret is zero, which it is where the public key is a point of small order:
 * refuse it then (section 6.1); else 0. Both take the same time.
 */
uint8_t mote_x25519(uint8_t secret[32], const uint8_t private_key[32], const uint8_t peer[32]);
void mote_x25519_public(uint8_t public_key[32], const uint8_t private_key[32]);

#endif

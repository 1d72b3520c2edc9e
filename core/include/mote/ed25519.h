/*
 * Ed25519 (RFC 8032, section 5.1; FIPS 186-5, section 7). For tests and measurements, not for
 * production: docs/reference/ciphers.md.
 *
 * Neither a branch nor an address depends on a private key or on what is made of it, and nor does
 * the time of an instruction, on processors that docs/reference/ciphers.md names. Verification
 * takes public data, and its time depends on them.
 */
#ifndef MOTE_ED25519_H
#define MOTE_ED25519_H

#include <stddef.h>
#include <stdint.h>

enum { MOTE_ED25519_KEY = 32, MOTE_ED25519_SIGNATURE = 64 };

/* Values of a private key for signing (section 5.1.5): secret, except the public key. */
typedef struct mote_ed25519_signer {
    uint8_t scalar[32], prefix[32], public_key[32];
} mote_ed25519_signer;

/* Any 32 bytes are a private key. */
void mote_ed25519_expand(mote_ed25519_signer *signer, const uint8_t private_key[32]);
void mote_ed25519_public_key(uint8_t public_key[32], const uint8_t private_key[32]);

/* The signature may overlap the message. */
void mote_ed25519_sign(uint8_t signature[64], const mote_ed25519_signer *signer,
                       const uint8_t *message, size_t len);

/*
 * 0 if the signature is right, -1 if not. Refused are S from the order on, coordinates from p on,
 * and what is no point (sections 5.1.3 and 5.1.7). The equation is S B = R + k A, without the
 * factor 8 that section 5.1.7 allows to leave out, and k is taken modulo the order of B: of all
 * keys and signatures, points of small order included, those are right that OpenSSL and most other
 * libraries accept.
 */
int mote_ed25519_verify(const uint8_t signature[64], const uint8_t public_key[32],
                        const uint8_t *message, size_t len);

#endif

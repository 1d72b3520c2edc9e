/*
 * ML-KEM (FIPS 203), small: seeds in, keys, ciphertexts and secrets out.
 *
 * Public keys have 384 k + 32 bytes, private keys 768 k + 96, ciphertexts 32 (du k + dv); k is 2, 3
 * and 4 for the sets 512, 768 and 1024. Secrets and coins have 32 bytes, the seed of keys 64 (d,
 * then z). Outputs do not overlap inputs.
 *
 * `keygen` returns 0. `encapsulate` returns 1, and writes nothing, if the public key has a
 * coefficient above the modulus (section 7.2); `decapsulate` if the private key does not have the
 * hash of its public key (7.3). Else they return 0. A ciphertext that was changed gives another
 * secret.
 *
 * Those called small need less stack, two polynomials in the place of k + 1, and more time.
 */
#ifndef MOTE_ML_KEM_H
#define MOTE_ML_KEM_H

#include <stdint.h>

#define MOTE_ML_KEM_SET(level)                                                                 \
    int mote_ml_kem_##level##_keygen(                                                          \
        uint8_t *public_key, uint8_t *private_key, const uint8_t seed[64]);                    \
    int mote_ml_kem_##level##_encapsulate(uint8_t *ciphertext, uint8_t secret[32],             \
                                          const uint8_t *public_key, const uint8_t coins[32]); \
    int mote_ml_kem_##level##_decapsulate(                                                     \
        uint8_t secret[32], const uint8_t *ciphertext, const uint8_t *private_key);

MOTE_ML_KEM_SET(512)
MOTE_ML_KEM_SET(768)
MOTE_ML_KEM_SET(1024)
MOTE_ML_KEM_SET(small_512)
MOTE_ML_KEM_SET(small_768)
MOTE_ML_KEM_SET(small_1024)

#undef MOTE_ML_KEM_SET
#endif

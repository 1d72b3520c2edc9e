/*
 * ML-DSA (FIPS 204): verification.
 *
 * Everything is public: time and memory addresses depend on key, message and signature. About 3 KiB
 * of stack; key and signature are read where they are, in any alignment.
 */
#ifndef MOTE_ML_DSA_H
#define MOTE_ML_DSA_H

#include <stddef.h>
#include <stdint.h>

#include "mote/cipher.h"

/* A parameter set: FIPS 204, tables 1 and 2. */
typedef struct mote_ml_dsa {
    uint16_t key_len, signature_len; /* bytes, of public keys */
    uint8_t k, l;                    /* rows and columns of the matrix */
    uint8_t tau;                     /* coefficients of the challenge that are not 0 */
    uint8_t beta, omega;
    uint8_t z_bits;        /* gamma1 is 2^(z_bits - 1) */
    uint8_t challenge_len; /* bytes */
    uint8_t levels;        /* of high bits, (q - 1) / (2 gamma2): 44 or 16 */
} mote_ml_dsa;

extern const mote_ml_dsa mote_ml_dsa_44, mote_ml_dsa_65, mote_ml_dsa_87;

typedef struct mote_ml_dsa_message {
    const uint8_t *message, *context;
    size_t message_len;
    uint8_t context_len;
    /*
     * HashML-DSA: the hash, and the last byte of its object identifier 2.16.840.1.101.3.4.2.x. Pure
     * ML-DSA: NULL, 0.
     */
    const mote_hash *hash;
    uint8_t hash_identifier;
} mote_ml_dsa_message;

/* Bytes of state and digest that hashes of mote_ml_dsa_message may have. */
enum { MOTE_ML_DSA_HASH_STATE = 224, MOTE_ML_DSA_DIGEST = 64 };

/*
 * 0: the signature is right; 1: it is not. `key` has set->key_len bytes, `signature`
 * set->signature_len.
 */
uint8_t mote_ml_dsa_verify(const mote_ml_dsa *set, const uint8_t *key,
                           const mote_ml_dsa_message *message, const uint8_t *signature);

#endif

/*
 * Verification of SLH-DSA signatures (FIPS 205). core/ciphers/slh_dsa/slh_dsa.c
 *
 * All inputs are public: time depends on message and signature.
 */
#ifndef MOTE_SLH_DSA_H
#define MOTE_SLH_DSA_H

#include <stddef.h>
#include <stdint.h>

/*
 * The functions of FIPS 205, section 11; unused functions are not linked. SHA-2 with 16 bytes needs
 * no SHA-512.
 */
typedef struct mote_slh_hash mote_slh_hash;
extern const mote_slh_hash mote_slh_sha2_16, mote_slh_sha2_32, mote_slh_shake;

/* Table 2. */
typedef struct mote_slh_set {
    const mote_slh_hash *hash;
    uint8_t n;           /* bytes of a hash: 16, 24 or 32 */
    uint8_t layers;      /* of trees, d */
    uint8_t height;      /* of one tree, h' */
    uint8_t fors_height; /* a */
    uint8_t fors_trees;  /* k */
} mote_slh_set;

/*
 * The signed message: a prefix, which names context or hash function, and the message or its
 * hash.
 */
typedef struct mote_slh_message {
    const uint8_t *context, *identifier, *bytes;
    size_t len;
    /* Of the hash function; 0: the message is not hashed before. */
    uint8_t context_len, identifier_len;
} mote_slh_message;

size_t mote_slh_public_len(const mote_slh_set *set);
size_t mote_slh_signature_len(const mote_slh_set *set);

/*
 * 0 for a right signature, else 1. Key and signature have the lengths of the set, and need no
 * alignment.
 */
uint8_t mote_slh_verify(const mote_slh_set *set, const uint8_t *public,
                        const mote_slh_message *message, const uint8_t *signature);

#endif

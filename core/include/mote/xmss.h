/*
 * Verification of XMSS and XMSS^MT signatures (RFC 8391; the sets of SP 800-208).
 * core/ciphers/xmss/xmss.c
 *
 * All inputs are public: time depends on message and signature.
 */
#ifndef MOTE_XMSS_H
#define MOTE_XMSS_H

#include <stddef.h>
#include <stdint.h>

/* A hash function as XMSS uses it; unused functions are not linked. */
typedef struct mote_xmss_hash mote_xmss_hash;
extern const mote_xmss_hash mote_xmss_sha256, mote_xmss_shake256;

typedef struct mote_xmss_set {
    const mote_xmss_hash *hash;
    uint8_t oid;    /* of XMSS or of XMSS^MT */
    uint8_t n;      /* bytes of a hash: 24 or 32 */
    uint8_t height; /* of one tree */
    uint8_t layers; /* of trees: 0 is XMSS, which has one */
} mote_xmss_set;

size_t mote_xmss_public_len(const mote_xmss_set *set);
size_t mote_xmss_signature_len(const mote_xmss_set *set);

/*
 * 0 for a right signature, else 1. Key and signature have the lengths of the set, and need no
 * alignment.
 */
uint8_t mote_xmss_verify(const mote_xmss_set *set, const uint8_t *public, const uint8_t *message,
                         size_t len, const uint8_t *signature);

#endif

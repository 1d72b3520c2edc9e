/*
 * Verification of LMS and HSS signatures (RFC 8554; the sets of SP 800-208). core/ciphers/lms/lms.c
 *
 * All inputs are public: time depends on message and signature.
 */
#ifndef MOTE_LMS_H
#define MOTE_LMS_H

#include <stddef.h>
#include <stdint.h>

/* A hash function as LMS uses it; unused functions are not linked. */
typedef struct mote_lms_hash mote_lms_hash;
extern const mote_lms_hash mote_lms_sha256, mote_lms_shake256;

enum { MOTE_LMS_LEVELS_MAX = 2 };

/* Every level has the same hash and Winternitz parameter. */
typedef struct mote_lms_set {
    const mote_lms_hash *hash;
    uint8_t n;                           /* bytes of a hash: 24 or 32 */
    uint8_t w;                           /* bits of a Winternitz digit: 1, 2, 4 or 8 */
    uint8_t levels;                      /* of HSS; 0: LMS alone */
    uint8_t height[MOTE_LMS_LEVELS_MAX]; /* of the trees, the top one first */
} mote_lms_set;

size_t mote_lms_public_len(const mote_lms_set *set);
size_t mote_lms_signature_len(const mote_lms_set *set);

/*
 * 0 for a right signature, else 1. Key and signature have the lengths of the set, and need no
 * alignment.
 */
uint8_t mote_lms_verify(const mote_lms_set *set, const uint8_t *public, const uint8_t *message,
                        size_t len, const uint8_t *signature);

#endif

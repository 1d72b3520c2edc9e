/*
 * The hash functions that mldsa-native calls, by mote/sha3.h: an implementation with another
 * Keccak.
 */
#ifndef MOTE_MLDSA_FIPS202_H
#define MOTE_MLDSA_FIPS202_H

#include "mote/cipher.h"
#include "mote/sha3.h"

#define SHAKE128_RATE MOTE_SHAKE128_RATE
#define SHAKE256_RATE MOTE_SHAKE256_RATE

typedef mote_sha3 mld_shake128ctx;
typedef mote_sha3 mld_shake256ctx;

#define MOTE_SHAKE(bits)                                                       \
    static inline void mld_shake##bits##_init(mld_shake##bits##ctx *state)     \
    {                                                                          \
        mote_sha3_start(state, MOTE_SHAKE##bits##_RATE);                       \
    }                                                                          \
    static inline void mld_shake##bits##_absorb(                               \
        mld_shake##bits##ctx *state, const uint8_t *in, size_t inlen)          \
    {                                                                          \
        mote_sha3_absorb(state, in, inlen);                                    \
    }                                                                          \
    static inline void mld_shake##bits##_finalize(mld_shake##bits##ctx *state) \
    {                                                                          \
        mote_sha3_end(state, MOTE_SHAKE_SUFFIX);                               \
    }                                                                          \
    static inline void mld_shake##bits##_squeeze(                              \
        uint8_t *out, size_t outlen, mld_shake##bits##ctx *state)              \
    {                                                                          \
        mote_sha3_squeeze(state, out, outlen);                                 \
    }                                                                          \
    static inline void mld_shake##bits##_release(mld_shake##bits##ctx *state)  \
    {                                                                          \
        mote_wipe(state, sizeof *state);                                       \
    }

MOTE_SHAKE(128)
MOTE_SHAKE(256)

static inline void mld_shake256(uint8_t *out, size_t outlen, const uint8_t *in, size_t inlen)
{
    mld_shake256ctx state;
    mld_shake256_init(&state);
    mld_shake256_absorb(&state, in, inlen);
    mld_shake256_finalize(&state);
    mld_shake256_squeeze(out, outlen, &state);
    mld_shake256_release(&state);
}

#endif

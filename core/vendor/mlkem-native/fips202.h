/*
 * The hash functions that mlkem-native calls, by mote/sha3.h: an implementation with another
 * Keccak.
 */
#ifndef MOTE_MLKEM_FIPS202_H
#define MOTE_MLKEM_FIPS202_H

#include "mote/cipher.h"
#include "mote/sha3.h"

#define SHAKE128_RATE MOTE_SHAKE128_RATE
#define SHAKE256_RATE MOTE_SHAKE256_RATE
#define SHA3_256_HASHBYTES 32
#define SHA3_512_HASHBYTES 64

typedef mote_sha3 mlk_shake128ctx;

static inline void mlk_shake128_init(mlk_shake128ctx *state)
{
    mote_sha3_start(state, MOTE_SHAKE128_RATE);
}

static inline void
mlk_shake128_absorb_once(mlk_shake128ctx *state, const uint8_t *input, size_t inlen)
{
    mote_sha3_absorb(state, input, inlen);
    mote_sha3_end(state, MOTE_SHAKE_SUFFIX);
}

static inline void
mlk_shake128_squeezeblocks(uint8_t *output, size_t nblocks, mlk_shake128ctx *state)
{
    mote_sha3_squeeze(state, output, nblocks * SHAKE128_RATE);
}

static inline void mlk_shake128_release(mlk_shake128ctx *state)
{
    mote_wipe(state, sizeof *state);
}

static void mlk_whole(uint8_t rate, uint8_t suffix, uint8_t *output, size_t outlen,
                      const uint8_t *input, size_t inlen)
{
    mote_sha3 state;
    mote_sha3_start(&state, rate);
    mote_sha3_absorb(&state, input, inlen);
    mote_sha3_end(&state, suffix);
    mote_sha3_squeeze(&state, output, outlen);
    mote_wipe(&state, sizeof state);
}

static inline void mlk_shake256(uint8_t *output, size_t outlen, const uint8_t *input, size_t inlen)
{
    mlk_whole(MOTE_SHAKE256_RATE, MOTE_SHAKE_SUFFIX, output, outlen, input, inlen);
}

static inline void mlk_sha3_256(uint8_t *output, const uint8_t *input, size_t inlen)
{
    mlk_whole(MOTE_SHA3_256_RATE, MOTE_SHA3_SUFFIX, output, SHA3_256_HASHBYTES, input, inlen);
}

static inline void mlk_sha3_512(uint8_t *output, const uint8_t *input, size_t inlen)
{
    mlk_whole(MOTE_SHA3_512_RATE, MOTE_SHA3_SUFFIX, output, SHA3_512_HASHBYTES, input, inlen);
}

#endif

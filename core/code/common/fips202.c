/*
 * The functions of fips202.h in PQClean and mupq, made of motebench's own SHA-3
 * (core/ciphers/sha3).
 */
#include "fips202.h"

#define SHAKE(name, bytes)                                                          \
    void name##_inc_init(name##incctx *state)                                       \
    {                                                                               \
        mote_sha3_start(state, bytes);                                              \
    }                                                                               \
    void name##_inc_absorb(name##incctx *state, const uint8_t *input, size_t inlen) \
    {                                                                               \
        mote_sha3_absorb(state, input, inlen);                                      \
    }                                                                               \
    void name##_inc_finalize(name##incctx *state)                                   \
    {                                                                               \
        mote_sha3_end(state, MOTE_SHAKE_SUFFIX);                                    \
    }                                                                               \
    void name##_inc_squeeze(uint8_t *output, size_t outlen, name##incctx *state)    \
    {                                                                               \
        mote_sha3_squeeze(state, output, outlen);                                   \
    }                                                                               \
    void name##_absorb(name##ctx *state, const uint8_t *input, size_t inlen)        \
    {                                                                               \
        name##_inc_init(state);                                                     \
        name##_inc_absorb(state, input, inlen);                                     \
        name##_inc_finalize(state);                                                 \
    }                                                                               \
    void name##_squeezeblocks(uint8_t *output, size_t nblocks, name##ctx *state)    \
    {                                                                               \
        name##_inc_squeeze(output, nblocks * (bytes), state);                       \
    }                                                                               \
    void name(uint8_t *output, size_t outlen, const uint8_t *input, size_t inlen)   \
    {                                                                               \
        name##ctx state;                                                            \
        name##_absorb(&state, input, inlen);                                        \
        name##_inc_squeeze(output, outlen, &state);                                 \
    }                                                                               \
    void name##_ctx_clone(name##ctx *dest, const name##ctx *src)                    \
    {                                                                               \
        *dest = *src;                                                               \
    }                                                                               \
    void name##_inc_ctx_clone(name##incctx *dest, const name##incctx *src)          \
    {                                                                               \
        *dest = *src;                                                               \
    }                                                                               \
    void name##_ctx_release(name##ctx *state)                                       \
    {                                                                               \
        (void)state;                                                                \
    }                                                                               \
    void name##_inc_ctx_release(name##incctx *state)                                \
    {                                                                               \
        (void)state;                                                                \
    }

SHAKE(shake128, SHAKE128_RATE)
SHAKE(shake256, SHAKE256_RATE)

#define SHA3(name, rate, bytes)                                                     \
    void name##_inc_init(name##incctx *state)                                       \
    {                                                                               \
        mote_sha3_start(state, rate);                                               \
    }                                                                               \
    void name##_inc_absorb(name##incctx *state, const uint8_t *input, size_t inlen) \
    {                                                                               \
        mote_sha3_absorb(state, input, inlen);                                      \
    }                                                                               \
    void name##_inc_finalize(uint8_t *output, name##incctx *state)                  \
    {                                                                               \
        mote_sha3_end(state, MOTE_SHA3_SUFFIX);                                     \
        mote_sha3_squeeze(state, output, bytes);                                    \
    }                                                                               \
    void name(uint8_t *output, const uint8_t *input, size_t inlen)                  \
    {                                                                               \
        name##incctx state;                                                         \
        name##_inc_init(&state);                                                    \
        name##_inc_absorb(&state, input, inlen);                                    \
        name##_inc_finalize(output, &state);                                        \
    }                                                                               \
    void name##_inc_ctx_clone(name##incctx *dest, const name##incctx *src)          \
    {                                                                               \
        *dest = *src;                                                               \
    }                                                                               \
    void name##_inc_ctx_release(name##incctx *state)                                \
    {                                                                               \
        (void)state;                                                                \
    }

SHA3(sha3_256, SHA3_256_RATE, 32)
SHA3(sha3_384, SHA3_384_RATE, 48)
SHA3(sha3_512, SHA3_512_RATE, 64)

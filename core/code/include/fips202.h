/*
 * For folders of code from PQClean and mupq without their folder of common files: the functions of
 * its fips202.h, made of motebench's own SHA-3 (core/ciphers/sha3). No memory is allocated.
 */
#ifndef MOTEBENCH_CODE_FIPS202_H
#define MOTEBENCH_CODE_FIPS202_H

#include <stddef.h>
#include <stdint.h>

#include "mote/sha3.h"

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define SHA3_256_RATE 136
#define SHA3_384_RATE 104
#define SHA3_512_RATE 72

typedef mote_sha3 shake128incctx, shake128ctx, shake256incctx, shake256ctx;
typedef mote_sha3 sha3_256incctx, sha3_384incctx, sha3_512incctx;

#define MOTEBENCH_SHAKE(name)                                                        \
    void name##_absorb(name##ctx *state, const uint8_t *input, size_t inlen);        \
    void name##_squeezeblocks(uint8_t *output, size_t nblocks, name##ctx *state);    \
    void name##_ctx_release(name##ctx *state);                                       \
    void name##_ctx_clone(name##ctx *dest, const name##ctx *src);                    \
    void name##_inc_init(name##incctx *state);                                       \
    void name##_inc_absorb(name##incctx *state, const uint8_t *input, size_t inlen); \
    void name##_inc_finalize(name##incctx *state);                                   \
    void name##_inc_squeeze(uint8_t *output, size_t outlen, name##incctx *state);    \
    void name##_inc_ctx_clone(name##incctx *dest, const name##incctx *src);          \
    void name##_inc_ctx_release(name##incctx *state);                                \
    void name(uint8_t *output, size_t outlen, const uint8_t *input, size_t inlen);
MOTEBENCH_SHAKE(shake128)
MOTEBENCH_SHAKE(shake256)
#undef MOTEBENCH_SHAKE

#define MOTEBENCH_SHA3(name)                                                         \
    void name##_inc_init(name##incctx *state);                                       \
    void name##_inc_absorb(name##incctx *state, const uint8_t *input, size_t inlen); \
    void name##_inc_finalize(uint8_t *output, name##incctx *state);                  \
    void name##_inc_ctx_clone(name##incctx *dest, const name##incctx *src);          \
    void name##_inc_ctx_release(name##incctx *state);                                \
    void name(uint8_t *output, const uint8_t *input, size_t inlen);
MOTEBENCH_SHA3(sha3_256)
MOTEBENCH_SHA3(sha3_384)
MOTEBENCH_SHA3(sha3_512)
#undef MOTEBENCH_SHA3

#endif

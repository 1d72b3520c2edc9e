/* Writing the steps (support/steps.h) of many ciphers; in each, `s` is the state. */
#ifndef MOTEBENCH_MBEDTLS_STEPS_OF_H
#define MOTEBENCH_MBEDTLS_STEPS_OF_H

#include "mt.h"

/* Two functions that set up and wipe member `name` of the state. */
#define MT_CONTEXT(name, type)                                                                                       \
    static void name##_init(mt_state *s)                                                                             \
    {                                                                                                                \
        mbedtls_##type##_init(&s->u.name);                                                                           \
    }                                                                                                                \
    static void name##_free(mt_state *s)                                                                             \
    {                                                                                                                \
        mbedtls_##type##_free(&s->u.name);                                                                           \
    }

/* A step that sets the key: `call` with `key` and `bits`. */
#define MT_KEY(name, call)                                                                                           \
    static mb_status name(mb_job *job)                                                                               \
    {                                                                                                                \
        mt_state *s = job->ctx;                                                                                      \
        const uint8_t *key = job->key;                                                                               \
        const unsigned bits = (unsigned)job->key_len * 8;                                                            \
        (void)bits;                                                                                                  \
        return mt_check(call);                                                                                       \
    }

/* A step that processes data: `call` with `in`, `len`, `out`. */
#define MT_CRYPT(name, call)                                                                                         \
    static mb_status name(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)                                  \
    {                                                                                                                \
        mt_state *s = job->ctx;                                                                                      \
        return mt_check(call);                                                                                       \
    }

/* The same for a function that takes one block: `call` with `in + i`, `out + i`. ECB in the library is that. */
#define MT_ECB(name, block, call)                                                                                    \
    static mb_status name(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)                                  \
    {                                                                                                                \
        mt_state *s = job->ctx;                                                                                      \
        int code = 0;                                                                                                \
        for (size_t i = 0; i < len && code == 0; i += (block))                                                       \
            code = call;                                                                                             \
        return mt_check(code);                                                                                       \
    }

/* Modes of a block cipher: `context` names the functions of MT_CONTEXT, `key` sets the key. */
#define MT_ECB_MODE(context, key, size)                                                                              \
    {                                                                                                                \
        .steps = {.set_key = (key), .encrypt = context##_ecb_encrypt, .decrypt = context##_ecb_decrypt,              \
                  .block = (size), .padded = true},                                                                  \
        .init = context##_init, .free = context##_free                                                               \
    }
#define MT_CBC_MODE(context, key, size)                                                                              \
    {                                                                                                                \
        .steps = {.set_key = (key), .begin = mt_begin_iv, .encrypt = context##_cbc_encrypt,                          \
                  .decrypt = context##_cbc_decrypt, .block = (size), .padded = true},                                \
        .init = context##_init, .free = context##_free, .nonce_min = (size), .nonce_max = (size)                     \
    }
#define MT_STREAM_MODE(context, key, size, encrypts, decrypts)                                                       \
    {                                                                                                                \
        .steps = {.set_key = (key), .begin = mt_begin_iv, .encrypt = (encrypts), .decrypt = (decrypts), .block = 1}, \
        .init = context##_init, .free = context##_free, .nonce_min = (size), .nonce_max = (size)                     \
    }

#endif

/* Writing the steps (support/steps.h) of many ciphers; in each, `s` is the state. */
#ifndef MOTEBENCH_MBEDTLS_STEPS_OF_H
#define MOTEBENCH_MBEDTLS_STEPS_OF_H

#include "mbedtls_adapter.h"

/* Two functions that set up and wipe member `name` of the state. */
#define ADAPTER_CONTEXT(name, type)           \
    static void name##_init(adapter_state *s) \
    {                                         \
        mbedtls_##type##_init(&s->u.name);    \
    }                                         \
    static void name##_free(adapter_state *s) \
    {                                         \
        mbedtls_##type##_free(&s->u.name);    \
    }

/* A step that sets the key: `call` with `key` and `bits`. */
#define ADAPTER_KEY(name, call)                           \
    static mb_status name(mb_job *job)                    \
    {                                                     \
        adapter_state *s = job->ctx;                      \
        const uint8_t *key = job->key;                    \
        const unsigned bits = (unsigned)job->key_len * 8; \
        (void)bits;                                       \
        return adapter_check(call);                       \
    }

/* A step that processes data: `call` with `in`, `len`, `out`. */
#define ADAPTER_STEP(name, call)                                                    \
    static mb_status name(mb_job *job, const uint8_t *in, size_t len, uint8_t *out) \
    {                                                                               \
        adapter_state *s = job->ctx;                                                \
        return adapter_check(call);                                                 \
    }

/* With the loop of it. */
#define ADAPTER_CRYPT(name, call) \
    ADAPTER_STEP(name, call)      \
    MB_BULK(name##_bulk, name)

/*
 * The same for a function that takes one block: `call` with `in + i`, `out + i`. ECB in the library
 * is that.
 */
#define ADAPTER_ECB(name, block, call)                                              \
    static mb_status name(mb_job *job, const uint8_t *in, size_t len, uint8_t *out) \
    {                                                                               \
        adapter_state *s = job->ctx;                                                \
        int code = 0;                                                               \
        for (size_t i = 0; i < len && code == 0; i += (block))                      \
            code = call;                                                            \
        return adapter_check(code);                                                 \
    }                                                                               \
    MB_BULK(name##_bulk, name)

/* Members of mb_steps: both directions, and the loops of them. */
#define ADAPTER_BULK(encrypts, decrypts)      \
    .encrypt = encrypts, .decrypt = decrypts, \
    .runs = {.encrypt = encrypts##_bulk, .decrypt = decrypts##_bulk}

/* Modes of a block cipher: `context` names the functions of ADAPTER_CONTEXT, `key` sets the key. */
#define ADAPTER_ECB_MODE(context, key, size)                               \
    {.steps = {.set_key = (key),                                           \
               ADAPTER_BULK(context##_ecb_encrypt, context##_ecb_decrypt), \
               .block = (size),                                            \
               .padded = true},                                            \
     .init = context##_init,                                               \
     .free = context##_free}
#define ADAPTER_CBC_MODE(context, key, size)                               \
    {.steps = {.set_key = (key),                                           \
               .begin = adapter_begin_iv,                                  \
               ADAPTER_BULK(context##_cbc_encrypt, context##_cbc_decrypt), \
               .block = (size),                                            \
               .padded = true},                                            \
     .init = context##_init,                                               \
     .free = context##_free,                                               \
     .nonce_min = (size),                                                  \
     .nonce_max = (size)}
#define ADAPTER_STREAM_MODE(context, key, size, encrypts, decrypts) \
    {.steps = {.set_key = (key),                                    \
               .begin = adapter_begin_iv,                           \
               ADAPTER_BULK(encrypts, decrypts),                    \
               .block = 1},                                         \
     .init = context##_init,                                        \
     .free = context##_free,                                        \
     .nonce_min = (size),                                           \
     .nonce_max = (size)}

#endif

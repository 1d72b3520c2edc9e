/* Hash functions of Mbed TLS as descriptors. */
#include "tls.h"

/* The name of a function that says whether it failed. */
#if MBEDTLS_VERSION_MAJOR >= 3
#define TLS_RETURNS(name) name
#else
#define TLS_RETURNS(name) name##_ret
#endif

/*
 * Functions of the hash `id`, which the library calls `family`; `starts` begins the message of the
 * context `s`.
 */
#define HASH(id, family, starts)                                                         \
    static void id##_start(void *state)                                                  \
    {                                                                                    \
        mbedtls_##family##_context *s = state;                                           \
        mbedtls_##family##_init(s);                                                      \
        mote_library_check((starts) != 0);                                               \
    }                                                                                    \
    static void id##_update(void *state, const uint8_t *in, size_t len)                  \
    {                                                                                    \
        mote_library_check(TLS_RETURNS(mbedtls_##family##_update)(state, in, len) != 0); \
    }                                                                                    \
    static void id##_finish(void *state, uint8_t *digest)                                \
    {                                                                                    \
        mote_library_check(TLS_RETURNS(mbedtls_##family##_finish)(state, digest) != 0);  \
    }
#define HASH_ROW(id, family, len)                                   \
    MOTE_PICK(id, {.name = #id,                                     \
                   .digest_len = (len),                             \
                   .state_len = sizeof(mbedtls_##family##_context), \
                   .start = id##_start,                             \
                   .update = id##_update,                           \
                   .finish = id##_finish})

/*
 * Shared by all wrappers of Mbed TLS, 2.28 and 3.6. Contexts are made ready by filling them with
 * zeros, which is how the adapter hands states over, so set_key does not do it again.
 */
#ifndef MOTE_VENDOR_TLS_H
#define MOTE_VENDOR_TLS_H

#include <mbedtls/version.h> /* and with it the configuration */
#include <stdint.h>

#include "mote/library.h"
#include "vendor/pick.h"

/* The library takes schedules through pointers that are not const, and leaves them as they are. */
#define TLS_SCHEDULE(chain) ((void *)(uintptr_t)(chain)->schedule)

/* A mode's function; `s` is the schedule of that type, and `call` gives an error code. */
#define TLS_CRYPT(name, type, call)                                            \
    static void name(void *state, const uint8_t *in, uint8_t *out, size_t len) \
    {                                                                          \
        mote_chain *chain = state;                                             \
        type *s = TLS_SCHEDULE(chain);                                         \
        mote_library_check((call) != 0);                                       \
    }
/* The same for a mode that counts in `used` how much of the last block it has used up. */
#define TLS_STREAM(name, type, call)                                           \
    static void name(void *state, const uint8_t *in, uint8_t *out, size_t len) \
    {                                                                          \
        mote_chain *chain = state;                                             \
        type *s = TLS_SCHEDULE(chain);                                         \
        size_t used = chain->used;                                             \
        mote_library_check((call) != 0);                                       \
        chain->used = (uint8_t)used;                                           \
    }
/* The same for a call that handles one block of `size` bytes, from `in` to `out`. */
#define TLS_ECB(name, type, size, call)                                        \
    static void name(void *state, const uint8_t *in, uint8_t *out, size_t len) \
    {                                                                          \
        mote_chain *chain = state;                                             \
        type *s = TLS_SCHEDULE(chain);                                         \
        for (; len > 0; len -= (size), in += (size), out += (size))            \
            mote_library_check((call) != 0);                                   \
    }
#define TLS_KEY(name, type, call)                        \
    static void name(void *schedule, const uint8_t *key) \
    {                                                    \
        type *s = schedule;                              \
        mote_library_check((call) != 0);                 \
    }
#define TLS_MODE_ECB(encrypts, decrypts) \
    {.name = "ecb", .whole_blocks = 1, .inverts = 1, .encrypt = (encrypts), .decrypt = (decrypts)}
#define TLS_MODE_CBC(encrypts, decrypts) \
    {.name = "cbc",                      \
     .has_iv = 1,                        \
     .whole_blocks = 1,                  \
     .inverts = 1,                       \
     .encrypt = (encrypts),              \
     .decrypt = (decrypts)}
#define TLS_MODE_STREAM(label, encrypts, decrypts) \
    {.name = (label),                              \
     .has_iv = 1,                                  \
     .encrypt = (encrypts),                        \
     .decrypt = (decrypts),                        \
     .library = &tls_stream}

/* The library's modes begin with none of a block used up. */
static inline uint8_t tls_begin(mote_chain *chain, size_t len)
{
    (void)len;
    chain->used = 0;
    return 1;
}

static const mote_library_mode tls_stream __attribute__((unused)) = {.begin = tls_begin};

#endif

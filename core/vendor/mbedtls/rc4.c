/*
 * Mbed TLS's RC4. It has no nonce: a message starts from the state that the key gave, so there are
 * two of them.
 */
#include "tls.h"

#include <mbedtls/arc4.h>

typedef struct rc4_state { mbedtls_arc4_context keyed, now; } rc4_state;

static void key_5(void *state, const uint8_t *key)
{
    rc4_state *s = state;
    mbedtls_arc4_setup(&s->keyed, key, 5);
}

static void key_16(void *state, const uint8_t *key)
{
    rc4_state *s = state;
    mbedtls_arc4_setup(&s->keyed, key, 16);
}

static void start(void *state, const uint8_t *nonce, uint8_t nonce_len)
{
    rc4_state *s = state;
    (void)nonce, (void)nonce_len;
    s->now = s->keyed;
}

static void process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    rc4_state *s = state;
    mote_library_check(mbedtls_arc4_crypt(&s->now, len, in, out) != 0);
}

#define CIPHER(label, len)           \
    {.name = (label),                \
     .key_len = (len),               \
     .state_len = sizeof(rc4_state), \
     .set_key = key_##len,           \
     .start = start,                 \
     .process = process}
static const mote_stream_cipher streams[] = {
    MOTE_PICK(rc4_40, CIPHER("rc4-40", 5)) MOTE_PICK(rc4_128, CIPHER("rc4-128", 16))};

MOTE_IMPLEMENTATION(mbedtls_rc4) = {.name = "rc4", MOTE_STREAMS(streams)};

/*
 * RC4 with keys of 40 and 128 bits.
 *
 * draft-kaukonen-cipher-arcfour-03. There is no nonce: a message is the start of the key stream of
 * its key, so the permutation that the key gives is kept beside the one that changes. No tables.
 * Memory addresses depend on secrets: they leak through time where there is a data cache; without
 * one (AVR, Cortex-M0+) nothing does.
 */
#include "mote/cipher.h"
#include "mote/xor.h"

typedef struct rc4_state {
    _Alignas(uint32_t) uint8_t keyed[256];
    _Alignas(uint32_t) uint8_t s[256];
    uint8_t i, j;
} rc4_state;

static void set_key(rc4_state *state, const uint8_t *key, uint8_t len)
{
    uint8_t *s = state->keyed, i = 0, j = 0, k = 0;
    do {
        s[i] = i;
        i++;
    } while (i != 0);
    do {
        const uint8_t t = s[i];
        j = (uint8_t)(j + t + key[k]);
        s[i] = s[j];
        s[j] = t;
        k = (uint8_t)(k + 1 == len ? 0 : k + 1);
        i++;
    } while (i != 0);
}

static void set_key_40(void *state, const uint8_t *key)
{
    set_key(state, key, 5);
}

static void set_key_128(void *state, const uint8_t *key)
{
    set_key(state, key, 16);
}

static void start(void *state, const uint8_t *nonce, uint8_t nonce_len)
{
    rc4_state *r = state;
    (void)nonce;
    (void)nonce_len;
    mote_copy_words(r->s, r->keyed, sizeof r->s / 4);
    r->i = 0;
    r->j = 0;
}

static void process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    rc4_state *r = state;
    uint8_t *s = r->s, i = r->i, j = r->j;
    while (len-- > 0) {
        i++;
        const uint8_t a = s[i];
        j = (uint8_t)(j + a);
        const uint8_t b = s[j];
        s[i] = b;
        s[j] = a;
        *out++ = *in++ ^ s[(uint8_t)(a + b)];
    }
    r->i = i;
    r->j = j;
}

static const mote_stream_cipher ciphers[] = {
    {.name = "rc4-40",
     .key_len = 5,
     .state_len = sizeof(rc4_state),
     .set_key = set_key_40,
     .start = start,
     .process = process},
    {.name = "rc4-128",
     .key_len = 16,
     .state_len = sizeof(rc4_state),
     .set_key = set_key_128,
     .start = start,
     .process = process},
};

MOTE_IMPLEMENTATION(rc4) = {.name = "rc4", MOTE_STREAMS(ciphers)};

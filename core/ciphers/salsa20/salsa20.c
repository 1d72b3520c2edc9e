/*
 * Salsa20 with 20 rounds (256-bit and 128-bit keys) and with 12 (256-bit keys); 64-bit nonces.
 *
 * Bernstein: Salsa20 specification, 2005; the block counter, of 64 bits, begins at 0.
 *
 * All eight quarter rounds of a double round are written out. No tables. Time and memory addresses
 * do not depend on secrets.
 */
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"

enum { KEY = 32, SHORT_KEY = 16, NONCE = 8, BLOCK = 64 };

typedef struct salsa20_state {
    uint32_t input[16];    /* constants, key, nonce, counter: section 9 */
    uint8_t stream[BLOCK]; /* of the block before the counter */
    uint8_t used;          /* bytes of stream */
} salsa20_state;

static void set_halves(salsa20_state *s, const uint8_t *first, const uint8_t *second)
{
    for (uint8_t i = 0; i < 4; i++) {
        s->input[1 + i] = mote_load32le(first + 4 * i);
        s->input[11 + i] = mote_load32le(second + 4 * i);
    }
}

static void set_key(void *state, const uint8_t *key)
{
    salsa20_state *s = state;
    s->input[0] = UINT32_C(0x61707865); /* "expand 32-byte k" */
    s->input[5] = UINT32_C(0x3320646e);
    s->input[10] = UINT32_C(0x79622d32);
    s->input[15] = UINT32_C(0x6b206574);
    set_halves(s, key, key + 16);
}

static void set_short_key(void *state, const uint8_t *key)
{
    salsa20_state *s = state;
    s->input[0] = UINT32_C(0x61707865); /* "expand 16-byte k" */
    s->input[5] = UINT32_C(0x3120646e);
    s->input[10] = UINT32_C(0x79622d36);
    s->input[15] = UINT32_C(0x6b206574);
    set_halves(s, key, key);
}

static void start(void *state, const uint8_t *nonce, uint8_t nonce_len)
{
    salsa20_state *s = state;
    (void)nonce_len;
    s->input[6] = mote_load32le(nonce);
    s->input[7] = mote_load32le(nonce + 4);
    s->input[8] = 0;
    s->input[9] = 0;
    s->used = BLOCK;
}

static inline void quarter_round(uint32_t *pa, uint32_t *pb, uint32_t *pc, uint32_t *pd)
{
    uint32_t a = *pa, b = *pb, c = *pc, d = *pd;
    b ^= mote_rotl32(a + d, 7);
    c ^= mote_rotl32(b + a, 9);
    d ^= mote_rotl32(c + b, 13);
    a ^= mote_rotl32(d + c, 18);
    *pa = a;
    *pb = b;
    *pc = c;
    *pd = d;
}

static void next_block(salsa20_state *s, uint8_t double_rounds)
{
    uint32_t x[16];
    uint8_t i;
    memcpy(x, s->input, sizeof x);
    for (i = 0; i < double_rounds; i++) {
        quarter_round(&x[0], &x[4], &x[8], &x[12]);
        quarter_round(&x[5], &x[9], &x[13], &x[1]);
        quarter_round(&x[10], &x[14], &x[2], &x[6]);
        quarter_round(&x[15], &x[3], &x[7], &x[11]);
        quarter_round(&x[0], &x[1], &x[2], &x[3]);
        quarter_round(&x[5], &x[6], &x[7], &x[4]);
        quarter_round(&x[10], &x[11], &x[8], &x[9]);
        quarter_round(&x[15], &x[12], &x[13], &x[14]);
    }
    for (i = 0; i < 16; i++)
        mote_store32le(s->stream + 4 * i, x[i] + s->input[i]);
    if (++s->input[8] == 0)
        s->input[9]++;
    s->used = 0;
    mote_wipe(x, sizeof x);
}

static void process(salsa20_state *s, uint8_t double_rounds, const uint8_t *in, uint8_t *out,
                    size_t len)
{
    while (len > 0) {
        if (s->used == BLOCK)
            next_block(s, double_rounds);
        const uint8_t left = (uint8_t)(BLOCK - s->used);
        const uint8_t n = (uint8_t)(len < left ? len : left);
        const uint8_t *k = s->stream + s->used;
        uint8_t i;
        for (i = n; i > 0; i--)
            *out++ = *in++ ^ *k++;
        s->used = (uint8_t)(s->used + n);
        len -= n;
    }
}

static void process_20(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    process(state, 10, in, out, len);
}

static void process_12(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    process(state, 6, in, out, len);
}

#define SALSA20(label, key_bytes, setter, processor) \
    {.name = label,                                  \
     .key_len = key_bytes,                           \
     .nonce_min = NONCE,                             \
     .nonce_max = NONCE,                             \
     .state_len = sizeof(salsa20_state),             \
     .set_key = setter,                              \
     .start = start,                                 \
     .process = processor}

static const mote_stream_cipher ciphers[] = {
    SALSA20("salsa20", KEY, set_key, process_20),
    SALSA20("salsa20-128", SHORT_KEY, set_short_key, process_20),
    SALSA20("salsa20-12", KEY, set_key, process_12),
};

MOTE_IMPLEMENTATION(salsa20) = {.name = "salsa20", MOTE_STREAMS(ciphers), .constant_time = 1};

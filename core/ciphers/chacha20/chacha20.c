/*
 * ChaCha20.
 *
 * RFC 8439, section 2.4, with a 96-bit nonce and a counter from 0; or 16 bytes, of which the first
 * four are where the counter starts, little-endian. The counter has 32 bits: a message ends before
 * 256 GiB.
 *
 * All eight quarter rounds of a double round are written out. No tables. Time and memory addresses
 * do not depend on secrets.
 */
#include "chacha20_core.h"
#include "mote/bytes.h"
#include "mote/cipher.h"

static void set_key(void *state, const uint8_t *key)
{
    mote_chacha20_key(state, key);
}

static void start(void *state, const uint8_t *nonce, uint8_t nonce_len)
{
    if (nonce_len == 16)
        mote_chacha20_start(state, mote_load32le(nonce), nonce + 4);
    else
        mote_chacha20_start(state, 0, nonce);
}

static void process(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    mote_chacha20_process(state, in, out, len);
}

static const mote_stream_cipher ciphers[] = {
    {.name = "chacha20",
     .key_len = CHACHA20_KEY,
     .nonce_min = 12,
     .nonce_max = 16,
     .state_len = sizeof(mote_chacha20_state),
     .set_key = set_key,
     .start = start,
     .process = process},
};

MOTE_IMPLEMENTATION(chacha20) = {.name = "chacha20", MOTE_STREAMS(ciphers), .constant_time = 1};

/*
 * ChaCha20.
 *
 * RFC 8439, section 2.4, with a 96-bit nonce and a counter from 0; or 16 bytes, of which the first
 * four are where the counter starts, little-endian. The counter has 32 bits: a message ends before
 * 256 GiB.
 *
 * All eight quarter rounds of a double round are written out. No tables. RAM: 132 bytes of state, a
 * block of it key stream kept for the next piece; in C 146 bytes of stack at -Os and 374 at -O2 on
 * an ATmega2560. Time and memory addresses do not depend on secrets.
 *
 * ATmega2560: the ChaCha20 function is in assembly there (chacha20_core_avr.S; 1,452 bytes of
 * flash, 26 of stack; for the AEADs too). A long message takes 171 cycles a byte (-Os: 177), one of
 * 64 bytes 11,238 in all. In C, avr-gcc 5.4 -O2, 232 a byte (-Os: 333).
 *
 * Cortex-M0+ without wait states: in assembly too (chacha20_core_armv6m.S; 488 bytes of flash, 84
 * of stack): 64 bytes more of a message take 2,581 cycles. In C, gcc 12.2 -O2, 4,210.
 *
 * Cortex-M4 and -M3 without wait states: in assembly too (chacha20_core_armv7m.S; 1,112 bytes of
 * flash, 88 of stack): 64 bytes more of a message take 938 cycles.
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

/*
 * ChaCha20-Poly1305.
 *
 * RFC 8439, section 2.8. Poly1305 computes with ten limbs of 13 bits, for multipliers of 16 x 16
 * bits. No tables. RAM: some 240 bytes of state, of it 64 of key stream; stack of an ATmega2560, in
 * C, 157 bytes at -Os, 385 at -O2. Time and memory addresses do not depend on secrets where
 * multiplications take constant time (not on a Cortex-M3, for example).
 *
 * ATmega2560: the ChaCha20 function and the products of Poly1305 are in assembly there
 * (chacha20_core_avr.S, 1,452 bytes of flash, poly1305_avr.S, 516). A long message takes 495 cycles
 * a byte (-Os), in C, avr-gcc 5.4, 814 (-O2: 699).
 *
 * Cortex-M0+ without wait states: in assembly the ChaCha20 function and all of a block of Poly1305
 * (chacha20_core_armv6m.S, 488 bytes of flash, 84 of stack; poly1305_armv6m.S, 1,220 and 108): 64
 * bytes more of a message take 5,113 cycles. In C, gcc 12.2 -O2, 13,074.
 */
#include "chacha20_aead.h"

static void set_key(void *state, const uint8_t *key)
{
    mote_chacha20_aead *s = state;
    mote_chacha20_key(&s->cipher, key);
}

static void start(void *state, const mote_aead_message *message)
{
    mote_chacha20_aead_start(state, message, message->nonce);
}

static const mote_aead aeads[] = {
    {.name = "chacha20-poly1305",
     .key_len = CHACHA20_KEY,
     .nonce_min = 12,
     .nonce_max = 12,
     .tag_min = 16,
     .tag_max = 16,
     .state_len = sizeof(mote_chacha20_aead),
     .set_key = set_key,
     .start = start,
     .encrypt = mote_chacha20_aead_encrypt,
     .decrypt = mote_chacha20_aead_decrypt,
     .tag = mote_chacha20_aead_tag},
};

MOTE_IMPLEMENTATION(chacha20_poly1305) = {
    .name = "chacha20-poly1305", MOTE_AEADS(aeads), .constant_time = 1};

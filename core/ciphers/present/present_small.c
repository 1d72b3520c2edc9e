/*
 * PRESENT, for little flash.
 *
 * Bogdanov et al.: PRESENT: An Ultra-Lightweight Block Cipher, CHES 2007. Bytes of blocks and keys
 * come most significant first, as in the paper's test vectors.
 *
 * One S-box at a time; the bit permutation shifts bit w of its output into word w of 16 bits.
 * Look-ups depend on secrets, but a table is no longer than 16 bytes: it may span two cache lines,
 * and leak through time, where there is a data cache; without one (AVR, Cortex-M0+) nothing does.
 */
#define PRESENT_INVERSE
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "present_schedule.h"
#include "sbox.h"

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *k = schedule, *end = k + 8 * PRESENT_ROUNDS;
    uint8_t s[8], i;
    for (i = 0; i < 8; i++)
        s[i] = in[7 - i];
    do {
        uint16_t w0 = 0, w1 = 0, w2 = 0, w3 = 0;
        for (i = 16; i-- > 0;) {
            uint8_t v = s[i >> 1] ^ k[i >> 1];
            v = present_sbox[i & 1 ? v >> 4 : v & 0x0f];
            w0 = (uint16_t)((uint16_t)(w0 << 1) | (v & 1));
            w1 = (uint16_t)((uint16_t)(w1 << 1) | (v >> 1 & 1));
            w2 = (uint16_t)((uint16_t)(w2 << 1) | (v >> 2 & 1));
            w3 = (uint16_t)((uint16_t)(w3 << 1) | v >> 3);
        }
        mote_store16le(s, w0);
        mote_store16le(s + 2, w1);
        mote_store16le(s + 4, w2);
        mote_store16le(s + 6, w3);
        k += 8;
    } while (k != end);
    for (i = 0; i < 8; i++)
        out[7 - i] = s[i] ^ k[i];
    mote_wipe(s, sizeof s);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint8_t *end = schedule, *k = end + 8 * PRESENT_ROUNDS;
    uint8_t s[8], i;
    for (i = 0; i < 8; i++)
        s[i] = in[7 - i] ^ k[i];
    do {
        uint16_t w0 = mote_load16le(s), w1 = mote_load16le(s + 2), w2 = mote_load16le(s + 4),
                 w3 = mote_load16le(s + 6);
        k -= 8;
        for (i = 0; i < 16; i++) {
            uint8_t v = (uint8_t)((w0 & 1) | (w1 & 1) << 1 | (w2 & 1) << 2 | (w3 & 1) << 3);
            v = present_inverse[v];
            if (i & 1)
                s[i >> 1] ^= (uint8_t)(v << 4);
            else
                s[i >> 1] = k[i >> 1] ^ v;
            w0 >>= 1;
            w1 >>= 1;
            w2 >>= 1;
            w3 >>= 1;
        }
    } while (k != end);
    for (i = 0; i < 8; i++)
        out[7 - i] = s[i];
    mote_wipe(s, sizeof s);
}

#include "present_ciphers.h"

MOTE_IMPLEMENTATION(present_small) = {.name = "present-small", MOTE_BLOCKS(ciphers)};

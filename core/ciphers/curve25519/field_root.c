/* Square roots of the field, which points of Edwards curves need (RFC 8032, section 5.1.3). */
#include "field.h"
#include "mote/flash.h"

enum { WORDS = MOTE_F25519_WORDS };

/* 2^((p - 1) / 4): its square is -1. */
static const uint32_t MOTE_FLASH root_of_minus_one[WORDS] = {
    0x4a0ea0b0, 0xc4ee1b27, 0xad2fe478, 0x2f431806, 0x3dfbd7a7, 0x2b4d0099, 0x4fc1df0b, 0x2b832480};

uint8_t mote_f25519_is_zero(const mote_f25519 *a)
{
    mote_f25519 copy = *a;
    uint8_t bytes[32], any = 0;
    mote_f25519_store(bytes, &copy);
    for (uint8_t i = 0; i < sizeof bytes; i++)
        any |= bytes[i];
    return (uint8_t)((any + 0xffu) >> 8 ^ 1);
}

uint8_t mote_f25519_root(mote_f25519 *r, const mote_f25519 *u, const mote_f25519 *v)
{
    mote_f25519 cube, t;
    uint8_t right, opposite;
    mote_f25519_square(&t, v, 1);
    mote_f25519_multiply(&cube, &t, v);
    mote_f25519_square(&t, &cube, 1);
    mote_f25519_multiply(&t, &t, v);
    mote_f25519_multiply(&t, &t, u); /* u v^7 */
    mote_f25519_root_power(r, &t);
    mote_f25519_multiply(r, r, &cube);
    mote_f25519_multiply(r, r, u);
    /* Its square is u / v or -u / v, if there is a root. */
    mote_f25519_square(&t, r, 1);
    mote_f25519_multiply(&t, &t, v);
    mote_f25519_subtract(&cube, &t, u);
    right = mote_f25519_is_zero(&cube);
    mote_f25519_add(&cube, &t, u);
    opposite = mote_f25519_is_zero(&cube);
    for (uint8_t i = 0; i < WORDS; i++)
        t.w[i] = root_of_minus_one[i];
    mote_f25519_multiply(&t, &t, r);
    mote_f25519_select(r, r, &t, opposite & (right ^ 1));
    return right | opposite;
}

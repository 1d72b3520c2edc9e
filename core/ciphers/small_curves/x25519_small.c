/* X25519 in the least code: the ladder of Montgomery (RFC 7748, section 5), in constant time. */
#include <string.h>

#include "mote/cipher.h"
#include "mote/small_curves.h"
#include "numbers.h"

/* x of the point; the pair of points of the ladder; numbers of a step. */
enum { X1, X2, Z2, X3, Z3, A, B, T, A24, COUNT };

static const uint16_t MOTE_FLASH ladder_step[] = {
    MOTE_ADD(A, X2, Z2),
    MOTE_SUB(B, X2, Z2),
    MOTE_ADD(T, X3, Z3),
    MOTE_SUB(Z3, X3, Z3),
    MOTE_MUL(X3, Z3, A),
    MOTE_MUL(T, T, B),
    MOTE_MUL(A, A, A),
    MOTE_MUL(B, B, B),
    MOTE_MUL(X2, A, B),
    MOTE_SUB(B, A, B),
    MOTE_MUL(Z2, B, A24),
    MOTE_ADD(Z2, Z2, A),
    MOTE_MUL(Z2, Z2, B),
    MOTE_ADD(A, X3, T),
    MOTE_SUB(T, X3, T),
    MOTE_MUL(X3, A, A),
    MOTE_MUL(T, T, T),
    MOTE_MUL(Z3, T, X1),
    0,
};

uint8_t mote_x25519_small(uint8_t secret[32], const uint8_t private_key[32], const uint8_t peer[32])
{
    mote_prime prime;
    mote_number v[COUNT], scalar;
    mote_word swap = 0;
    mote_small_set_25519(&prime);
    mote_small_load(&scalar, private_key, MOTE_LOW_FIRST);
    memset(v, 0, sizeof v);
    mote_small_load(&v[X1], peer, MOTE_LOW_FIRST);
    v[X1].w[MOTE_WORDS - 1] &= prime.p.w[MOTE_WORDS - 1];
    mote_small_reduce(&prime, &v[X1], &v[X1], 0);
    v[X3] = v[X1];
    v[X2].w[0] = v[Z3].w[0] = 1;
    mote_small_set(&v[A24], 121665);
    /* The highest bit is 0, the next one 1, and the lowest three are 0. */
    for (uint8_t i = 255; i-- > 0;) {
        const mote_word bit = i == 254 ? 1 : i < 3 ? 0 : mote_small_bit(&scalar, i);
        mote_small_swap(v[X2].w, v[X3].w, 2 * MOTE_WORDS, swap ^ bit);
        mote_small_run(&prime, v, ladder_step);
        swap = bit;
    }
    mote_small_invert(&prime, &v[A], &v[Z2]);
    prime.multiply(&prime, &v[X2], &v[X2], &v[A]);
    mote_small_store(secret, &v[X2], MOTE_LOW_FIRST);
    swap = mote_small_is_zero(&v[X2]);
    mote_wipe(v, sizeof v);
    mote_wipe(&scalar, sizeof scalar);
    return (uint8_t)swap;
}

void mote_x25519_small_public(uint8_t public_key[32], const uint8_t private_key[32])
{
    static const uint8_t base[32] = {9};
    (void)mote_x25519_small(public_key, private_key, base);
}

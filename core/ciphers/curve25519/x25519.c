/*
 * X25519: the ladder of Montgomery (RFC 7748, section 5), in constant time.
 *
 * A step does not exchange two points, which would move 128 bytes twice. Both orders of the points
 * have the same two products (x3 - z3)(x2 + z2) and (x3 + z3)(x2 - z2), of which only the squares
 * of sum and difference are used. So a step only selects which point is doubled.
 */
#include <stddef.h>
#include <string.h>

#include "field.h"
#include "ladder.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/curve25519.h"

#if !MOTE_F25519_LADDER_ASSEMBLY
typedef struct ladder { mote_f25519 x1, x2, z2, x3, z3, u, v; } ladder;

/* x2 / z2 and x3 / z3, whose difference is x1, become twice one of them, and their sum. */
static void step(ladder *l, uint32_t other)
{
    mote_f25519_add(&l->u, &l->x2, &l->z2);
    mote_f25519_subtract(&l->v, &l->x2, &l->z2);
    mote_f25519_add(&l->x2, &l->x3, &l->z3);
    mote_f25519_subtract(&l->z2, &l->x3, &l->z3);
    mote_f25519_multiply(&l->x3, &l->z2, &l->u);
    mote_f25519_multiply(&l->z3, &l->x2, &l->v);
    mote_f25519_select(&l->u, &l->u, &l->x2, other);
    mote_f25519_select(&l->v, &l->v, &l->z2, other);
    mote_f25519_square(&l->u, &l->u, 1);
    mote_f25519_square(&l->v, &l->v, 1);
    mote_f25519_multiply(&l->x2, &l->u, &l->v);
    mote_f25519_subtract(&l->v, &l->u, &l->v);
    mote_f25519_multiply_add(&l->u, &l->v, &l->u);
    mote_f25519_multiply(&l->z2, &l->u, &l->v);
    mote_f25519_subtract(&l->u, &l->x3, &l->z3);
    mote_f25519_add(&l->x3, &l->x3, &l->z3);
    mote_f25519_square(&l->x3, &l->x3, 1);
    mote_f25519_square(&l->u, &l->u, 1);
    mote_f25519_multiply(&l->z3, &l->u, &l->x1);
}

void mote_x25519_climb(mote_f25519 *x2, mote_f25519 *z2, const mote_f25519 *x1,
                       const uint32_t turns[8])
{
    ladder l;
    memset(&l, 0, sizeof l);
    l.x1 = *x1;
    l.x2.w[0] = 1;
    l.x3 = l.x1;
    l.z3.w[0] = 1;
    for (uint8_t i = 255; i-- > 0;)
        step(&l, turns[i >> 5] >> (i & 31) & 1);
    *x2 = l.x2;
    *z2 = l.z2;
    mote_wipe(&l, sizeof l);
}
#endif

uint8_t mote_x25519(uint8_t secret[32], const uint8_t private_key[32], const uint8_t peer[32])
{
    mote_f25519 x, z;
    uint32_t scalar[8], high = 0;
    uint8_t any = 0;
    for (size_t i = 0; i < 8; i++)
        scalar[i] = mote_load32le(private_key + 4 * i);
    scalar[0] &= 0xfffffff8;
    scalar[7] = (scalar[7] & 0x7fffffff) | 0x40000000;
    for (size_t i = 8; i-- > 0;) {
        const uint32_t word = scalar[i];
        scalar[i] ^= word >> 1 | high << 31;
        high = word;
    }
    mote_f25519_load(&x, peer);
    mote_x25519_climb(&x, &z, &x, scalar);
    mote_f25519_invert(&z, &z);
    mote_f25519_multiply(&x, &x, &z);
    mote_f25519_store(secret, &x);
    for (size_t i = 0; i < 32; i++)
        any |= secret[i];
    mote_wipe(&x, sizeof x);
    mote_wipe(&z, sizeof z);
    mote_wipe(scalar, sizeof scalar);
    return (uint8_t)((any + 0xffu) >> 8 ^ 1);
}

void mote_x25519_public(uint8_t public_key[32], const uint8_t private_key[32])
{
    static const uint8_t base[32] = {9};
    (void)mote_x25519(public_key, private_key, base);
}

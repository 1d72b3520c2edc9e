/*
 * Ed25519 in the least code (RFC 8032, section 5.1). Keys and signatures are made in constant time;
 * verification takes public data, and its time depends on them.
 */
#include <stdbool.h>
#include <string.h>

#include "../sha2/sha512_state.h"
#include "mote/cipher.h"
#include "mote/small_curves.h"
#include "numbers.h"

enum { NUMBER = 32, DIGEST = 64 };
#define INVERSE 0x12547e1b /* -1 / L modulo 2^32 */

/* L, and 2^512 modulo L. */
static const uint8_t MOTE_FLASH order[32] = {
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10};
static const uint8_t MOTE_FLASH square[32] = {
    0x01, 0x0f, 0x9c, 0x44, 0xe3, 0x11, 0x06, 0xa4, 0x47, 0x93, 0x85, 0x68, 0xa7, 0x1b, 0x0e, 0xd0,
    0x65, 0xbe, 0xf5, 0x17, 0xd2, 0x73, 0xec, 0xce, 0x3d, 0x9a, 0x30, 0x7c, 0x1b, 0x41, 0x99, 0x03};
/* 2 d; x of the base point. */
static const uint8_t MOTE_FLASH twice_d[32] = {
    0x59, 0xf1, 0xb2, 0x26, 0x94, 0x9b, 0xd6, 0xeb, 0x56, 0xb1, 0x83, 0x82, 0x9a, 0x14, 0xe0, 0x00,
    0x30, 0xd1, 0xf3, 0xee, 0xf2, 0x80, 0x8e, 0x19, 0xe7, 0xfc, 0xdf, 0x56, 0xdc, 0xd9, 0x06, 0x24};
static const uint8_t MOTE_FLASH base_x[32] = {
    0x1a, 0xd5, 0x25, 0x8f, 0x60, 0x2d, 0x56, 0xc9, 0xb2, 0xa7, 0x25, 0x95, 0x60, 0xc7, 0x2c, 0x69,
    0x5c, 0xdc, 0xd6, 0xfd, 0x31, 0xe2, 0xa4, 0xc0, 0xfe, 0x53, 0x6e, 0xcd, 0xd3, 0x36, 0x69, 0x21};

/* A point: x = X / Z, y = Y / Z, T = X Y / Z; the addend; 2 d; numbers of a sum. */
enum { X, Y, Z, T, X2, Y2, Z2, T2, D2, A, B, C, D, E };

/* Hisil, Wong, Carter and Dawson, Twisted Edwards Curves Revisited, 2008, 3.1: any two points. */
static const uint16_t MOTE_FLASH add[] = {
    MOTE_SUB(A, Y, X),
    MOTE_SUB(B, Y2, X2),
    MOTE_MUL(A, A, B),
    MOTE_ADD(B, Y, X),
    MOTE_ADD(C, Y2, X2),
    MOTE_MUL(B, B, C),
    MOTE_MUL(C, T, T2),
    MOTE_MUL(C, C, D2),
    MOTE_MUL(D, Z, Z2),
    MOTE_ADD(D, D, D),
    MOTE_SUB(E, B, A),
    MOTE_ADD(B, B, A),
    MOTE_SUB(A, D, C),
    MOTE_ADD(C, D, C),
    MOTE_MUL(X, E, A),
    MOTE_MUL(Y, C, B),
    MOTE_MUL(Z, A, C),
    MOTE_MUL(T, E, B),
    0,
};

/* x^2 = u / v = 2 (y^2 - 1) / (2 d y^2 + 2); A = u v^3, B = u v^7. Z is 1. */
enum { U = X2, V = Y2 };
static const uint16_t MOTE_FLASH before_root[] = {
    MOTE_MUL(A, Y, Y), MOTE_SUB(U, A, Z), MOTE_ADD(U, U, U), MOTE_MUL(V, A, D2),
    MOTE_ADD(V, V, Z), MOTE_ADD(V, V, Z), MOTE_MUL(A, V, V), MOTE_MUL(B, A, A),
    MOTE_MUL(A, A, V), MOTE_MUL(A, A, U), MOTE_MUL(B, B, A), 0,
};

/* Of X = B^((p - 5) / 8): X = X A, B = v X^2 - u, C = v X^2 + u, A = 2. */
static const uint16_t MOTE_FLASH after_root[] = {
    MOTE_MUL(X, X, A),
    MOTE_MUL(A, X, X),
    MOTE_MUL(A, A, V),
    MOTE_SUB(B, A, U),
    MOTE_ADD(C, A, U),
    MOTE_ADD(A, Z, Z),
    0,
};

static const uint16_t MOTE_FLASH negate[] = {MOTE_SUB(X, T, X), MOTE_MUL(T, X, Y), 0};

static const uint16_t MOTE_FLASH make_affine[] = {MOTE_MUL(X, X, A), MOTE_MUL(Y, Y, A), 0};

typedef struct group {
    mote_curve curve;
    mote_number v[MOTE_REGISTERS];
} group;

static void start(group *g)
{
    memset(g, 0, sizeof *g);
    mote_small_set_25519(&g->curve.prime);
    g->curve.add = add;
    mote_small_set(&g->curve.neutral.at[Y], 1);
    mote_small_set(&g->curve.neutral.at[Z], 1);
    mote_small_load_flash(&g->v[D2], twice_d);
}

static void set_base(const group *g, mote_point *r)
{
    mote_small_load_flash(&r->at[X], base_x);
    memset(&r->at[Y], 0x66, sizeof r->at[Y]); /* 4 / 5 */
    r->at[Y].w[0] -= 0x66 - 0x58;
    r->at[Z] = g->curve.neutral.at[Z];
    g->curve.prime.multiply(&g->curve.prime, &r->at[T], &r->at[X], &r->at[Y]);
}

/* The point of the group's registers (section 5.1.2). */
static void encode(uint8_t bytes[32], group *g)
{
    mote_small_invert(&g->curve.prime, &g->v[A], &g->v[Z]);
    mote_small_run(&g->curve.prime, g->v, make_affine);
    mote_small_store(bytes, &g->v[Y], MOTE_LOW_FIRST);
    bytes[31] |= (uint8_t)(g->v[X].w[0] << 7);
}

/* k times the base point, as bytes. */
static void base_times(uint8_t bytes[32], const mote_number *k)
{
    group g;
    mote_point base;
    start(&g);
    set_base(&g, &base);
    mote_small_times(&g.curve, g.v, k, &base, 1);
    encode(bytes, &g);
    mote_wipe(&g, sizeof g);
}

/* The negative of a point (section 5.1.3): false if y is not below p, or there is no such point. */
static bool decode_negative(mote_point *r, group *g, const uint8_t bytes[32])
{
    const mote_prime *const prime = &g->curve.prime;
    mote_number *const v = g->v;
    memcpy(v, &g->curve.neutral, sizeof g->curve.neutral);
    mote_small_load(&v[Y], bytes, MOTE_LOW_FIRST);
    const uint8_t sign = bytes[31] >> 7;
    v[Y].w[MOTE_WORDS - 1] &= prime->p.w[MOTE_WORDS - 1];
    if (!mote_small_is_below(&v[Y], &prime->p))
        return false;
    mote_small_run(prime, v, before_root);
    mote_small_power(prime, &v[X], &v[B], 0, 3);
    mote_small_run(prime, v, after_root);
    if (!mote_small_is_zero(&v[B])) {
        if (!mote_small_is_zero(&v[C]))
            return false;
        mote_small_power(prime, &v[B], &v[A], 0, 2); /* of 2: its square is -1 */
        prime->multiply(prime, &v[X], &v[X], &v[B]);
    }
    if (mote_small_is_zero(&v[X])) {
        if (sign)
            return false;
    }
    mote_small_run(prime, v, (v[X].w[0] & 1) == sign ? negate : negate + 1);
    memcpy(r, v, sizeof *r);
    return true;
}

/* Numbers modulo L. LOW = LOW + 2^256 HIGH; LOW = LOW KEY + NONCE. */
enum { LOW, HIGH, SQUARE, ONE, NONCE, KEY, SCALARS };
static const uint16_t MOTE_FLASH take_remainder[] = {
    MOTE_MUL(HIGH, HIGH, SQUARE),
    MOTE_MUL(LOW, LOW, SQUARE),
    MOTE_MUL(LOW, LOW, ONE),
    MOTE_ADD(LOW, LOW, HIGH),
    0,
};
static const uint16_t MOTE_FLASH multiply_add[] = {
    MOTE_MUL(LOW, LOW, SQUARE),
    MOTE_MUL(LOW, LOW, KEY),
    MOTE_ADD(LOW, LOW, NONCE),
    0,
};

typedef struct scalars {
    mote_prime order;
    mote_number v[SCALARS];
} scalars;

static void start_scalars(scalars *s)
{
    mote_small_load_flash(&s->order.p, order);
    s->order.multiply = mote_small_montgomery;
    s->order.inverse = (mote_word)INVERSE;
    mote_small_load_flash(&s->v[SQUARE], square);
    mote_small_set(&s->v[ONE], 1);
}

/* LOW = SHA-512 of up to three strings modulo L, of which the first two have 32 bytes. */
static void hash(scalars *s, const uint8_t *a, const uint8_t *b, const uint8_t *message, size_t len)
{
    struct {
        mote_sha512_state state;
        uint8_t digest[DIGEST];
    } h;
    mote_sha512_start(&h.state);
    mote_sha512_update(&h.state, a, NUMBER);
    if (b != NULL)
        mote_sha512_update(&h.state, b, NUMBER);
    mote_sha512_update(&h.state, message, len);
    mote_sha512_finish(&h.state, h.digest, DIGEST);
    mote_small_load(&s->v[LOW], h.digest, MOTE_LOW_FIRST);
    mote_small_load(&s->v[HIGH], h.digest + NUMBER, MOTE_LOW_FIRST);
    mote_small_run(&s->order, s->v, take_remainder);
    mote_wipe(&h, sizeof h);
}

void mote_ed25519_small_expand(mote_ed25519_signer *signer, const uint8_t private_key[32])
{
    struct {
        mote_sha512_state state;
        uint8_t digest[DIGEST];
        mote_number scalar;
    } h;
    mote_sha512_start(&h.state);
    mote_sha512_update(&h.state, private_key, NUMBER);
    mote_sha512_finish(&h.state, h.digest, DIGEST);
    h.digest[0] &= 0xf8;
    h.digest[31] = (h.digest[31] & 0x7f) | 0x40;
    memcpy(signer, h.digest, DIGEST); /* scalar and prefix */
    mote_small_load(&h.scalar, h.digest, MOTE_LOW_FIRST);
    base_times(signer->public_key, &h.scalar);
    mote_wipe(&h, sizeof h);
}

void mote_ed25519_small_public_key(uint8_t public_key[32], const uint8_t private_key[32])
{
    mote_ed25519_signer signer;
    mote_ed25519_small_expand(&signer, private_key);
    memcpy(public_key, signer.public_key, NUMBER);
    mote_wipe(&signer, sizeof signer);
}

void mote_ed25519_small_sign(uint8_t signature[64], const mote_ed25519_signer *signer,
                             const uint8_t *message, size_t len)
{
    scalars s;
    uint8_t r[NUMBER];
    start_scalars(&s);
    hash(&s, signer->prefix, NULL, message, len);
    s.v[NONCE] = s.v[LOW];
    base_times(r, &s.v[NONCE]);
    hash(&s, r, signer->public_key, message, len);
    mote_small_load(&s.v[KEY], signer->scalar, MOTE_LOW_FIRST);
    mote_small_run(&s.order, s.v, multiply_add);
    memcpy(signature, r, NUMBER);
    mote_small_store(signature + NUMBER, &s.v[LOW], MOTE_LOW_FIRST);
    mote_wipe(&s, sizeof s);
}

/* Whether R = S B - k A, as bytes: so an R that is no canonical point is refused as well. */
int mote_ed25519_small_verify(const uint8_t signature[64], const uint8_t public_key[32],
                              const uint8_t *message, size_t len)
{
    union {
        scalars s;
        group g;
    } u;
    mote_point points[2];
    mote_number factors[2];
    uint8_t r[NUMBER];
    start_scalars(&u.s);
    mote_small_load(&factors[0], signature + NUMBER, MOTE_LOW_FIRST);
    if (!mote_small_is_below(&factors[0], &u.s.order.p))
        return -1;
    hash(&u.s, signature, public_key, message, len);
    factors[1] = u.s.v[LOW];
    start(&u.g);
    if (!decode_negative(&points[1], &u.g, public_key))
        return -1;
    set_base(&u.g, &points[0]);
    mote_small_times(&u.g.curve, u.g.v, factors, points, 2);
    encode(r, &u.g);
    return memcmp(r, signature, sizeof r) == 0 ? 0 : -1;
}

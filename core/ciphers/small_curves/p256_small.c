/*
 * P-256 in the least code: key agreement, ECDSA and keys (FIPS 186-5, SP 800-56A, RFC 6979). Points
 * are x = X / Z, y = Y / Z with Montgomery's factor; their sum is complete, so nothing is special.
 */
#include <stdbool.h>
#include <string.h>

#include "../p256/p256_nonce.h"
#include "mote/cipher.h"
#include "mote/small_curves.h"
#include "numbers.h"

extern const mote_implementation mote_sha_256_small;

#define INVERSE_N 0xee00bc4f /* -1 / n modulo 2^32; that of p is 1 */
/* p and n, 2^512 modulo these; b and the base point with Montgomery's factor. */
static const uint8_t MOTE_FLASH prime[32] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff};
static const uint8_t MOTE_FLASH square_p[32] = {
    0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xfb, 0xff, 0xff, 0xff,
    0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfd, 0xff, 0xff, 0xff, 0x04, 0x00, 0x00, 0x00};
static const uint8_t MOTE_FLASH order[32] = {
    0x51, 0x25, 0x63, 0xfc, 0xc2, 0xca, 0xb9, 0xf3, 0x84, 0x9e, 0x17, 0xa7, 0xad, 0xfa, 0xe6, 0xbc,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff};
static const uint8_t MOTE_FLASH square_n[32] = {
    0xa2, 0xee, 0x79, 0xbe, 0x95, 0x4c, 0x24, 0x83, 0xa6, 0x6f, 0xbd, 0x49, 0x9c, 0x79, 0x99, 0x46,
    0x59, 0xec, 0x6b, 0x2b, 0x39, 0xb2, 0x45, 0x28, 0x20, 0x56, 0xd9, 0xf3, 0x94, 0x2d, 0xe1, 0x66};
static const uint8_t MOTE_FLASH curve_b[32] = {
    0xdf, 0xbd, 0xc4, 0x29, 0x62, 0xdf, 0x9c, 0xd8, 0x90, 0x30, 0x84, 0x78, 0xcd, 0x05, 0xf0, 0xac,
    0xd6, 0x2e, 0x21, 0xf7, 0xab, 0x20, 0xa2, 0xe5, 0x34, 0x48, 0x87, 0x04, 0x1d, 0x06, 0x30, 0xdc};
static const uint8_t MOTE_FLASH base_x[32] = {
    0x3c, 0x14, 0xa9, 0x18, 0xd4, 0x30, 0xe7, 0x79, 0x01, 0xb6, 0xed, 0x5f, 0xfc, 0x95, 0xba, 0x75,
    0x10, 0x25, 0x62, 0x77, 0x2b, 0x73, 0xfb, 0x79, 0xc6, 0x55, 0x37, 0xa5, 0x76, 0x5f, 0x90, 0x18};
static const uint8_t MOTE_FLASH base_y[32] = {
    0x0a, 0x56, 0x95, 0xce, 0x57, 0x53, 0xf2, 0xdd, 0x5c, 0xe4, 0x19, 0xba, 0xe4, 0xb8, 0x4a, 0x8b,
    0x25, 0xf3, 0x21, 0xdd, 0x88, 0x86, 0xe8, 0xd2, 0x85, 0x5d, 0x88, 0x25, 0x18, 0xff, 0x71, 0x85};

enum { X, Y, Z, T, X2, Y2, Z2, T2, CB, A, B, C, D, E };

/* Renes, Costello, Batina, Complete addition formulas for prime order elliptic curves, 2016: 4. */
static const uint16_t MOTE_FLASH add[] = {
    MOTE_MUL(A, X, X2),  MOTE_MUL(B, Y, Y2),  MOTE_MUL(C, Z, Z2),  MOTE_ADD(D, X, Y),
    MOTE_ADD(E, X2, Y2), MOTE_MUL(D, D, E),   MOTE_ADD(E, A, B),   MOTE_SUB(D, D, E),
    MOTE_ADD(E, Y, Z),   MOTE_ADD(Y, Y2, Z2), MOTE_MUL(E, E, Y),   MOTE_ADD(Y, B, C),
    MOTE_SUB(E, E, Y),   MOTE_ADD(X, X, Z),   MOTE_ADD(Y, X2, Z2), MOTE_MUL(X, X, Y),
    MOTE_ADD(Y, A, C),   MOTE_SUB(Y, X, Y),   MOTE_MUL(Z, CB, C),  MOTE_SUB(X, Y, Z),
    MOTE_ADD(Z, X, X),   MOTE_ADD(X, X, Z),   MOTE_SUB(Z, B, X),   MOTE_ADD(X, B, X),
    MOTE_MUL(Y, CB, Y),  MOTE_ADD(B, C, C),   MOTE_ADD(C, B, C),   MOTE_SUB(Y, Y, C),
    MOTE_SUB(Y, Y, A),   MOTE_ADD(B, Y, Y),   MOTE_ADD(Y, B, Y),   MOTE_ADD(B, A, A),
    MOTE_ADD(A, B, A),   MOTE_SUB(A, A, C),   MOTE_MUL(B, E, Y),   MOTE_MUL(C, A, Y),
    MOTE_MUL(Y, X, Z),   MOTE_ADD(Y, Y, C),   MOTE_MUL(X, D, X),   MOTE_SUB(X, X, B),
    MOTE_MUL(Z, E, Z),   MOTE_MUL(B, D, A),   MOTE_ADD(Z, Z, B),   0,
};

/* Numbers beside a point that is read or written: 2^512, 1, 0. A = x^3 - 3 x + b. */
enum { SQUARE = X2, ONE = Y2, ZERO = Z2 };
static const uint16_t MOTE_FLASH right_side[] = {
    MOTE_MUL(X, X, SQUARE), MOTE_MUL(Y, Y, SQUARE), MOTE_MUL(A, X, X),
    MOTE_MUL(A, A, X),      MOTE_SUB(A, A, X),      MOTE_SUB(A, A, X),
    MOTE_SUB(A, A, X),      MOTE_ADD(A, A, CB),     0,
};
static const uint16_t MOTE_FLASH root[] = {MOTE_MUL(Y, Y, A), MOTE_MUL(B, Y, ONE), 0};
static const uint16_t MOTE_FLASH negate[] = {
    MOTE_SUB(Y, ZERO, Y),
    MOTE_MUL(B, Y, Y), /* from here on: y^2 - A */
    MOTE_SUB(B, B, A),
    0,
};
static const uint16_t MOTE_FLASH make_affine[] = {
    MOTE_MUL(X, X, A), MOTE_MUL(Y, Y, A), MOTE_MUL(X, X, ONE), MOTE_MUL(Y, Y, ONE), 0,
};

typedef struct group {
    mote_curve curve;
    mote_number v[MOTE_REGISTERS], square;
} group;

static void start_order(mote_prime *n)
{
    mote_small_load_flash(&n->p, order);
    n->shorten = mote_small_montgomery;
    n->inverse = (mote_word)INVERSE_N;
}

static void start(group *g)
{
    mote_prime *const p = &g->curve.prime;
    memset(g, 0, sizeof *g);
    mote_small_load_flash(&p->p, prime);
    p->shorten = mote_small_montgomery;
    p->inverse = 1;
    g->curve.add = add;
    mote_small_load_flash(&g->square, square_p);
    mote_small_load_flash(&g->v[CB], curve_b);
    mote_small_set(&g->v[ONE], 1);
    mote_small_multiply(p, &g->curve.neutral.at[Y], &g->square, &g->v[ONE]);
}

static void set_base(const group *g, mote_point *r)
{
    mote_small_load_flash(&r->at[X], base_x);
    mote_small_load_flash(&r->at[Y], base_y);
    r->at[Z] = g->curve.neutral.at[Y];
}

/* A number from 1 to n - 1: whether it is. */
static mote_word load_scalar(mote_number *r, const uint8_t bytes[32], const mote_prime *n)
{
    mote_small_load(r, bytes, MOTE_HIGH_FIRST);
    return mote_small_is_below(r, &n->p) & (mote_small_is_zero(r) ^ 1);
}

/* A point in either form (SEC 1, 2.3.4), of which the time may depend on it. */
static bool load_point(group *g, mote_point *r, const uint8_t *bytes, size_t len)
{
    const mote_prime *const p = &g->curve.prime;
    mote_number *const v = g->v;
    const bool compressed = len == MOTE_P256_COMPRESSED && (bytes[0] | 1) == 3;
    if (!compressed && (len != MOTE_P256_POINT || bytes[0] != 4))
        return false;
    v[SQUARE] = g->square;
    mote_small_load(&v[X], bytes + 1, MOTE_HIGH_FIRST);
    if (!compressed)
        mote_small_load(&v[Y], bytes + 33, MOTE_HIGH_FIRST);
    if (!mote_small_is_below(&v[X], &p->p) || !mote_small_is_below(&v[Y], &p->p))
        return false;
    mote_small_run(p, v, right_side);
    mote_word wrong = 0;
    if (compressed) {
        mote_small_power(p, &v[Y], &v[A], 0, 2); /* A^((p + 1) / 4) / A */
        mote_small_run(p, v, root);
        wrong = (v[B].w[0] ^ bytes[0]) & 1;
    }
    mote_small_run(p, v, wrong ? negate : negate + 1);
    memcpy(r, v, sizeof *r);
    r->at[Z] = g->curve.neutral.at[Y];
    return mote_small_is_zero(&v[B]);
}

/* The sum of factors times points as coordinates; all 0 at infinity. */
static void times(group *g, const mote_number *factors, const mote_point *points, uint8_t count)
{
    mote_small_times(&g->curve, g->v, factors, points, count);
    mote_small_set(&g->v[ONE], 1);
    mote_small_invert(&g->curve.prime, &g->v[A], &g->v[Z]);
    mote_small_run(&g->curve.prime, g->v, make_affine);
}

static void base_times(group *g, const mote_number *k)
{
    mote_point base;
    start(g);
    set_base(g, &base);
    times(g, k, &base, 1);
}

int mote_p256_small_public_key(uint8_t point[65], const uint8_t key[32])
{
    group g;
    mote_prime n;
    mote_number k;
    start_order(&n);
    if (!load_scalar(&k, key, &n))
        return -1;
    base_times(&g, &k);
    point[0] = 4;
    mote_small_store(point + 1, &g.v[X], MOTE_HIGH_FIRST);
    mote_small_store(point + 33, &g.v[Y], MOTE_HIGH_FIRST);
    mote_wipe(&g, sizeof g);
    mote_wipe(&k, sizeof k);
    return 0;
}

int mote_p256_small_keygen(uint8_t key[32], uint8_t point[65], const uint8_t random[32])
{
    memmove(key, random, MOTE_P256_NUMBER);
    return mote_p256_small_public_key(point, key);
}

int mote_p256_small_agree(uint8_t secret[32], const uint8_t key[32], const uint8_t *peer,
                          size_t peer_len)
{
    group g;
    mote_prime n;
    mote_number k;
    mote_point point;
    start_order(&n);
    start(&g);
    if (!load_scalar(&k, key, &n) || !load_point(&g, &point, peer, peer_len))
        return -1;
    times(&g, &k, &point, 1);
    mote_small_store(secret, &g.v[X], MOTE_HIGH_FIRST);
    mote_wipe(&g, sizeof g);
    mote_wipe(&k, sizeof k);
    return 0;
}

/* Numbers modulo n: R = (R D + H) / K; U = H / K, V = R / K. */
enum { R, K, RIGHT, H, SQUARE_N, INVERTED, SCALARS };
static const uint16_t MOTE_FLASH before_signing[] = {
    MOTE_MUL(K, K, SQUARE_N), MOTE_MUL(R, R, SQUARE_N), MOTE_MUL(R, R, RIGHT), MOTE_ADD(R, R, H), 0,
};
static const uint16_t MOTE_FLASH divide[] = {
    MOTE_MUL(R, R, INVERTED),
    MOTE_MUL(H, H, INVERTED),
    0,
};

/* H and SQUARE_N: the number of a digest (FIPS 186-5, 6.4.1), and what products need. */
static void load_digest(mote_number *v, const mote_prime *n, const uint8_t digest[32])
{
    mote_small_load_flash(&v[SQUARE_N], square_n);
    mote_small_load(&v[H], digest, MOTE_HIGH_FIRST);
    mote_small_reduce(n, &v[H], &v[H], 0);
}

/* R and H divided by K, which has Montgomery's factor. */
static void divide_scalars(mote_number *v, const mote_prime *n)
{
    mote_small_invert(n, &v[INVERTED], &v[K]);
    mote_small_run(n, v, divide);
}

int mote_p256_small_sign_with(uint8_t signature[64], const uint8_t key[32],
                              const uint8_t digest[32], const uint8_t nonce[32])
{
    group g;
    mote_prime n;
    mote_number k, d;
    mote_number *const v = g.v;
    start_order(&n);
    if (!(load_scalar(&k, nonce, &n) & load_scalar(&d, key, &n)))
        return -1;
    base_times(&g, &k);
    v[K] = k;
    v[RIGHT] = d;
    load_digest(v, &n, digest);
    mote_small_reduce(&n, &v[R], &v[R], 0);
    mote_small_store(signature, &v[R], MOTE_HIGH_FIRST);
    mote_word none = mote_small_is_zero(&v[R]);
    mote_small_run(&n, v, before_signing);
    divide_scalars(v, &n);
    mote_small_store(signature + MOTE_P256_NUMBER, &v[R], MOTE_HIGH_FIRST);
    none |= mote_small_is_zero(&v[R]);
    mote_wipe(&g, sizeof g);
    mote_wipe(&k, sizeof k);
    mote_wipe(&d, sizeof d);
    return none ? -1 : 0;
}

int mote_p256_small_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32])
{
    union {
        uint64_t aligned;
        uint8_t bytes[SHA256_STATES];
    } states;
    mote_hmac hmac;
    mote_prime n;
    mote_number number[SCALARS];
    const mote_hash *hash = mote_sha_256_small.hashes;
    uint8_t v[MOTE_P256_NUMBER], seed[2 * MOTE_P256_NUMBER] = {0};
    start_order(&n);
    if (!load_scalar(number, key, &n))
        return -1;
    while (hash->digest_len != MOTE_P256_NUMBER)
        hash++;
    mote_hmac_set_key(&hmac, hash, states.bytes, seed, MOTE_P256_NUMBER);
    memcpy(seed, key, MOTE_P256_NUMBER);
    load_digest(number, &n, digest);
    mote_small_store(seed + MOTE_P256_NUMBER, &number[H], MOTE_HIGH_FIRST);
    memset(v, 1, sizeof v);
    update_k(&hmac, v, 0, seed, sizeof seed);
    update_k(&hmac, v, 1, seed, sizeof seed);
    update_v(&hmac, v);
    while (mote_p256_small_sign_with(signature, key, digest, v) != 0) {
        update_k(&hmac, v, 0, seed, 0);
        update_v(&hmac, v);
    }
    mote_wipe(&states, sizeof states);
    mote_wipe(number, sizeof number);
    mote_wipe(seed, sizeof seed);
    mote_wipe(v, sizeof v);
    return 0;
}

int mote_p256_small_verify(const uint8_t *point, size_t point_len, const uint8_t digest[32],
                           const uint8_t signature[64])
{
    group g;
    mote_prime n;
    mote_number factors[2];
    mote_point points[2];
    mote_number *const v = g.v;
    uint8_t r[MOTE_P256_NUMBER];
    start_order(&n);
    if (!(load_scalar(&v[R], signature, &n) & load_scalar(&v[K], signature + MOTE_P256_NUMBER, &n)))
        return -1;
    load_digest(v, &n, digest);
    mote_small_multiply(&n, &v[K], &v[K], &v[SQUARE_N]);
    divide_scalars(v, &n);
    factors[0] = v[H];
    factors[1] = v[R];
    start(&g);
    if (!load_point(&g, &points[1], point, point_len))
        return -1;
    set_base(&g, &points[0]);
    times(&g, factors, points, 2);
    /* At infinity x comes out as 0, which no r is. */
    mote_small_reduce(&n, &v[X], &v[X], 0);
    mote_small_store(r, &v[X], MOTE_HIGH_FIRST);
    return memcmp(r, signature, sizeof r) == 0 ? 0 : -1;
}

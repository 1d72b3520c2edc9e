/*
 * ECDSA, key agreement and keys on P-256 (FIPS 186-5, SP 800-56A, RFC 6979).
 */
#include "mote/p256.h"

#include <stdbool.h>
#include <string.h>

#include "mote/public.h"
#include "p256_group.h"
#include "p256_nonce.h"

extern const mote_implementation mote_sha_256;

static const mote_hash *sha256(void)
{
    const mote_hash *hash = mote_sha_256.hashes;
    while (hash->digest_len != MOTE_P256_NUMBER)
        hash++;
    return hash;
}

/* Reads a number; all ones if it is from 1 to n - 1, which is for everybody to know. */
static uint32_t load_scalar(uint32_t r[8], const uint8_t in[32])
{
    mote_p256_load(r, in);
    uint32_t in_range = mote_p256_is_below(r, mote_p256_n) & ~mote_p256_is_zero(r);
    MOTE_PUBLIC(in_range);
    return in_range;
}

/* A coordinate, below p. */
static int load_coordinate(uint32_t r[8], const uint8_t in[32])
{
    mote_p256_load(r, in);
    if (!mote_p256_is_below(r, mote_p256_p))
        return -1;
    mote_p256_to_montgomery(r, r);
    return 0;
}

/* y of a compressed point, of which x and the lowest bit of y are known. */
static int find_y(mote_p256_affine *a, uint8_t odd)
{
    uint32_t square[8], number[8], negative[8] = {0};
    mote_p256_curve(square, a->x);
    mote_p256_root(a->y, square);
    mote_p256_from_montgomery(number, a->y);
    mote_p256_subtract(negative, negative, a->y);
    if ((number[0] & 1) != odd)
        memcpy(a->y, negative, sizeof negative);
    mote_p256_from_montgomery(number, a->y);
    /* No point of P-256 has y = 0: its order is odd. */
    return mote_p256_on_curve(a) && (number[0] & 1) == odd ? 0 : -1;
}

static int load_point(mote_p256_affine *r, const uint8_t *point, size_t len)
{
    if (len == MOTE_P256_COMPRESSED && (point[0] == 2 || point[0] == 3))
        return load_coordinate(r->x, point + 1) == 0 ? find_y(r, point[0] & 1) : -1;
    if (len != MOTE_P256_POINT || point[0] != 4)
        return -1;
    return load_coordinate(r->x, point + 1) == 0 &&
                   load_coordinate(r->y, point + 1 + MOTE_P256_NUMBER) == 0 && mote_p256_on_curve(r)
               ? 0
               : -1;
}

static void store_coordinate(uint8_t out[32], const uint32_t a[8])
{
    uint32_t number[8];
    mote_p256_from_montgomery(number, a);
    mote_p256_store(out, number);
}

static void store_point(uint8_t point[65], const mote_p256_affine *a)
{
    point[0] = 4;
    store_coordinate(point + 1, a->x);
    store_coordinate(point + 1 + MOTE_P256_NUMBER, a->y);
}

int mote_p256_public_key(uint8_t point[65], const uint8_t key[32])
{
    mote_p256_jacobian product;
    mote_p256_affine affine;
    uint32_t k[8];
    if (!load_scalar(k, key))
        return -1;
    mote_p256_base_times(&product, k);
    mote_p256_to_affine(&affine, &product);
    store_point(point, &affine);
    return 0;
}

int mote_p256_keygen(uint8_t key[32], uint8_t point[65], const uint8_t random[32])
{
    memmove(key, random, MOTE_P256_NUMBER);
    return mote_p256_public_key(point, key);
}

void mote_p256_compress(uint8_t compressed[33], const uint8_t point[65])
{
    compressed[0] = 2 | (point[64] & 1);
    memmove(compressed + 1, point + 1, MOTE_P256_NUMBER);
}

int mote_p256_decompress(uint8_t point[65], const uint8_t compressed[33])
{
    mote_p256_affine affine;
    if (load_point(&affine, compressed, MOTE_P256_COMPRESSED) != 0)
        return -1;
    store_point(point, &affine);
    return 0;
}

int mote_p256_check(const uint8_t *point, size_t point_len)
{
    mote_p256_affine affine;
    return load_point(&affine, point, point_len);
}

int mote_p256_agree(uint8_t secret[32], const uint8_t key[32], const uint8_t *peer, size_t peer_len)
{
    mote_p256_jacobian product;
    mote_p256_affine affine;
    uint32_t k[8];
    if (!load_scalar(k, key) || load_point(&affine, peer, peer_len) != 0)
        return -1;
    mote_p256_times(&product, k, &affine);
    mote_p256_to_affine(&affine, &product);
    store_coordinate(secret, affine.x);
    return 0;
}

/* The number of a digest, modulo n (FIPS 186-5, 6.4.1). */
static void load_digest(uint32_t r[8], const uint8_t digest[32])
{
    mote_p256_load(r, digest);
    mote_p256_scalar_reduce(r, r);
}

/* r = a b modulo n, where neither has a factor. */
static void multiply_scalars(uint32_t r[8], const uint32_t a[8], const uint32_t b[8])
{
    uint32_t t[8];
    mote_p256_scalar_to_montgomery(t, a);
    mote_p256_scalar_multiply(r, t, b);
}

int mote_p256_sign_with(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32],
                        const uint8_t nonce[32])
{
    mote_p256_jacobian product;
    mote_p256_affine affine;
    uint32_t k[8], d[8], e[8], t[8];
    if (!(load_scalar(k, nonce) & load_scalar(d, key)))
        return -1;
    mote_p256_base_times(&product, k);
    mote_p256_to_affine(&affine, &product);
    mote_p256_from_montgomery(t, affine.x);
    mote_p256_scalar_reduce(t, t);
    mote_p256_store(signature, t);
    load_digest(e, digest);
    const uint32_t no_r = mote_p256_is_zero(t);
    multiply_scalars(t, t, d);
    mote_p256_scalar_add(t, t, e);
    mote_p256_scalar_invert(e, k);
    multiply_scalars(t, t, e);
    mote_p256_store(signature + MOTE_P256_NUMBER, t);
    /* That it is none, as 1 in 2^255, shows (FIPS 186-5, 6.4.1, steps 7 and 10). */
    uint32_t none = no_r | mote_p256_is_zero(t);
    MOTE_PUBLIC(none);
    MOTE_PUBLIC_BYTES(signature, MOTE_P256_SIGNATURE);
    return none ? -1 : 0;
}

int mote_p256_sign(uint8_t signature[64], const uint8_t key[32], const uint8_t digest[32])
{
    union {
        uint64_t aligned;
        uint8_t bytes[SHA256_STATES];
    } states;
    _Static_assert(SHA256_STATES % sizeof(uint64_t) == 0, "states are aligned");
    mote_hmac hmac;
    uint32_t number[8], k[8];
    uint8_t v[MOTE_P256_NUMBER], seed[2 * MOTE_P256_NUMBER] = {0};
    mote_p256_load(number, key);
    if (!load_scalar(number, key))
        return -1;
    mote_hmac_set_key(&hmac, sha256(), states.bytes, seed, MOTE_P256_NUMBER);
    memcpy(seed, key, MOTE_P256_NUMBER);
    load_digest(number, digest);
    mote_p256_store(seed + MOTE_P256_NUMBER, number);
    memset(v, 1, sizeof v);
    update_k(&hmac, v, 0, seed, sizeof seed);
    update_k(&hmac, v, 1, seed, sizeof seed);
    update_v(&hmac, v);
    /* A V that is no nonce is as rare as 1 in 2^32, and says nothing of the next. */
    while (!load_scalar(k, v) || mote_p256_sign_with(signature, key, digest, v) != 0) {
        update_k(&hmac, v, 0, seed, 0);
        update_v(&hmac, v);
    }
    return 0;
}

/* True if X = x Z^2; Z^2 is in z. */
static bool has_x(const mote_p256_jacobian *sum, const uint32_t x[8])
{
    uint32_t t[8];
    mote_p256_to_montgomery(t, x);
    mote_p256_multiply(t, t, sum->z);
    return memcmp(t, sum->x, sizeof t) == 0;
}

/* r = r + n, if that is below p. */
static bool add_order(uint32_t r[8])
{
    uint64_t sum = 0;
    for (uint8_t i = 0; i < 8; i++) {
        sum = (sum >> 32) + r[i] + mote_p256_n[i];
        r[i] = (uint32_t)sum;
    }
    return sum >> 32 == 0 && mote_p256_is_below(r, mote_p256_p);
}

int mote_p256_verify(const uint8_t *point, size_t point_len, const uint8_t digest[32],
                     const uint8_t signature[64])
{
    mote_p256_jacobian sum;
    mote_p256_affine key;
    uint32_t r[8], s[8], u[8], t[8];
    if (load_point(&key, point, point_len) != 0 || !load_scalar(r, signature) ||
        !load_scalar(s, signature + MOTE_P256_NUMBER))
        return -1;
    load_digest(u, digest);
    mote_p256_scalar_invert(t, s);
    mote_p256_scalar_to_montgomery(t, t);
    mote_p256_scalar_multiply(u, u, t);
    mote_p256_scalar_multiply(s, r, t);
    mote_p256_combine(&sum, u, s, &key);
    if (mote_p256_is_zero(sum.z))
        return -1;
    /* x of the sum is r or r + n: no inverse is needed to compare. */
    mote_p256_square(sum.z, sum.z);
    return has_x(&sum, r) || (add_order(r) && has_x(&sum, r)) ? 0 : -1;
}

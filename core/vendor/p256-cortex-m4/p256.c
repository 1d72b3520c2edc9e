/*
 * P256-Cortex-M4 with motebench's SHA-256. The library signs with a nonce that its user gives: here
 * that of RFC 6979, 3.2. Its numbers are words, the lowest first.
 */
#include <p256-cortex-m4.h>

#include "ciphers/p256/p256_nonce.h"
#include "mote/cipher.h"
#include "vendor/p256.h"

extern const mote_implementation mote_sha_256;

/* Of the library's assembly: a number of 256 bits modulo n. */
void P256_reduce_mod_n_32bytes(uint32_t r[8], const uint32_t number[8]);

static const mote_hash *sha256(void)
{
    const mote_hash *hash = mote_sha_256.hashes;
    while (hash->digest_len != NUMBER)
        hash++;
    return hash;
}

static void load(uint32_t words[8], const uint8_t number[NUMBER])
{
    p256_convert_endianness(words, number, NUMBER);
}

static void store(uint8_t number[NUMBER], const uint32_t words[8])
{
    p256_convert_endianness(number, words, NUMBER);
}

static void hash_message(uint8_t digest[NUMBER], const uint8_t *message, size_t len)
{
    union {
        uint64_t aligned;
        uint8_t bytes[128];
    } state;
    const mote_hash *hash = sha256();
    hash->start(&state);
    hash->update(&state, message, len);
    hash->finish(&state, digest);
}

static bool agree_with(uint8_t secret[NUMBER], const uint8_t key[NUMBER], const uint8_t peer[64])
{
    uint32_t d[8], x[8], y[8];
    load(d, key);
    load(x, peer);
    load(y, peer + NUMBER);
    return p256_ecdh_calc_shared_secret(secret, d, x, y);
}

static bool sign_digest(uint8_t r_s[64], const uint8_t key[NUMBER], const uint8_t digest[NUMBER])
{
    union {
        uint64_t aligned;
        uint8_t bytes[SHA256_STATES];
    } states;
    mote_hmac hmac;
    uint32_t d[8], k[8], r[8], s[8], z[8];
    uint8_t v[NUMBER], seed[2 * NUMBER] = {0};
    mote_hmac_set_key(&hmac, sha256(), states.bytes, seed, NUMBER);
    memcpy(seed, key, NUMBER);
    load(z, digest);
    P256_reduce_mod_n_32bytes(z, z);
    store(seed + NUMBER, z);
    memset(v, 1, sizeof v);
    update_k(&hmac, v, 0, seed, sizeof seed);
    update_k(&hmac, v, 1, seed, sizeof seed);
    update_v(&hmac, v);
    load(d, key);
    load(k, v);
    /* The library refuses a V that is no nonce, as 1 in 2^32 is. */
    while (!MB_PUBLIC_RESULT(p256_sign(r, s, digest, NUMBER, d, k))) {
        update_k(&hmac, v, 0, seed, 0);
        update_v(&hmac, v);
        load(k, v);
    }
    store(r_s, r);
    store(r_s + NUMBER, s);
    return true;
}

static bool verify_digest(const uint8_t r_s[64], const uint8_t point[64],
                          const uint8_t digest[NUMBER])
{
    uint32_t x[8], y[8], r[8], s[8];
    load(x, point);
    load(y, point + NUMBER);
    load(r, r_s);
    load(s, r_s + NUMBER);
    return p256_verify(x, y, digest, NUMBER, r, s);
}

static bool find_public(uint8_t point[64], const uint8_t key[NUMBER])
{
    uint32_t d[8], x[8], y[8];
    load(d, key);
    if (!p256_keygen(x, y, d))
        return false;
    store(point, x);
    store(point + NUMBER, y);
    return true;
}

MOTE_ADAPTER(p256_cortex_m4_p256)
#include "vendor/public_key.h"

/*
 * p256-m of Mbed TLS, with the library's SHA-256. p256-m asks for random numbers where it signs;
 * it is given the nonce of RFC 6979, 3.2.
 */
#include <mbedtls/platform_util.h>
#include <mbedtls/sha256.h>
#include <p256-m.h>
#include <psa/crypto.h>

#include "vendor/p256.h"

enum { BLOCK = 64 };

/* The state of RFC 6979's generator; `begun` after its first nonce. */
static struct {
    uint8_t k[NUMBER], v[NUMBER];
    bool begun;
} generator;

static void hash_message(uint8_t digest[NUMBER], const uint8_t *message, size_t len)
{
    mbedtls_sha256(message, len, digest, 0);
}

/* HMAC with the key K of the generator, of up to 97 bytes. */
static void hmac(uint8_t mac[NUMBER], const uint8_t *data, size_t len)
{
    mbedtls_sha256_context context;
    uint8_t pad[BLOCK], inner[NUMBER];
    for (uint8_t outer = 0; outer < 2; outer++) {
        memset(pad, outer ? 0x5c : 0x36, sizeof pad);
        for (uint8_t i = 0; i < NUMBER; i++)
            pad[i] ^= generator.k[i];
        mbedtls_sha256_init(&context);
        mbedtls_sha256_starts(&context, 0);
        mbedtls_sha256_update(&context, pad, sizeof pad);
        mbedtls_sha256_update(&context, outer ? inner : data, outer ? sizeof inner : len);
        mbedtls_sha256_finish(&context, outer ? mac : inner);
        mbedtls_sha256_free(&context);
    }
    mbedtls_platform_zeroize(pad, sizeof pad);
}

/* K = HMAC(K, V | separator | seed), then V = HMAC(K, V). */
static void update(uint8_t separator, const uint8_t *seed, size_t seed_len)
{
    uint8_t data[3 * NUMBER + 1];
    memcpy(data, generator.v, NUMBER);
    data[NUMBER] = separator;
    if (seed_len != 0)
        memcpy(data + NUMBER + 1, seed, seed_len);
    hmac(generator.k, data, NUMBER + 1 + seed_len);
    hmac(generator.v, generator.v, NUMBER);
    mbedtls_platform_zeroize(data, sizeof data);
}

/* r = number modulo n, of a number below 2 n. */
static void reduce(uint8_t r[NUMBER], const uint8_t number[NUMBER])
{
    static const uint8_t minus_order[NUMBER] = {
        0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x43, 0x19, 0x05, 0x52, 0x58, 0xe8,
        0x61, 0x7b, 0x0c, 0x46, 0x35, 0x3d, 0x03, 0x9c, 0xda, 0xaf};
    uint8_t sum[NUMBER];
    uint16_t carry = 0;
    for (uint8_t i = NUMBER; i-- > 0;) {
        carry = (uint16_t)(number[i] + minus_order[i] + carry);
        sum[i] = (uint8_t)carry;
        carry >>= 8;
    }
    /* A carry out of 2^256 says that the number is not below n. */
    memcpy(r, carry != 0 ? sum : number, NUMBER);
}

/* The library's source of random bytes: the next V, which p256-m takes if it is a scalar. */
psa_status_t psa_generate_random(uint8_t *output, size_t output_size)
{
    if (output_size != NUMBER)
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    if (generator.begun)
        update(0, NULL, 0);
    generator.begun = true;
    hmac(generator.v, generator.v, NUMBER);
    memcpy(output, generator.v, NUMBER);
    return PSA_SUCCESS;
}

static bool agree_with(uint8_t secret[NUMBER], const uint8_t key[NUMBER], const uint8_t peer[64])
{
    return p256_ecdh_shared_secret(secret, key, peer) == P256_SUCCESS;
}

static bool sign_digest(uint8_t r_s[64], const uint8_t key[NUMBER], const uint8_t digest[NUMBER])
{
    uint8_t seed[2 * NUMBER];
    memcpy(seed, key, NUMBER);
    reduce(seed + NUMBER, digest);
    memset(generator.k, 0, sizeof generator.k);
    memset(generator.v, 1, sizeof generator.v);
    update(0, seed, sizeof seed);
    update(1, seed, sizeof seed);
    generator.begun = false;
    const bool signs = p256_ecdsa_sign(r_s, key, digest, NUMBER) == P256_SUCCESS;
    mbedtls_platform_zeroize(seed, sizeof seed);
    mbedtls_platform_zeroize(&generator, sizeof generator);
    return signs;
}

static bool verify_digest(const uint8_t r_s[64], const uint8_t point[64],
                          const uint8_t digest[NUMBER])
{
    return p256_ecdsa_verify(r_s, point, digest, NUMBER) == P256_SUCCESS;
}

static bool find_public(uint8_t point[64], const uint8_t key[NUMBER])
{
    return p256_public_from_private(point, key) == P256_SUCCESS;
}

MOTE_ADAPTER(mbedtls_3_p256_m)
#include "vendor/public_key.h"

/*
 * P-256 of Mbed TLS: its general code for elliptic curves, ECDSA deterministic (RFC 6979), with its
 * SHA-256. The curve is set up and numbers are decoded in every operation.
 */
#include <mbedtls/ecdh.h>
#include <mbedtls/ecdsa.h>
#include <mbedtls/sha256.h>

/* Bytes of the static buffer. An operation that does not fit fails; there is no other heap. */
#define TLS_HEAP 8192
#include "allocation.h"
#include "vendor/p256.h"

/* Numbers that an operation works on. */
typedef struct numbers {
    mbedtls_ecp_group curve;
    mbedtls_ecp_point point;
    mbedtls_mpi d, r, s;
} numbers;

/* Ready with a private key or a point, or both, which are checked; `clear` in any case. */
static bool load(numbers *n, const uint8_t *key, const uint8_t *point)
{
    uint8_t encoded[POINT] = {4};
    mbedtls_ecp_group_init(&n->curve);
    mbedtls_ecp_point_init(&n->point);
    mbedtls_mpi_init(&n->d);
    mbedtls_mpi_init(&n->r);
    mbedtls_mpi_init(&n->s);
    if (!begin() || mbedtls_ecp_group_load(&n->curve, MBEDTLS_ECP_DP_SECP256R1) != 0)
        return false;
    if (point != NULL)
        memcpy(encoded + 1, point, POINT - 1);
    return (key == NULL || (mbedtls_mpi_read_binary(&n->d, key, NUMBER) == 0 &&
                            mbedtls_ecp_check_privkey(&n->curve, &n->d) == 0)) &&
           (point == NULL ||
            (mbedtls_ecp_point_read_binary(&n->curve, &n->point, encoded, sizeof encoded) == 0 &&
             mbedtls_ecp_check_pubkey(&n->curve, &n->point) == 0));
}

static void clear(numbers *n)
{
    mbedtls_ecp_group_free(&n->curve);
    mbedtls_ecp_point_free(&n->point);
    mbedtls_mpi_free(&n->d);
    mbedtls_mpi_free(&n->r);
    mbedtls_mpi_free(&n->s);
}

static void hash_message(uint8_t digest[NUMBER], const uint8_t *message, size_t len)
{
    mbedtls_sha256(message, len, digest, 0);
}

static bool agree_with(uint8_t secret[NUMBER], const uint8_t key[NUMBER], const uint8_t peer[64])
{
    numbers n;
    const bool agrees =
        load(&n, key, peer) &&
        mbedtls_ecdh_compute_shared(
            &n.curve, &n.r, &n.point, &n.d, mbedtls_hmac_drbg_random, &blinding) == 0 &&
        mbedtls_mpi_write_binary(&n.r, secret, NUMBER) == 0;
    clear(&n);
    return agrees;
}

static bool sign_digest(uint8_t r_s[64], const uint8_t key[NUMBER], const uint8_t digest[NUMBER])
{
    numbers n;
    const bool signs =
        load(&n, key, NULL) &&
        mbedtls_ecdsa_sign_det_ext(&n.curve, &n.r, &n.s, &n.d, digest, NUMBER, MBEDTLS_MD_SHA256,
                                   mbedtls_hmac_drbg_random, &blinding) == 0 &&
        mbedtls_mpi_write_binary(&n.r, r_s, NUMBER) == 0 &&
        mbedtls_mpi_write_binary(&n.s, r_s + NUMBER, NUMBER) == 0;
    clear(&n);
    return signs;
}

static bool verify_digest(const uint8_t r_s[64], const uint8_t point[64],
                          const uint8_t digest[NUMBER])
{
    numbers n;
    const bool verifies =
        load(&n, NULL, point) && mbedtls_mpi_read_binary(&n.r, r_s, NUMBER) == 0 &&
        mbedtls_mpi_read_binary(&n.s, r_s + NUMBER, NUMBER) == 0 &&
        mbedtls_ecdsa_verify(&n.curve, digest, NUMBER, &n.point, &n.r, &n.s) == 0;
    clear(&n);
    return verifies;
}

static bool find_public(uint8_t point[64], const uint8_t key[NUMBER])
{
    numbers n;
    uint8_t encoded[POINT];
    size_t len;
    const bool made =
        load(&n, key, NULL) &&
        mbedtls_ecp_mul(&n.curve, &n.point, &n.d, &n.curve.G, mbedtls_hmac_drbg_random,
                        &blinding) == 0 &&
        mbedtls_ecp_point_write_binary(
            &n.curve, &n.point, MBEDTLS_ECP_PF_UNCOMPRESSED, &len, encoded, sizeof encoded) == 0;
    if (made)
        memcpy(point, encoded + 1, POINT - 1);
    clear(&n);
    return made;
}

MOTE_ADAPTER(mbedtls_3_p256)
#include "vendor/public_key.h"

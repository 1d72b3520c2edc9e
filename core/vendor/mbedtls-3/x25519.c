/* X25519 of Mbed TLS: its general code for Montgomery curves. */
#include <string.h>

/* Bytes of the static buffer. An agreement that does not fit fails; there is no other heap. */
#define TLS_HEAP 4096
#include "allocation.h"

enum { BYTES = 32 };

/* The multiple of a point, given by its x coordinate, or of the base point. */
static bool multiply(uint8_t product[BYTES], const uint8_t key[BYTES], const uint8_t *x)
{
    mbedtls_ecp_group curve;
    mbedtls_ecp_point point, result;
    mbedtls_mpi scalar;
    uint8_t clamped[BYTES];
    size_t len;
    /* RFC 7748, 5 */
    memcpy(clamped, key, BYTES);
    clamped[0] &= 0xf8;
    clamped[BYTES - 1] = (uint8_t)((clamped[BYTES - 1] & 0x7f) | 0x40);
    mbedtls_ecp_group_init(&curve);
    mbedtls_ecp_point_init(&point);
    mbedtls_ecp_point_init(&result);
    mbedtls_mpi_init(&scalar);
    const bool made =
        begin() && mbedtls_ecp_group_load(&curve, MBEDTLS_ECP_DP_CURVE25519) == 0 &&
        mbedtls_mpi_read_binary_le(&scalar, clamped, BYTES) == 0 &&
        (x == NULL || mbedtls_ecp_point_read_binary(&curve, &point, x, BYTES) == 0) &&
        mbedtls_ecp_mul(&curve, &result, &scalar, x == NULL ? &curve.G : &point,
                        mbedtls_hmac_drbg_random, &blinding) == 0 &&
        mbedtls_ecp_point_write_binary(
            &curve, &result, MBEDTLS_ECP_PF_COMPRESSED, &len, product, BYTES) == 0;
    mbedtls_ecp_group_free(&curve);
    mbedtls_ecp_point_free(&point);
    mbedtls_ecp_point_free(&result);
    mbedtls_mpi_free(&scalar);
    return made;
}

/* The library refuses points of small order. */
#define AGREE(secret, private, peer) (!multiply(secret, private, peer))
#define PUBLIC(public, private) ((void)multiply(public, private, NULL))
#include "vendor/x25519.h"

MOTE_ADAPTER(mbedtls_3_x25519)
#include "vendor/public_key.h"

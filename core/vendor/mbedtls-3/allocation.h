/*
 * Memory and random numbers of Mbed TLS's big numbers. On a board the library's own allocator hands
 * out a static buffer. Blinding takes numbers of an HMAC_DRBG; it begins with the same bytes,
 * because a board has no source of randomness: a product seeds it.
 */
#ifndef MOTE_VENDOR_MBEDTLS_3_ALLOCATION_H
#define MOTE_VENDOR_MBEDTLS_3_ALLOCATION_H

#include <mbedtls/ecp.h>
#include <mbedtls/hmac_drbg.h>
#include <mbedtls/platform.h>
#include <stdbool.h>

#if defined MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
#include "psa_random.h"
#endif
#if defined MBEDTLS_MEMORY_BUFFER_ALLOC_C
#include <mbedtls/memory_buffer_alloc.h>
static union {
    uint64_t aligned;
    uint8_t bytes[TLS_HEAP];
} heap;
#endif

static mbedtls_hmac_drbg_context blinding;

/*
 * Before each operation. Blinding begins with the same numbers, so that the same operation takes
 * the same time again; that is part of what is timed.
 */
static bool begin(void)
{
    static const uint8_t seed[32] = "motebench: blinding of Mbed TLS";
    static bool begun;
    if (begun)
        mbedtls_hmac_drbg_free(&blinding);
#if defined MBEDTLS_MEMORY_BUFFER_ALLOC_C
    else
        mbedtls_memory_buffer_alloc_init(heap.bytes, sizeof heap.bytes);
#endif
    begun = true;
    mbedtls_hmac_drbg_init(&blinding);
    return mbedtls_hmac_drbg_seed_buf(
               &blinding, mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), seed, sizeof seed) == 0;
}

#endif

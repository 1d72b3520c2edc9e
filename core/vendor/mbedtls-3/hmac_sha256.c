/* HMAC of Mbed TLS 3.6 with SHA-224 and SHA-256. */
#include <mbedtls/md.h>
#include <mbedtls/sha256.h>

#if defined MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
#include "psa_random.h"
#endif

static const mbedtls_md_type_t sha224_hash __attribute__((unused)) = MBEDTLS_MD_SHA224;
static const mbedtls_md_type_t sha256_hash __attribute__((unused)) = MBEDTLS_MD_SHA256;

#define CONTEXT mbedtls_sha256_context
#define KEY_BLOCK 64
#define HMAC_INFO(job) mbedtls_md_info_from_type(*(const mbedtls_md_type_t *)mac_what(job))
#define HMAC_HASH(id) &id##_hash
#include "vendor/mbedtls/hmac.h"

HMAC_ROW(sha224)
HMAC_ROW(sha256)
static const mb_scheme schemes[] = {HMAC_SCHEME(sha224, 28) HMAC_SCHEME(sha256, 32)};

MOTE_ADAPTER(mbedtls_3_hmac_sha256)
#include "vendor/public_key.h"

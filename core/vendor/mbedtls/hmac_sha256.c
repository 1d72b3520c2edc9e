/* HMAC of Mbed TLS with SHA256. */
#include MBEDTLS_CONFIG_FILE

#include <mbedtls/sha256.h>

#define CONTEXT mbedtls_sha256_context
#define KEY_BLOCK 64
#include "hmac.h"

HMAC_ROW(sha224)
HMAC_ROW(sha256)
static const mb_scheme schemes[] = {HMAC_SCHEME(sha224, 28) HMAC_SCHEME(sha256, 32)};

MOTE_ADAPTER(mbedtls_hmac_sha256)
#include "vendor/public_key.h"

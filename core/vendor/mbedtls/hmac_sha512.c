/* HMAC of Mbed TLS with SHA512. */
#include MBEDTLS_CONFIG_FILE

#include <mbedtls/sha512.h>

#define CONTEXT mbedtls_sha512_context
#define KEY_BLOCK 128
#include "hmac.h"

HMAC_ROW(sha384)
HMAC_ROW(sha512)
static const mb_scheme schemes[] = {HMAC_SCHEME(sha384, 48) HMAC_SCHEME(sha512, 64)};

MOTE_ADAPTER(mbedtls_hmac_sha512)
#include "vendor/public_key.h"

/* HMAC of Mbed TLS with SHA1. */
#include MBEDTLS_CONFIG_FILE

#include <mbedtls/sha1.h>

#define CONTEXT mbedtls_sha1_context
#define KEY_BLOCK 64
#include "hmac.h"

HMAC_ROW(sha1)
static const mb_scheme schemes[] = {HMAC_SCHEME(sha1, 20)};

MOTE_ADAPTER(mbedtls_hmac_sha1)
#include "vendor/public_key.h"

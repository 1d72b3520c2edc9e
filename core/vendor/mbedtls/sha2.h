/* The SHA-224 and SHA-256 of Mbed TLS, 2.28 and 3.6: `hashes`. */
#include "hashes.h"

#include <mbedtls/sha256.h>

HASH(sha224, sha256, TLS_RETURNS(mbedtls_sha256_starts)(s, 1))
HASH(sha256, sha256, TLS_RETURNS(mbedtls_sha256_starts)(s, 0))
static const mote_hash hashes[] = {HASH_ROW(sha224, sha256, 28) HASH_ROW(sha256, sha256, 32)};

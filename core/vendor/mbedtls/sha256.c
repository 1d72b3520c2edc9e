/* Mbed TLS's SHA-224 and SHA-256. */
#include "hashes.h"

#include <mbedtls/sha256.h>

HASH(sha224, sha256, mbedtls_sha256_starts_ret(s, 1))
HASH(sha256, sha256, mbedtls_sha256_starts_ret(s, 0))
static const mote_hash hashes[] = {HASH_ROW(sha224, sha256, 28) HASH_ROW(sha256, sha256, 32)};

MOTE_IMPLEMENTATION(mbedtls_sha256) = {.name = "sha256", MOTE_HASHES(hashes)};

/* Mbed TLS's SHA-384 and SHA-512. */
#include "hashes.h"

#include <mbedtls/sha512.h>

HASH(sha384, sha512, mbedtls_sha512_starts_ret(s, 1))
HASH(sha512, sha512, mbedtls_sha512_starts_ret(s, 0))
static const mote_hash hashes[] = {HASH_ROW(sha384, sha512, 48) HASH_ROW(sha512, sha512, 64)};

MOTE_IMPLEMENTATION(mbedtls_sha512) = {.name = "sha512", MOTE_HASHES(hashes)};

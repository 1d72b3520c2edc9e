/* Mbed TLS's SHA-1. */
#include "hashes.h"

#include <mbedtls/sha1.h>

HASH(sha1, sha1, mbedtls_sha1_starts_ret(s))
static const mote_hash hashes[] = {HASH_ROW(sha1, sha1, 20)};

MOTE_IMPLEMENTATION(mbedtls_sha1) = {.name = "sha1", MOTE_HASHES(hashes)};

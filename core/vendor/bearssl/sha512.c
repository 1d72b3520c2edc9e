/* BearSSL's SHA-384 and SHA-512. BearSSL claims constant time. */
#include "hashes.h"

HASH(sha384)
HASH(sha512)
static const mote_hash hashes[] = {HASH_ROW(sha384) HASH_ROW(sha512)};

MOTE_IMPLEMENTATION(bearssl_sha512) = {.name = "sha512", MOTE_HASHES(hashes)};

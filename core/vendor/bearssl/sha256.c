/* BearSSL's SHA-224 and SHA-256. BearSSL claims constant time. */
#include "hashes.h"

HASH(sha224)
HASH(sha256)
static const mote_hash hashes[] = {HASH_ROW(sha224) HASH_ROW(sha256)};

MOTE_IMPLEMENTATION(bearssl_sha256) = {.name = "sha256", MOTE_HASHES(hashes)};

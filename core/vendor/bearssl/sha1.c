/* BearSSL's SHA-1. BearSSL claims constant time. */
#include "hashes.h"

HASH(sha1)
static const mote_hash hashes[] = {HASH_ROW(sha1)};

MOTE_IMPLEMENTATION(bearssl_sha1) = {.name = "sha1", MOTE_HASHES(hashes)};

/* BearSSL's MD5. BearSSL claims constant time. */
#include "hashes.h"

HASH(md5)
static const mote_hash hashes[] = {HASH_ROW(md5)};

MOTE_IMPLEMENTATION(bearssl_md5) = {.name = "md5", MOTE_HASHES(hashes)};

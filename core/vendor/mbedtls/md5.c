/* Mbed TLS's MD5. */
#include "hashes.h"

#include <mbedtls/md5.h>

HASH(md5, md5, mbedtls_md5_starts_ret(s))
static const mote_hash hashes[] = {HASH_ROW(md5, md5, 16)};

MOTE_IMPLEMENTATION(mbedtls_md5) = {.name = "md5", MOTE_HASHES(hashes)};

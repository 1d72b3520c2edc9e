/* SHA-224 and SHA-256 of Mbed TLS 3.6. */
#include "vendor/mbedtls/sha2.h"

MOTE_IMPLEMENTATION(mbedtls_3_sha256) = {.name = "sha256", MOTE_HASHES(hashes)};

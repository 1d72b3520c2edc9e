/* Mbed TLS's SHA-224 and SHA-256. */
#include "sha2.h"

MOTE_IMPLEMENTATION(mbedtls_sha256) = {.name = "sha256", MOTE_HASHES(hashes)};

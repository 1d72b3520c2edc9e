/* ChaCha20 of Mbed TLS 3.6, alone and with Poly1305. */
#include "vendor/mbedtls/chacha20_both.h"

MOTE_IMPLEMENTATION(mbedtls_3_chacha20) = {
    .name = "chacha20", MOTE_STREAMS(streams), MOTE_AEADS(aeads)};

/* Mbed TLS's ChaCha20, alone and with Poly1305. */
#include "chacha20_both.h"

MOTE_IMPLEMENTATION(mbedtls_chacha20) = {
    .name = "chacha20", MOTE_STREAMS(streams), MOTE_AEADS(aeads)};

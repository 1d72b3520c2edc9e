/*
 * BearSSL's aes_ct: bit-sliced in 32-bit words, two blocks at once; no table. BearSSL claims
 * constant time.
 */
#define VARIANT aes_ct
#include "aes_all.h"

MOTE_IMPLEMENTATION(bearssl_aes_ct) = {
    .name = "aes-ct", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

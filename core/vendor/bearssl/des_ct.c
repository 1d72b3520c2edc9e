/*
 * BearSSL's des_ct: bit-sliced in 32-bit words, one block at once; no table that depends on
 * secrets. BearSSL claims constant time.
 */
#define VARIANT des_ct
#include "des_both.h"

MOTE_IMPLEMENTATION(bearssl_des_ct) = {
    .name = "des-ct", MOTE_BLOCKS(ciphers), MOTE_OWN_MODES(modes)};

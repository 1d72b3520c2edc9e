/* BearSSL's aes_small: S-boxes of one byte an entry, and MixColumns computed: the smallest. */
#define VARIANT aes_small
#include "aes_all.h"

MOTE_IMPLEMENTATION(bearssl_aes_small) = {
    .name = "aes-small", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

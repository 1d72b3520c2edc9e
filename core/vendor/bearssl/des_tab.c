/* BearSSL's des_tab: tables that join S-boxes and permutation. */
#define VARIANT des_tab
#include "des_both.h"

MOTE_IMPLEMENTATION(bearssl_des_tab) = {
    .name = "des-tab", MOTE_BLOCKS(ciphers), MOTE_OWN_MODES(modes)};

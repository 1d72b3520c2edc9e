/*
 * BearSSL's aes_big: tables of 1 KiB for encryption and for decryption, rotated for the other
 * columns: the fastest of the portable ones.
 */
#define VARIANT aes_big
#include "aes_all.h"

MOTE_IMPLEMENTATION(bearssl_aes_big) = {
    .name = "aes-big", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

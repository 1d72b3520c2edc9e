/* LibTomCrypt's RC6 with 20 rounds. */
#define DESCRIPTOR rc6_desc
#include "block.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(rc6_128, CIPHER("rc6-128", 16, 16)) MOTE_PICK(
    rc6_192, CIPHER("rc6-192", 16, 24)) MOTE_PICK(rc6_256, CIPHER("rc6-256", 16, 32))};

MOTE_IMPLEMENTATION(libtomcrypt_rc6) = {.name = "rc6", MOTE_BLOCKS(ciphers), MOTE_OWN_MODES(modes)};

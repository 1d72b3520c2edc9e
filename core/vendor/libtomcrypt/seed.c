/* LibTomCrypt's SEED: four tables of 1 KiB. */
#define DESCRIPTOR kseed_desc
#define MOTE_KEY_MAX 16
#include "block.h"
#include "wide.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(seed, CIPHER("seed", 16, 16))};
WIDE_KEYS(16)
static const mote_aead aeads[] = {WIDE(seed, "seed", 16)};

MOTE_IMPLEMENTATION(libtomcrypt_seed) = {
    .name = "seed", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

/* LibTomCrypt's Camellia: four tables of 1 KiB. */
#define DESCRIPTOR camellia_desc
#define MOTE_KEY_MAX 32
#include "block.h"
#include "wide.h"

static const mote_block_cipher ciphers[] = {
    MOTE_PICK(camellia_128, CIPHER("camellia-128", 16, 16))
        MOTE_PICK(camellia_192, CIPHER("camellia-192", 16, 24))
            MOTE_PICK(camellia_256, CIPHER("camellia-256", 16, 32))};
WIDE_KEYS(16)
WIDE_KEYS(24)
WIDE_KEYS(32)
static const mote_aead aeads[] = {WIDE(camellia_128, "camellia-128", 16) WIDE(
    camellia_192, "camellia-192", 24) WIDE(camellia_256, "camellia-256", 32)};

MOTE_IMPLEMENTATION(libtomcrypt_camellia) = {
    .name = "camellia", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

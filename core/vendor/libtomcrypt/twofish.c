/* LibTomCrypt's Twofish without tables: S-boxes are computed for each byte. */
#define DESCRIPTOR twofish_desc
#define MOTE_KEY_MAX 32
#include "block.h"
#include "wide.h"

static const mote_block_cipher ciphers[] = {
    MOTE_PICK(twofish_128, CIPHER("twofish-128", 16, 16))
        MOTE_PICK(twofish_192, CIPHER("twofish-192", 16, 24))
            MOTE_PICK(twofish_256, CIPHER("twofish-256", 16, 32))};
WIDE_KEYS(16)
WIDE_KEYS(24)
WIDE_KEYS(32)
static const mote_aead aeads[] = {WIDE(twofish_128, "twofish-128", 16) WIDE(
    twofish_192, "twofish-192", 24) WIDE(twofish_256, "twofish-256", 32)};

MOTE_IMPLEMENTATION(libtomcrypt_twofish) = {
    .name = "twofish", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

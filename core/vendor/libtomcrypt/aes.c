/* LibTomCrypt's AES: one table of 1 KiB a direction, and S-boxes in words. */
#define DESCRIPTOR aes_desc
#define MOTE_KEY_MAX 32
#include "block.h"
#include "wide.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(aes_128, CIPHER("aes-128", 16, 16)) MOTE_PICK(
    aes_192, CIPHER("aes-192", 16, 24)) MOTE_PICK(aes_256, CIPHER("aes-256", 16, 32))};
WIDE_KEYS(16)
WIDE_KEYS(24)
WIDE_KEYS(32)
static const mote_aead aeads[] = {
    WIDE(aes_128, "aes-128", 16) WIDE(aes_192, "aes-192", 24) WIDE(aes_256, "aes-256", 32)};

MOTE_IMPLEMENTATION(libtomcrypt_aes) = {
    .name = "aes", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

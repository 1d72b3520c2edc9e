/* LibTomCrypt's CAST-128: eight S-boxes of 1 KiB. */
#define DESCRIPTOR cast5_desc
#define MOTE_KEY_MAX 16
#include "block.h"
#include "eax.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(cast_128, CIPHER("cast-128", 8, 16))};
EAX_KEY(16)
static const mote_aead aeads[] = {MOTE_PICK(cast_128_eax, EAX("cast-128-eax", 8, 16))};

MOTE_IMPLEMENTATION(libtomcrypt_cast_128) = {
    .name = "cast-128", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

/* LibTomCrypt's XTEA: all round keys are computed beforehand. */
#define DESCRIPTOR xtea_desc
#define MOTE_KEY_MAX 16
#include "block.h"
#include "eax.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(xtea, CIPHER("xtea", 8, 16))};
EAX_KEY(16)
static const mote_aead aeads[] = {MOTE_PICK(xtea_eax, EAX("xtea-eax", 8, 16))};

MOTE_IMPLEMENTATION(libtomcrypt_xtea) = {
    .name = "xtea", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

/* LibTomCrypt's DES: eight tables of 256 bytes. */
#define DESCRIPTOR des_desc
#define MOTE_KEY_MAX 8
#include "block.h"
#include "eax.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(des, CIPHER("des", 8, 8))};
EAX_KEY(8)
static const mote_aead aeads[] = {MOTE_PICK(des_eax, EAX("des-eax", 8, 8))};

MOTE_IMPLEMENTATION(libtomcrypt_des) = {
    .name = "des", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

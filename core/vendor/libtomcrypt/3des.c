/* LibTomCrypt's 3DES: eight tables of 256 bytes. */
#define DESCRIPTOR des3_desc
#define MOTE_KEY_MAX 24
#include "block.h"
#include "eax.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(3des, CIPHER("3des", 8, 24))};
EAX_KEY(24)
static const mote_aead aeads[] = {MOTE_PICK(3des_eax, EAX("3des-eax", 8, 24))};

MOTE_IMPLEMENTATION(libtomcrypt_3des) = {
    .name = "3des", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

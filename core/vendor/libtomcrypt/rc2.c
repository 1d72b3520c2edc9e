/* LibTomCrypt's RC2, with as many effective bits as the key has. */
#define DESCRIPTOR rc2_desc
#define MOTE_KEY_MAX 16
#include "block.h"
#include "eax.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(rc2_40, CIPHER("rc2-40", 8, 5)) MOTE_PICK(
    rc2_64, CIPHER("rc2-64", 8, 8)) MOTE_PICK(rc2_128, CIPHER("rc2-128", 8, 16))};
EAX_KEY(5)
EAX_KEY(8)
EAX_KEY(16)
static const mote_aead aeads[] = {MOTE_PICK(rc2_40_eax, EAX("rc2-40-eax", 8, 5)) MOTE_PICK(
    rc2_64_eax, EAX("rc2-64-eax", 8, 8)) MOTE_PICK(rc2_128_eax, EAX("rc2-128-eax", 8, 16))};

MOTE_IMPLEMENTATION(libtomcrypt_rc2) = {
    .name = "rc2", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

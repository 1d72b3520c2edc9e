/* LibTomCrypt's RC5 with 12 rounds. */
#define DESCRIPTOR rc5_desc
#define MOTE_KEY_MAX 16
#include "block.h"
#include "eax.h"

static const mote_block_cipher ciphers[] = {MOTE_PICK(rc5_128, CIPHER("rc5-128", 8, 16))};
EAX_KEY(16)
static const mote_aead aeads[] = {MOTE_PICK(rc5_128_eax, EAX("rc5-128-eax", 8, 16))};

MOTE_IMPLEMENTATION(libtomcrypt_rc5) = {
    .name = "rc5", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

/*
 * LibTomCrypt's Blowfish: 4 KiB of S-boxes that depend on the key, in RAM, and as many constants
 * they begin with.
 */
#define DESCRIPTOR blowfish_desc
#define MOTE_KEY_MAX 56
#include "block.h"
#include "eax.h"

static const mote_block_cipher ciphers[] = {
    MOTE_PICK(blowfish_128, CIPHER("blowfish-128", 8, 16))
        MOTE_PICK(blowfish_256, CIPHER("blowfish-256", 8, 32))
            MOTE_PICK(blowfish_448, CIPHER("blowfish-448", 8, 56))};
EAX_KEY(16)
EAX_KEY(32)
EAX_KEY(56)
static const mote_aead aeads[] = {
    MOTE_PICK(blowfish_128_eax, EAX("blowfish-128-eax", 8, 16))
        MOTE_PICK(blowfish_256_eax, EAX("blowfish-256-eax", 8, 32))
            MOTE_PICK(blowfish_448_eax, EAX("blowfish-448-eax", 8, 56))};

MOTE_IMPLEMENTATION(libtomcrypt_blowfish) = {
    .name = "blowfish", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

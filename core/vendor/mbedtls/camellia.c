/* Mbed TLS's Camellia: four S-boxes of 256 bytes. */
#include "tls.h"

#include <mbedtls/camellia.h>

#define ALGORITHM camellia
#define ID MBEDTLS_CIPHER_ID_CAMELLIA
#define CONTEXT mbedtls_camellia_context
#define ENCRYPT MBEDTLS_CAMELLIA_ENCRYPT
#define DECRYPT MBEDTLS_CAMELLIA_DECRYPT
#include "wide.h"

static const mote_mode *const modes[] = {WIDE_MODES};
static const mote_block_cipher ciphers[] = {
    MOTE_PICK(camellia_128, CIPHER("camellia-128", 16))
        MOTE_PICK(camellia_192, CIPHER("camellia-192", 24))
            MOTE_PICK(camellia_256, CIPHER("camellia-256", 32))};
static const mote_aead aeads[] = {AEAD_ROWS(camellia_128, "camellia-128", 16) AEAD_ROWS(
    camellia_192, "camellia-192", 24) AEAD_ROWS(camellia_256, "camellia-256", 32)};

MOTE_IMPLEMENTATION(mbedtls_camellia) = {
    .name = "camellia", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

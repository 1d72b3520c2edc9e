/* Mbed TLS's 3DES; see des_both.h. */
#define DES des3
#include "des_both.h"

TLS_KEY(encrypt_key, CONTEXT, mbedtls_des3_set3key_enc(s, key))
TLS_KEY(decrypt_key, CONTEXT, mbedtls_des3_set3key_dec(s, key))

static const mote_block_cipher ciphers[] = {MOTE_PICK(
    3des, {.name = "3des",
           .block_len = 8,
           .key_len = 24,
           .schedule_len = sizeof(CONTEXT),
           .set_key = encrypt_key,
           .set_decrypt_key = decrypt_key})};

MOTE_IMPLEMENTATION(mbedtls_3des) = {.name = "3des", MOTE_BLOCKS(ciphers), MOTE_OWN_MODES(modes)};

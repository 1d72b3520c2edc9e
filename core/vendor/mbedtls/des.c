/* Mbed TLS's DES; see des_both.h. */
#define DES des
#include "des_both.h"

TLS_KEY(encrypt_key, CONTEXT, mbedtls_des_setkey_enc(s, key))
TLS_KEY(decrypt_key, CONTEXT, mbedtls_des_setkey_dec(s, key))

static const mote_block_cipher ciphers[] = {MOTE_PICK(
    des, {.name = "des",
          .block_len = 8,
          .key_len = 8,
          .schedule_len = sizeof(CONTEXT),
          .set_key = encrypt_key,
          .set_decrypt_key = decrypt_key})};

MOTE_IMPLEMENTATION(mbedtls_des) = {.name = "des", MOTE_BLOCKS(ciphers), MOTE_OWN_MODES(modes)};

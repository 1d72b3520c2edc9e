/*
 * Mbed TLS's AES: four tables of 1 KiB a direction (one with MBEDTLS_AES_FEWER_TABLES), and
 * S-boxes.
 */
#include "tls.h"

#include <mbedtls/aes.h>

#define ALGORITHM aes
#define ID MBEDTLS_CIPHER_ID_AES
#define CONTEXT mbedtls_aes_context
#define ENCRYPT MBEDTLS_AES_ENCRYPT
#define DECRYPT MBEDTLS_AES_DECRYPT
#include "wide.h"

#if defined MBEDTLS_CIPHER_MODE_CFB
TLS_CRYPT(cfb8_encrypt, mbedtls_aes_context,
          mbedtls_aes_crypt_cfb8(s, ENCRYPT, len, chain->iv, in, out))
TLS_CRYPT(cfb8_decrypt, mbedtls_aes_context,
          mbedtls_aes_crypt_cfb8(s, DECRYPT, len, chain->iv, in, out))
static const mote_mode cfb8 = TLS_MODE_STREAM("cfb8", cfb8_encrypt, cfb8_decrypt);
#define CFB8_ROW MOTE_PICK(cfb8, &cfb8)
#else
#define CFB8_ROW
#endif
#if defined MBEDTLS_CIPHER_MODE_OFB
TLS_STREAM(ofb_crypt, mbedtls_aes_context, mbedtls_aes_crypt_ofb(s, len, &used, chain->iv, in, out))
static const mote_mode ofb = TLS_MODE_STREAM("ofb", ofb_crypt, ofb_crypt);
#define OFB_ROW MOTE_PICK(ofb, &ofb)
#else
#define OFB_ROW
#endif

static const mote_mode *const modes[] = {WIDE_MODES CFB8_ROW OFB_ROW};
static const mote_block_cipher ciphers[] = {MOTE_PICK(aes_128, CIPHER("aes-128", 16)) MOTE_PICK(
    aes_192, CIPHER("aes-192", 24)) MOTE_PICK(aes_256, CIPHER("aes-256", 32))};
static const mote_aead aeads[] = {AEAD_ROWS(aes_128, "aes-128", 16) AEAD_ROWS(
    aes_192, "aes-192", 24) AEAD_ROWS(aes_256, "aes-256", 32)};

MOTE_IMPLEMENTATION(mbedtls_aes) = {
    .name = "aes", MOTE_BLOCKS(ciphers), MOTE_AEADS(aeads), MOTE_OWN_MODES(modes)};

/*
 * Mbed TLS's Blowfish: 4 KiB of S-boxes that depend on the key, in RAM, and as many constants they
 * begin with.
 */
#include "tls.h"

#include <mbedtls/blowfish.h>

#define CONTEXT mbedtls_blowfish_context
#define ENCRYPT MBEDTLS_BLOWFISH_ENCRYPT
#define DECRYPT MBEDTLS_BLOWFISH_DECRYPT

TLS_KEY(key_16, CONTEXT, mbedtls_blowfish_setkey(s, key, 128))
TLS_KEY(key_32, CONTEXT, mbedtls_blowfish_setkey(s, key, 256))
TLS_KEY(key_56, CONTEXT, mbedtls_blowfish_setkey(s, key, 448))

TLS_ECB(ecb_encrypt, CONTEXT, 8, mbedtls_blowfish_crypt_ecb(s, ENCRYPT, in, out))
TLS_ECB(ecb_decrypt, CONTEXT, 8, mbedtls_blowfish_crypt_ecb(s, DECRYPT, in, out))
static const mote_mode ecb = TLS_MODE_ECB(ecb_encrypt, ecb_decrypt);
#if defined MBEDTLS_CIPHER_MODE_CBC
TLS_CRYPT(cbc_encrypt, CONTEXT, mbedtls_blowfish_crypt_cbc(s, ENCRYPT, len, chain->iv, in, out))
TLS_CRYPT(cbc_decrypt, CONTEXT, mbedtls_blowfish_crypt_cbc(s, DECRYPT, len, chain->iv, in, out))
static const mote_mode cbc = TLS_MODE_CBC(cbc_encrypt, cbc_decrypt);
#define CBC_ROW MOTE_PICK(cbc, &cbc)
#else
#define CBC_ROW
#endif
#if defined MBEDTLS_CIPHER_MODE_CFB
TLS_STREAM(cfb_encrypt, CONTEXT,
           mbedtls_blowfish_crypt_cfb64(s, ENCRYPT, len, &used, chain->iv, in, out))
TLS_STREAM(cfb_decrypt, CONTEXT,
           mbedtls_blowfish_crypt_cfb64(s, DECRYPT, len, &used, chain->iv, in, out))
static const mote_mode cfb = TLS_MODE_STREAM("cfb", cfb_encrypt, cfb_decrypt);
#define CFB_ROW MOTE_PICK(cfb, &cfb)
#else
#define CFB_ROW
#endif
#if defined MBEDTLS_CIPHER_MODE_CTR
TLS_STREAM(ctr_crypt, CONTEXT,
           mbedtls_blowfish_crypt_ctr(s, len, &used, chain->iv, chain->stream, in, out))
static const mote_mode ctr = TLS_MODE_STREAM("ctr", ctr_crypt, ctr_crypt);
#define CTR_ROW MOTE_PICK(ctr, &ctr)
#else
#define CTR_ROW
#endif
static const mote_mode *const modes[] = {MOTE_PICK(ecb, &ecb) CBC_ROW CFB_ROW CTR_ROW};

#define CIPHER(label, len)            \
    {.name = (label),                 \
     .block_len = 8,                  \
     .key_len = (len),                \
     .schedule_len = sizeof(CONTEXT), \
     .set_key = key_##len}
static const mote_block_cipher ciphers[] = {
    MOTE_PICK(blowfish_128, CIPHER("blowfish-128", 16))
        MOTE_PICK(blowfish_256, CIPHER("blowfish-256", 32))
            MOTE_PICK(blowfish_448, CIPHER("blowfish-448", 56))};

MOTE_IMPLEMENTATION(mbedtls_blowfish) = {
    .name = "blowfish", MOTE_BLOCKS(ciphers), MOTE_OWN_MODES(modes)};

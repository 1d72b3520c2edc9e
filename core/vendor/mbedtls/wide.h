/*
 * Ciphers of Mbed TLS with blocks of 16 bytes. Included once by each file that defines ALGORITHM,
 * the library's word for it (aes), ID and CONTEXT (see aead.h), ENCRYPT and DECRYPT.
 */
#include "aead.h"

#define TLS_OF(algorithm, what) mbedtls_##algorithm##_##what
#define TLS(algorithm, what) TLS_OF(algorithm, what)

TLS_KEY(key_16, CONTEXT, TLS(ALGORITHM, setkey_enc)(s, key, 128))
TLS_KEY(key_24, CONTEXT, TLS(ALGORITHM, setkey_enc)(s, key, 192))
TLS_KEY(key_32, CONTEXT, TLS(ALGORITHM, setkey_enc)(s, key, 256))
TLS_KEY(decrypt_key_16, CONTEXT, TLS(ALGORITHM, setkey_dec)(s, key, 128))
TLS_KEY(decrypt_key_24, CONTEXT, TLS(ALGORITHM, setkey_dec)(s, key, 192))
TLS_KEY(decrypt_key_32, CONTEXT, TLS(ALGORITHM, setkey_dec)(s, key, 256))

#define CIPHER(label, len)            \
    {.name = (label),                 \
     .block_len = 16,                 \
     .key_len = (len),                \
     .schedule_len = sizeof(CONTEXT), \
     .set_key = key_##len,            \
     .set_decrypt_key = decrypt_key_##len}

TLS_ECB(ecb_encrypt, CONTEXT, 16, TLS(ALGORITHM, crypt_ecb)(s, ENCRYPT, in, out))
TLS_ECB(ecb_decrypt, CONTEXT, 16, TLS(ALGORITHM, crypt_ecb)(s, DECRYPT, in, out))
static const mote_mode ecb = TLS_MODE_ECB(ecb_encrypt, ecb_decrypt);
#if defined MBEDTLS_CIPHER_MODE_CBC
TLS_CRYPT(cbc_encrypt, CONTEXT, TLS(ALGORITHM, crypt_cbc)(s, ENCRYPT, len, chain->iv, in, out))
TLS_CRYPT(cbc_decrypt, CONTEXT, TLS(ALGORITHM, crypt_cbc)(s, DECRYPT, len, chain->iv, in, out))
static const mote_mode cbc = TLS_MODE_CBC(cbc_encrypt, cbc_decrypt);
#define CBC_ROW MOTE_PICK(cbc, &cbc)
#else
#define CBC_ROW
#endif
#if defined MBEDTLS_CIPHER_MODE_CFB
TLS_STREAM(cfb_encrypt, CONTEXT,
           TLS(ALGORITHM, crypt_cfb128)(s, ENCRYPT, len, &used, chain->iv, in, out))
TLS_STREAM(cfb_decrypt, CONTEXT,
           TLS(ALGORITHM, crypt_cfb128)(s, DECRYPT, len, &used, chain->iv, in, out))
static const mote_mode cfb = TLS_MODE_STREAM("cfb", cfb_encrypt, cfb_decrypt);
#define CFB_ROW MOTE_PICK(cfb, &cfb)
#else
#define CFB_ROW
#endif
#if defined MBEDTLS_CIPHER_MODE_CTR
TLS_STREAM(ctr_crypt, CONTEXT,
           TLS(ALGORITHM, crypt_ctr)(s, len, &used, chain->iv, chain->stream, in, out))
static const mote_mode ctr = TLS_MODE_STREAM("ctr", ctr_crypt, ctr_crypt);
#define CTR_ROW MOTE_PICK(ctr, &ctr)
#else
#define CTR_ROW
#endif
#define WIDE_MODES MOTE_PICK(ecb, &ecb) CBC_ROW CFB_ROW CTR_ROW

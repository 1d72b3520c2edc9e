/*
 * DES and 3DES of Mbed TLS: eight S-boxes of 64 words. The file that includes it defines DES, the
 * library's word, and keys.
 */
#include "tls.h"

#include <mbedtls/des.h>

#define TLS_OF(algorithm, what) mbedtls_##algorithm##_##what
#define TLS(algorithm, what) TLS_OF(algorithm, what)
#define CONTEXT TLS(DES, context)

TLS_ECB(ecb_crypt, CONTEXT, 8, TLS(DES, crypt_ecb)(s, in, out))
static const mote_mode ecb = TLS_MODE_ECB(ecb_crypt, ecb_crypt);
#if defined MBEDTLS_CIPHER_MODE_CBC
TLS_CRYPT(cbc_encrypt, CONTEXT,
          TLS(DES, crypt_cbc)(s, MBEDTLS_DES_ENCRYPT, len, chain->iv, in, out))
TLS_CRYPT(cbc_decrypt, CONTEXT,
          TLS(DES, crypt_cbc)(s, MBEDTLS_DES_DECRYPT, len, chain->iv, in, out))
static const mote_mode cbc = TLS_MODE_CBC(cbc_encrypt, cbc_decrypt);
#define CBC_ROW MOTE_PICK(cbc, &cbc)
#else
#define CBC_ROW
#endif
static const mote_mode *const modes[] = {MOTE_PICK(ecb, &ecb) CBC_ROW};

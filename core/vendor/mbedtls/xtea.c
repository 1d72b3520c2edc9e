/* Mbed TLS's XTEA: no tables, keys are added as they come. */
#include "tls.h"

#include <mbedtls/xtea.h>

static void key(void *schedule, const uint8_t *bytes)
{
    mbedtls_xtea_setup(schedule, bytes);
}

TLS_ECB(ecb_encrypt, mbedtls_xtea_context, 8,
        mbedtls_xtea_crypt_ecb(s, MBEDTLS_XTEA_ENCRYPT, in, out))
TLS_ECB(ecb_decrypt, mbedtls_xtea_context, 8,
        mbedtls_xtea_crypt_ecb(s, MBEDTLS_XTEA_DECRYPT, in, out))
static const mote_mode ecb = TLS_MODE_ECB(ecb_encrypt, ecb_decrypt);
#if defined MBEDTLS_CIPHER_MODE_CBC
TLS_CRYPT(cbc_encrypt, mbedtls_xtea_context,
          mbedtls_xtea_crypt_cbc(s, MBEDTLS_XTEA_ENCRYPT, len, chain->iv, in, out))
TLS_CRYPT(cbc_decrypt, mbedtls_xtea_context,
          mbedtls_xtea_crypt_cbc(s, MBEDTLS_XTEA_DECRYPT, len, chain->iv, in, out))
static const mote_mode cbc = TLS_MODE_CBC(cbc_encrypt, cbc_decrypt);
#define CBC_ROW MOTE_PICK(cbc, &cbc)
#else
#define CBC_ROW
#endif
static const mote_mode *const modes[] = {MOTE_PICK(ecb, &ecb) CBC_ROW};
static const mote_block_cipher ciphers[] = {MOTE_PICK(
    xtea, {.name = "xtea",
           .block_len = 8,
           .key_len = 16,
           .schedule_len = sizeof(mbedtls_xtea_context),
           .set_key = key})};

MOTE_IMPLEMENTATION(mbedtls_xtea) = {.name = "xtea", MOTE_BLOCKS(ciphers), MOTE_OWN_MODES(modes)};

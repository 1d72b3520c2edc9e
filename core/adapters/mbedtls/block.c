/* AES, Camellia, ARIA: blocks of 128 bits, in the modes without a tag. */
#include "steps_of.h"

/* Modes that three ciphers have with the same arguments. */
#define WIDE(c, ENCRYPT, DECRYPT)                                                                  \
    ADAPTER_CONTEXT(c, c)                                                                          \
    ADAPTER_KEY(c##_key, mb_steps_decrypts(job) ? mbedtls_##c##_setkey_dec(&s->u.c, key, bits)     \
                                                : mbedtls_##c##_setkey_enc(&s->u.c, key, bits))    \
    ADAPTER_KEY(c##_stream_key, mbedtls_##c##_setkey_enc(&s->u.c, key, bits))                      \
    ADAPTER_CRYPT(c##_cbc_encrypt, mbedtls_##c##_crypt_cbc(&s->u.c, ENCRYPT, len, s->iv, in, out)) \
    ADAPTER_CRYPT(c##_cbc_decrypt, mbedtls_##c##_crypt_cbc(&s->u.c, DECRYPT, len, s->iv, in, out)) \
    ADAPTER_CRYPT(c##_cfb_encrypt,                                                                 \
                  mbedtls_##c##_crypt_cfb128(&s->u.c, ENCRYPT, len, &s->used, s->iv, in, out))     \
    ADAPTER_CRYPT(c##_cfb_decrypt,                                                                 \
                  mbedtls_##c##_crypt_cfb128(&s->u.c, DECRYPT, len, &s->used, s->iv, in, out))     \
    ADAPTER_CRYPT(c##_ctr,                                                                         \
                  mbedtls_##c##_crypt_ctr(&s->u.c, len, &s->used, s->iv, s->stream, in, out))      \
    const adapter_mode adapter_##c##_cbc = ADAPTER_CBC_MODE(c, c##_key, 16);                       \
    const adapter_mode adapter_##c##_cfb =                                                         \
        ADAPTER_STREAM_MODE(c, c##_stream_key, 16, c##_cfb_encrypt, c##_cfb_decrypt);              \
    const adapter_mode adapter_##c##_ctr =                                                         \
        ADAPTER_STREAM_MODE(c, c##_stream_key, 16, c##_ctr, c##_ctr);

WIDE(aes, MBEDTLS_AES_ENCRYPT, MBEDTLS_AES_DECRYPT)
ADAPTER_ECB(aes_ecb_encrypt, 16,
            mbedtls_aes_crypt_ecb(&s->u.aes, MBEDTLS_AES_ENCRYPT, in + i, out + i))
ADAPTER_ECB(aes_ecb_decrypt, 16,
            mbedtls_aes_crypt_ecb(&s->u.aes, MBEDTLS_AES_DECRYPT, in + i, out + i))
ADAPTER_CRYPT(aes_cfb8_encrypt,
              mbedtls_aes_crypt_cfb8(&s->u.aes, MBEDTLS_AES_ENCRYPT, len, s->iv, in, out))
ADAPTER_CRYPT(aes_cfb8_decrypt,
              mbedtls_aes_crypt_cfb8(&s->u.aes, MBEDTLS_AES_DECRYPT, len, s->iv, in, out))
ADAPTER_CRYPT(aes_ofb, mbedtls_aes_crypt_ofb(&s->u.aes, len, &s->used, s->iv, in, out))
const adapter_mode adapter_aes_ecb = ADAPTER_ECB_MODE(aes, aes_key, 16);
const adapter_mode adapter_aes_cfb8 =
    ADAPTER_STREAM_MODE(aes, aes_stream_key, 16, aes_cfb8_encrypt, aes_cfb8_decrypt);
const adapter_mode adapter_aes_ofb = ADAPTER_STREAM_MODE(aes, aes_stream_key, 16, aes_ofb, aes_ofb);

/*
 * A data unit a call, its number is left as it is. With 2.28.3 a unit that is not whole blocks
 * comes out wrong if output and input are the same buffer (ciphertext stealing overwrites what it
 * still reads), so in place, as ENCRYPT and DECRYPT are, only whole blocks are offered; messages
 * have any length from 16 bytes.
 */
ADAPTER_CONTEXT(xts, aes_xts)
ADAPTER_KEY(xts_key, mb_steps_decrypts(job) ? mbedtls_aes_xts_setkey_dec(&s->u.xts, key, bits)
                                            : mbedtls_aes_xts_setkey_enc(&s->u.xts, key, bits))
ADAPTER_STEP(xts_encrypt,
             mbedtls_aes_crypt_xts(&s->u.xts, MBEDTLS_AES_ENCRYPT, len, s->iv, in, out))
ADAPTER_STEP(xts_decrypt,
             mbedtls_aes_crypt_xts(&s->u.xts, MBEDTLS_AES_DECRYPT, len, s->iv, in, out))
const adapter_mode adapter_aes_xts = {
    .steps = {.set_key = xts_key,
              .begin = adapter_begin_iv,
              .encrypt = xts_encrypt,
              .decrypt = xts_decrypt,
              .block = 16,
              .whole_message = true},
    .init = xts_init,
    .free = xts_free,
    .nonce_min = 16,
    .nonce_max = 16,
    .no_streaming = true,
};

WIDE(camellia, MBEDTLS_CAMELLIA_ENCRYPT, MBEDTLS_CAMELLIA_DECRYPT)
ADAPTER_ECB(camellia_ecb_encrypt, 16,
            mbedtls_camellia_crypt_ecb(&s->u.camellia, MBEDTLS_CAMELLIA_ENCRYPT, in + i, out + i))
ADAPTER_ECB(camellia_ecb_decrypt, 16,
            mbedtls_camellia_crypt_ecb(&s->u.camellia, MBEDTLS_CAMELLIA_DECRYPT, in + i, out + i))
const adapter_mode adapter_camellia_ecb = ADAPTER_ECB_MODE(camellia, camellia_key, 16);

#if defined(MBEDTLS_ARIA_C)
WIDE(aria, MBEDTLS_ARIA_ENCRYPT, MBEDTLS_ARIA_DECRYPT)
ADAPTER_ECB(aria_ecb_encrypt, 16, mbedtls_aria_crypt_ecb(&s->u.aria, in + i, out + i))
ADAPTER_ECB(aria_ecb_decrypt, 16, mbedtls_aria_crypt_ecb(&s->u.aria, in + i, out + i))
const adapter_mode adapter_aria_ecb = ADAPTER_ECB_MODE(aria, aria_key, 16);
#endif

/* DES, 3DES, Blowfish, XTEA: blocks of 64 bits. */
#include "steps_of.h"

#define DES(c)                                                                                \
    ADAPTER_CONTEXT(c, c)                                                                     \
    ADAPTER_ECB(c##_ecb_encrypt, 8, mbedtls_##c##_crypt_ecb(&s->u.c, in + i, out + i))        \
    ADAPTER_ECB(c##_ecb_decrypt, 8, mbedtls_##c##_crypt_ecb(&s->u.c, in + i, out + i))        \
    ADAPTER_CRYPT(c##_cbc_encrypt,                                                            \
                  mbedtls_##c##_crypt_cbc(&s->u.c, MBEDTLS_DES_ENCRYPT, len, s->iv, in, out)) \
    ADAPTER_CRYPT(c##_cbc_decrypt,                                                            \
                  mbedtls_##c##_crypt_cbc(&s->u.c, MBEDTLS_DES_DECRYPT, len, s->iv, in, out)) \
    const adapter_mode adapter_##c##_ecb = ADAPTER_ECB_MODE(c, c##_key, 8);                   \
    const adapter_mode adapter_##c##_cbc = ADAPTER_CBC_MODE(c, c##_key, 8);

ADAPTER_KEY(des_key, mb_steps_decrypts(job) ? mbedtls_des_setkey_dec(&s->u.des, key)
                                            : mbedtls_des_setkey_enc(&s->u.des, key))
ADAPTER_KEY(des3_key, mb_steps_decrypts(job) ? mbedtls_des3_set3key_dec(&s->u.des3, key)
                                             : mbedtls_des3_set3key_enc(&s->u.des3, key))
DES(des)
DES(des3)

#if defined(MBEDTLS_BLOWFISH_C)
ADAPTER_CONTEXT(blowfish, blowfish)
ADAPTER_KEY(blowfish_key, mbedtls_blowfish_setkey(&s->u.blowfish, key, bits))
ADAPTER_ECB(blowfish_ecb_encrypt, 8,
            mbedtls_blowfish_crypt_ecb(&s->u.blowfish, MBEDTLS_BLOWFISH_ENCRYPT, in + i, out + i))
ADAPTER_ECB(blowfish_ecb_decrypt, 8,
            mbedtls_blowfish_crypt_ecb(&s->u.blowfish, MBEDTLS_BLOWFISH_DECRYPT, in + i, out + i))
ADAPTER_CRYPT(blowfish_cbc_encrypt,
              mbedtls_blowfish_crypt_cbc(&s->u.blowfish, MBEDTLS_BLOWFISH_ENCRYPT, len, s->iv, in,
                                         out))
ADAPTER_CRYPT(blowfish_cbc_decrypt,
              mbedtls_blowfish_crypt_cbc(&s->u.blowfish, MBEDTLS_BLOWFISH_DECRYPT, len, s->iv, in,
                                         out))
ADAPTER_CRYPT(blowfish_cfb_encrypt,
              mbedtls_blowfish_crypt_cfb64(&s->u.blowfish, MBEDTLS_BLOWFISH_ENCRYPT, len, &s->used,
                                           s->iv, in, out))
ADAPTER_CRYPT(blowfish_cfb_decrypt,
              mbedtls_blowfish_crypt_cfb64(&s->u.blowfish, MBEDTLS_BLOWFISH_DECRYPT, len, &s->used,
                                           s->iv, in, out))
ADAPTER_CRYPT(blowfish_ctr,
              mbedtls_blowfish_crypt_ctr(&s->u.blowfish, len, &s->used, s->iv, s->stream, in, out))
const adapter_mode adapter_blowfish_ecb = ADAPTER_ECB_MODE(blowfish, blowfish_key, 8);
const adapter_mode adapter_blowfish_cbc = ADAPTER_CBC_MODE(blowfish, blowfish_key, 8);
const adapter_mode adapter_blowfish_cfb =
    ADAPTER_STREAM_MODE(blowfish, blowfish_key, 8, blowfish_cfb_encrypt, blowfish_cfb_decrypt);
const adapter_mode adapter_blowfish_ctr =
    ADAPTER_STREAM_MODE(blowfish, blowfish_key, 8, blowfish_ctr, blowfish_ctr);
#endif

#if defined(MBEDTLS_XTEA_C)
ADAPTER_CONTEXT(xtea, xtea)
static mb_status xtea_key(mb_job *job)
{
    adapter_state *s = job->ctx;
    mbedtls_xtea_setup(&s->u.xtea, job->key);
    return MB_OK;
}
ADAPTER_ECB(xtea_ecb_encrypt, 8,
            mbedtls_xtea_crypt_ecb(&s->u.xtea, MBEDTLS_XTEA_ENCRYPT, in + i, out + i))
ADAPTER_ECB(xtea_ecb_decrypt, 8,
            mbedtls_xtea_crypt_ecb(&s->u.xtea, MBEDTLS_XTEA_DECRYPT, in + i, out + i))
ADAPTER_CRYPT(xtea_cbc_encrypt,
              mbedtls_xtea_crypt_cbc(&s->u.xtea, MBEDTLS_XTEA_ENCRYPT, len, s->iv, in, out))
ADAPTER_CRYPT(xtea_cbc_decrypt,
              mbedtls_xtea_crypt_cbc(&s->u.xtea, MBEDTLS_XTEA_DECRYPT, len, s->iv, in, out))
const adapter_mode adapter_xtea_ecb = ADAPTER_ECB_MODE(xtea, xtea_key, 8);
const adapter_mode adapter_xtea_cbc = ADAPTER_CBC_MODE(xtea, xtea_key, 8);
#endif

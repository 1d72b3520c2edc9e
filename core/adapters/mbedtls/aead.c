/*
 * GCM and CCM of the ciphers with blocks of 128 bits.
 *
 * Releases before 3.0 take GCM in whole blocks but for the last piece, and a CCM message in one
 * call only. So CCM is offered for messages in memory: that call writes or checks the tag too.
 */
#include "steps_of.h"

#include <string.h>

ADAPTER_CONTEXT(gcm, gcm)
ADAPTER_CONTEXT(ccm, ccm)

static mb_status gcm_begin(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    int mode = mb_steps_decrypts(job) ? MBEDTLS_GCM_DECRYPT : MBEDTLS_GCM_ENCRYPT;
    (void)len;
#if ADAPTER_VERSION_3
    int code = mbedtls_gcm_starts(&s->u.gcm, mode, job->nonce, job->nonce_len);
    if (code == 0 && job->aad_len > 0)
        code = mbedtls_gcm_update_ad(&s->u.gcm, job->aad, job->aad_len);
    return adapter_check(code);
#else
    return adapter_check(
        mbedtls_gcm_starts(&s->u.gcm, mode, job->nonce, job->nonce_len, job->aad, job->aad_len));
#endif
}

static mb_status gcm_crypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
#if ADAPTER_VERSION_3
    size_t written;
    return adapter_check(mbedtls_gcm_update(&s->u.gcm, in, len, out, len, &written));
#else
    return adapter_check(mbedtls_gcm_update(&s->u.gcm, len, in, out));
#endif
}

MB_BULK(gcm_crypt_bulk, gcm_crypt)

static mb_status gcm_tag(mb_job *job, uint8_t *out, size_t len)
{
    adapter_state *s = job->ctx;
#if ADAPTER_VERSION_3
    size_t written;
    return adapter_check(mbedtls_gcm_finish(&s->u.gcm, NULL, 0, &written, out, len));
#else
    return adapter_check(mbedtls_gcm_finish(&s->u.gcm, out, len));
#endif
}

/* SP 800-38C A.1: tags of CCM have even lengths. */
static mb_status ccm_begin(mb_job *job, size_t len)
{
    const adapter_state *s = job->ctx;
    (void)len;
    return s->steps.tag_len % 2 != 0 ? mb_note(MB_UNSUPPORTED, "tag length is not offered") : MB_OK;
}

static mb_status ccm_encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    return adapter_check(mbedtls_ccm_encrypt_and_tag(
        &s->u.ccm, len, job->nonce, job->nonce_len, job->aad, job->aad_len, in, out, s->tag,
        s->steps.tag_len));
}

static mb_status ccm_decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    adapter_state *s = job->ctx;
    int code = mbedtls_ccm_auth_decrypt(&s->u.ccm, len, job->nonce, job->nonce_len, job->aad,
                                        job->aad_len, in, out, job->tag, s->steps.tag_len);
    return code == MBEDTLS_ERR_CCM_AUTH_FAILED ? MB_REJECTED : adapter_check(code);
}

static mb_status ccm_tag(mb_job *job, uint8_t *out, size_t len)
{
    const adapter_state *s = job->ctx;
    memcpy(out, s->tag, len);
    return MB_OK;
}

#define AEADS(c, id)                                                       \
    ADAPTER_KEY(c##_gcm_key, mbedtls_gcm_setkey(&s->u.gcm, id, key, bits)) \
    ADAPTER_KEY(c##_ccm_key, mbedtls_ccm_setkey(&s->u.ccm, id, key, bits)) \
    const adapter_mode adapter_##c##_gcm = {                               \
        .steps = {.set_key = c##_gcm_key,                                  \
                  .begin = gcm_begin,                                      \
                  ADAPTER_BULK(gcm_crypt, gcm_crypt),                      \
                  .tag = gcm_tag,                                          \
                  .block = 16},                                            \
        .init = gcm_init,                                                  \
        .free = gcm_free,                                                  \
        .nonce_min = 1,                                                    \
        .nonce_max = UINT8_MAX,                                            \
        .tag_min = 4,                                                      \
        .tag_max = 16,                                                     \
    };                                                                     \
    const adapter_mode adapter_##c##_ccm = {                               \
        .steps = {.set_key = c##_ccm_key,                                  \
                  .begin = ccm_begin,                                      \
                  .encrypt = ccm_encrypt,                                  \
                  .decrypt = ccm_decrypt,                                  \
                  .tag = ccm_tag,                                          \
                  .block = 1,                                              \
                  .whole_message = true,                                   \
                  .verifies = true},                                       \
        .init = ccm_init,                                                  \
        .free = ccm_free,                                                  \
        .nonce_min = 7,                                                    \
        .nonce_max = 13,                                                   \
        .tag_min = 4,                                                      \
        .tag_max = 16,                                                     \
        .no_bulk = true,                                                   \
        .no_streaming = true,                                              \
    };

AEADS(aes, MBEDTLS_CIPHER_ID_AES)
AEADS(camellia, MBEDTLS_CIPHER_ID_CAMELLIA)
#if defined(MBEDTLS_ARIA_C)
AEADS(aria, MBEDTLS_CIPHER_ID_ARIA)
#endif

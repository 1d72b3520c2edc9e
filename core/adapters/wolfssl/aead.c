/*
 * Authenticated ciphers.
 *
 * Timed:
 *   KEY_SETUP            GCM, CCM: the library's call that sets the key. (X)ChaCha20-Poly1305 has
 *                        none: each message takes the key, so that ENCRYPT_MESSAGE and
 *                        ENCRYPT_NEW_KEY are the same there.
 *   ENCRYPT, DECRYPT     the library's call for more data of a message, in place. CCM has none:
 *                        ENCRYPT is a message with its tag, and DECRYPT, which would want a right
 *                        tag each time, is not offered.
 *   ENCRYPT_MESSAGE, DECRYPT_MESSAGE
 *                        GCM, CCM: the call for a whole message; (X)ChaCha20-Poly1305: begin, AAD,
 *                        data, tag, of which the library's own call for a whole message consists
 *                        too.
 */
#include "wolfssl_adapter.h"

#include <string.h>

enum { TAG_MAX = 16 };

static int gcm_key(adapter_cipher_state *s, const uint8_t *key, word32 len)
{
    return wc_AesGcmSetKey(&s->u.aes, key, len);
}

static int gcm_seal(adapter_cipher_state *s, const mb_job *job, uint8_t *tag)
{
    return wc_AesGcmEncrypt(
        &s->u.aes, job->out, job->in, (word32)job->in_len, job->nonce, (word32)job->nonce_len, tag,
        (word32)s->steps.tag_len, job->aad, (word32)job->aad_len);
}

static int gcm_unseal(adapter_cipher_state *s, const mb_job *job)
{
    return wc_AesGcmDecrypt(
        &s->u.aes, job->out, job->in, (word32)job->in_len, job->nonce, (word32)job->nonce_len,
        job->tag, (word32)s->steps.tag_len, job->aad, (word32)job->aad_len);
}

static int gcm_update(adapter_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len)
{
    return s->encrypt ? wc_AesGcmEncryptUpdate(&s->u.aes, out, in, len, NULL, 0)
                      : wc_AesGcmDecryptUpdate(&s->u.aes, out, in, len, NULL, 0);
}

static int gcm_begin(adapter_cipher_state *s, const mb_job *job)
{
    int err = wc_AesGcmInit(&s->u.aes, NULL, 0, job->nonce, (word32)job->nonce_len);
    if (err || job->aad_len == 0)
        return err;
    return s->encrypt
               ? wc_AesGcmEncryptUpdate(&s->u.aes, NULL, NULL, 0, job->aad, (word32)job->aad_len)
               : wc_AesGcmDecryptUpdate(&s->u.aes, NULL, NULL, 0, job->aad, (word32)job->aad_len);
}

static int gcm_finish(adapter_cipher_state *s, uint8_t *tag)
{
    return wc_AesGcmEncryptFinal(&s->u.aes, tag, (word32)s->steps.tag_len);
}

static int gcm_check(adapter_cipher_state *s, const uint8_t *tag)
{
    return wc_AesGcmDecryptFinal(&s->u.aes, tag, (word32)s->steps.tag_len);
}

static int ccm_key(adapter_cipher_state *s, const uint8_t *key, word32 len)
{
    return wc_AesCcmSetKey(&s->u.aes, key, len);
}

static int ccm_seal(adapter_cipher_state *s, const mb_job *job, uint8_t *tag)
{
    return wc_AesCcmEncrypt(
        &s->u.aes, job->out, job->in, (word32)job->in_len, job->nonce, (word32)job->nonce_len, tag,
        (word32)s->steps.tag_len, job->aad, (word32)job->aad_len);
}

static int ccm_unseal(adapter_cipher_state *s, const mb_job *job)
{
    return wc_AesCcmDecrypt(
        &s->u.aes, job->out, job->in, (word32)job->in_len, job->nonce, (word32)job->nonce_len,
        job->tag, (word32)s->steps.tag_len, job->aad, (word32)job->aad_len);
}

static int poly_update(adapter_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len)
{
    return wc_ChaCha20Poly1305_UpdateData(&s->u.poly, in, out, len);
}

static int poly_begin(adapter_cipher_state *s, const mb_job *job)
{
    int err = wc_ChaCha20Poly1305_Init(&s->u.poly, job->key, job->nonce, s->encrypt);
    return err ? err
               : wc_ChaCha20Poly1305_UpdateAad(
                     &s->u.poly, adapter_bytes(job->aad), (word32)job->aad_len);
}

/*
 * The declaration (5.5.4) names key and nonce the wrong way round: the nonce comes first. What the
 * function is given as AAD is missing in the length that Final authenticates, which makes the tag
 * wrong; so the AAD is added by the next call. The state is zeroed because the function leaves the
 * lengths of the message before in it.
 */
static int xpoly_begin(adapter_cipher_state *s, const mb_job *job)
{
    s->u.poly = (ChaChaPoly_Aead){0};
    int err = wc_XChaCha20Poly1305_Init(
        &s->u.poly, adapter_bytes(NULL), 0, job->nonce, (word32)job->nonce_len, job->key,
        (word32)job->key_len, s->encrypt);
    return err ? err
               : wc_ChaCha20Poly1305_UpdateAad(
                     &s->u.poly, adapter_bytes(job->aad), (word32)job->aad_len);
}

static int poly_finish(adapter_cipher_state *s, uint8_t *tag)
{
    return wc_ChaCha20Poly1305_Final(&s->u.poly, tag);
}

static int poly_check(adapter_cipher_state *s, const uint8_t *tag)
{
    uint8_t right[TAG_MAX];
    int err = wc_ChaCha20Poly1305_Final(&s->u.poly, right);
    return err ? err : wc_ChaCha20Poly1305_CheckTag(tag, right);
}

static int poly_seal(adapter_cipher_state *s, const mb_job *job, uint8_t *tag)
{
    int err = ((const adapter_aead *)job->scheme->param)->begin(s, job);
    if (!err)
        err = wc_ChaCha20Poly1305_UpdateData(
            &s->u.poly, adapter_bytes(job->in), job->out, (word32)job->in_len);
    return err ? err : wc_ChaCha20Poly1305_Final(&s->u.poly, tag);
}

static int poly_unseal(adapter_cipher_state *s, const mb_job *job)
{
    int err = ((const adapter_aead *)job->scheme->param)->begin(s, job);
    if (!err)
        err = wc_ChaCha20Poly1305_UpdateData(
            &s->u.poly, adapter_bytes(job->in), job->out, (word32)job->in_len);
    return err ? err : poly_check(s, job->tag);
}

#define GCM(bits, key)                          \
    {{&adapter_aead_kind, "aes-" #bits "-gcm"}, \
     key,                                       \
     WOLFSSL_MIN_AUTH_TAG_SZ,                   \
     1,                                         \
     UINT16_MAX - 1,                            \
     AES_BLOCK_SIZE,                            \
     gcm_key,                                   \
     gcm_seal,                                  \
     gcm_unseal,                                \
     gcm_begin,                                 \
     gcm_update,                                \
     gcm_finish,                                \
     gcm_check}
#define CCM(bits, key)                          \
    {{&adapter_aead_kind, "aes-" #bits "-ccm"}, \
     key,                                       \
     WOLFSSL_MIN_AUTH_TAG_SZ,                   \
     7,                                         \
     13,                                        \
     0,                                         \
     ccm_key,                                   \
     ccm_seal,                                  \
     ccm_unseal,                                \
     NULL,                                      \
     NULL,                                      \
     NULL,                                      \
     NULL}
#define POLY(label, nonce, start) \
    {{&adapter_aead_kind, label}, \
     32,                          \
     TAG_MAX,                     \
     nonce,                       \
     nonce,                       \
     nonce,                       \
     NULL,                        \
     poly_seal,                   \
     poly_unseal,                 \
     start,                       \
     poly_update,                 \
     poly_finish,                 \
     poly_check}

const adapter_aead adapter_aeads[] = {
    GCM(128, 16),
    GCM(192, 24),
    GCM(256, 32),
    CCM(128, 16),
    CCM(192, 24),
    CCM(256, 32),
    POLY("chacha20-poly1305", 12, poly_begin),
    POLY("xchacha20-poly1305", 24, xpoly_begin),
};

const size_t adapter_aead_count = sizeof adapter_aeads / sizeof adapter_aeads[0];

static mb_status begin_stream(const mb_job *job, adapter_cipher_state *s)
{
    const adapter_aead *aead = job->scheme->param;
    if (job->nonce_len > aead->nonce_max_streamed)
        return mb_note(MB_UNSUPPORTED, "the library accepts no nonce of this length in streaming");
    s->begun = true;
    return adapter_check(aead->begin(s, job));
}

static mb_status verdict(int err)
{
    return err == AES_GCM_AUTH_E || err == AES_CCM_AUTH_E || err == MAC_CMP_FAILED_E
               ? MB_REJECTED
               : adapter_check(err);
}

static adapter_cipher_state *state_of(const mb_job *job)
{
    return &((adapter_state *)job->ctx)->cipher;
}

static mb_status set_key(mb_job *job)
{
    const adapter_aead *aead = job->scheme->param;
    return aead->set_key
               ? adapter_check(aead->set_key(state_of(job), job->key, (word32)job->key_len))
               : MB_OK;
}

static mb_status process(mb_job *job)
{
    const adapter_aead *aead = job->scheme->param;
    return adapter_check(aead->update(state_of(job), job->out, job->out, (word32)job->in_len));
}

/* CCM: a whole message; its tag is not used. */
static mb_status process_whole(mb_job *job)
{
    const adapter_aead *aead = job->scheme->param;
    uint8_t tag[TAG_MAX];
    return adapter_check(aead->seal(state_of(job), job, tag));
}

static mb_status seal(mb_job *job)
{
    const adapter_aead *aead = job->scheme->param;
    return adapter_check(aead->seal(state_of(job), job, job->tag_out));
}

static mb_status seal_with_new_key(mb_job *job)
{
    mb_status status = set_key(job);
    return status == MB_OK ? seal(job) : status;
}

static mb_status unseal(mb_job *job)
{
    const adapter_aead *aead = job->scheme->param;
    return verdict(aead->unseal(state_of(job), job));
}

MB_REPEAT(key_setups, set_key)
MB_REPEAT(bulk, process)
MB_REPEAT(bulk_whole, process_whole)
MB_REPEAT(seal_all, seal)
MB_REPEAT(seal_all_with_new_key, seal_with_new_key)
MB_REPEAT(unseal_all, unseal)

static mb_status aead_open(mb_job *job)
{
    const adapter_aead *aead = job->scheme->param;
    adapter_cipher_state *s = state_of(job);
    mb_run *data = aead->update ? bulk : bulk_whole;
    s->encrypt = !mb_steps_decrypts(job);
    s->how = (mb_steps){
        .set_key = set_key,
        .block = 1,
        .runs = {.key_setup = key_setups,
                 .encrypt = data,
                 .decrypt = data,
                 .encrypt_message = seal_all,
                 .encrypt_new_key = seal_all_with_new_key,
                 .decrypt_message = unseal_all}};
    if (aead->set_key) {
        mb_status status = adapter_check(wc_AesInit(&s->u.aes, NULL, INVALID_DEVID));
        if (status != MB_OK)
            return status;
    }
    mb_status status = mb_steps_open(job, &s->how);
    if (status == MB_OK && !aead->begin && s->steps.tag_len % 2 != 0) /* CCM: SP 800-38C A.1 */
        return mb_note(MB_UNSUPPORTED, "tag length is not offered");
    return status;
}

static mb_status aead_start(mb_job *job)
{
    const adapter_aead *aead = job->scheme->param;
    adapter_cipher_state *s = state_of(job);
    s->begun = false;
    mb_status status = mb_steps_start(job);
    if (status != MB_OK || !aead->begin || (job->op != MB_ENCRYPT && job->op != MB_DECRYPT))
        return status;
    return begin_stream(job, s);
}

static mb_status aead_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                             size_t *out_len)
{
    const adapter_aead *aead = job->scheme->param;
    adapter_cipher_state *s = &((adapter_state *)job->ctx)->cipher;
    mb_status status = s->begun ? MB_OK : begin_stream(job, s);
    if (status == MB_OK && in_len > 0)
        status = adapter_check(aead->update(s, out, in, (word32)in_len));
    *out_len = status == MB_OK ? in_len : 0;
    return status;
}

static mb_status aead_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const adapter_aead *aead = job->scheme->param;
    adapter_cipher_state *s = &((adapter_state *)job->ctx)->cipher;
    uint8_t none[1] = {0};
    *out_len = 0;
    mb_status status = s->begun ? MB_OK : begin_stream(job, s);
    if (status != MB_OK)
        return status;
    /* ChaCha20-Poly1305 refuses to finish a message without AAD that was never given data. */
    int err = job->total_len == 0 ? aead->update(s, out ? out : none, none, 0) : 0;
    if (!err)
        err = s->encrypt ? aead->finish(s, job->tag_out) : aead->check(s, job->tag);
    job->tag_out_len = s->encrypt && !err ? s->steps.tag_len : 0;
    return verdict(err);
}

static void aead_close(mb_job *job)
{
    memset(job->ctx, 0, sizeof(adapter_cipher_state));
}

const mb_kind adapter_aead_kind = {
    .open = aead_open,
    .start = aead_start,
    .run = mb_drive_run,
    .update = aead_update,
    .final = aead_final,
    .close = aead_close,
};

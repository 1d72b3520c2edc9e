/*
 * Authenticated ciphers.
 *
 * What is timed:
 *   KEY_SETUP            GCM, CCM: the library's call that sets the key. (X)ChaCha20-Poly1305 has none: each message
 *                        takes the key, so that ENCRYPT_MESSAGE and ENCRYPT_NEW_KEY are the same there.
 *   ENCRYPT, DECRYPT     the library's call for more data of a message, in place. CCM has none: ENCRYPT is a message
 *                        with its tag, and DECRYPT, which would want a right tag each time, is not offered.
 *   ENCRYPT_MESSAGE, DECRYPT_MESSAGE
 *                        GCM, CCM: the call for a whole message; (X)ChaCha20-Poly1305: begin, AAD, data, tag, of which
 *                        the library's own call for a whole message consists too.
 */
#include "ws.h"

#include <string.h>

enum { TAG_MAX = 16 };

static int gcm_key(ws_cipher_state *s, const uint8_t *key, word32 len)
{
    return wc_AesGcmSetKey(&s->u.aes, key, len);
}

static int gcm_seal(ws_cipher_state *s, const mb_job *job, uint8_t *tag)
{
    return wc_AesGcmEncrypt(&s->u.aes, job->out, job->in, (word32)job->in_len, job->nonce, (word32)job->nonce_len, tag,
                            (word32)s->tag_len, job->aad, (word32)job->aad_len);
}

static int gcm_unseal(ws_cipher_state *s, const mb_job *job)
{
    return wc_AesGcmDecrypt(&s->u.aes, job->out, job->in, (word32)job->in_len, job->nonce, (word32)job->nonce_len,
                            job->tag, (word32)s->tag_len, job->aad, (word32)job->aad_len);
}

static int gcm_update(ws_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len)
{
    return s->encrypt ? wc_AesGcmEncryptUpdate(&s->u.aes, out, in, len, NULL, 0)
                      : wc_AesGcmDecryptUpdate(&s->u.aes, out, in, len, NULL, 0);
}

static int gcm_begin(ws_cipher_state *s, const mb_job *job)
{
    int err = wc_AesGcmInit(&s->u.aes, NULL, 0, job->nonce, (word32)job->nonce_len);
    if (err || job->aad_len == 0)
        return err;
    return s->encrypt ? wc_AesGcmEncryptUpdate(&s->u.aes, NULL, NULL, 0, job->aad, (word32)job->aad_len)
                      : wc_AesGcmDecryptUpdate(&s->u.aes, NULL, NULL, 0, job->aad, (word32)job->aad_len);
}

static int gcm_finish(ws_cipher_state *s, uint8_t *tag)
{
    return wc_AesGcmEncryptFinal(&s->u.aes, tag, (word32)s->tag_len);
}

static int gcm_check(ws_cipher_state *s, const uint8_t *tag)
{
    return wc_AesGcmDecryptFinal(&s->u.aes, tag, (word32)s->tag_len);
}

static int ccm_key(ws_cipher_state *s, const uint8_t *key, word32 len)
{
    return wc_AesCcmSetKey(&s->u.aes, key, len);
}

static int ccm_seal(ws_cipher_state *s, const mb_job *job, uint8_t *tag)
{
    return wc_AesCcmEncrypt(&s->u.aes, job->out, job->in, (word32)job->in_len, job->nonce, (word32)job->nonce_len, tag,
                            (word32)s->tag_len, job->aad, (word32)job->aad_len);
}

static int ccm_unseal(ws_cipher_state *s, const mb_job *job)
{
    return wc_AesCcmDecrypt(&s->u.aes, job->out, job->in, (word32)job->in_len, job->nonce, (word32)job->nonce_len,
                            job->tag, (word32)s->tag_len, job->aad, (word32)job->aad_len);
}

static int poly_update(ws_cipher_state *s, uint8_t *out, const uint8_t *in, word32 len)
{
    return wc_ChaCha20Poly1305_UpdateData(&s->u.poly, in, out, len);
}

static int poly_begin(ws_cipher_state *s, const mb_job *job)
{
    int err = wc_ChaCha20Poly1305_Init(&s->u.poly, job->key, job->nonce, s->encrypt);
    return err ? err : wc_ChaCha20Poly1305_UpdateAad(&s->u.poly, ws_bytes(job->aad), (word32)job->aad_len);
}

/*
 * The declaration (5.5.4) names key and nonce the wrong way round: the nonce comes first. What the function is given as
 * AAD is missing in the length that Final authenticates, which makes the tag wrong; so the AAD is added by the next call.
 * The state is zeroed because the function leaves the lengths of the message before in it.
 */
static int xpoly_begin(ws_cipher_state *s, const mb_job *job)
{
    s->u.poly = (ChaChaPoly_Aead){0};
    int err = wc_XChaCha20Poly1305_Init(&s->u.poly, ws_bytes(NULL), 0, job->nonce, (word32)job->nonce_len, job->key,
                                        (word32)job->key_len, s->encrypt);
    return err ? err : wc_ChaCha20Poly1305_UpdateAad(&s->u.poly, ws_bytes(job->aad), (word32)job->aad_len);
}

static int poly_finish(ws_cipher_state *s, uint8_t *tag)
{
    return wc_ChaCha20Poly1305_Final(&s->u.poly, tag);
}

static int poly_check(ws_cipher_state *s, const uint8_t *tag)
{
    uint8_t right[TAG_MAX];
    int err = wc_ChaCha20Poly1305_Final(&s->u.poly, right);
    return err ? err : wc_ChaCha20Poly1305_CheckTag(tag, right);
}

static int poly_seal(ws_cipher_state *s, const mb_job *job, uint8_t *tag)
{
    int err = ((const ws_aead *)job->scheme->param)->begin(s, job);
    if (!err)
        err = wc_ChaCha20Poly1305_UpdateData(&s->u.poly, ws_bytes(job->in), job->out, (word32)job->in_len);
    return err ? err : wc_ChaCha20Poly1305_Final(&s->u.poly, tag);
}

static int poly_unseal(ws_cipher_state *s, const mb_job *job)
{
    int err = ((const ws_aead *)job->scheme->param)->begin(s, job);
    if (!err)
        err = wc_ChaCha20Poly1305_UpdateData(&s->u.poly, ws_bytes(job->in), job->out, (word32)job->in_len);
    return err ? err : poly_check(s, job->tag);
}

/* clang-format off */
#define GCM(bits, key) \
    {{&ws_aead_kind, "aes-" #bits "-gcm"}, key, WOLFSSL_MIN_AUTH_TAG_SZ, 1, UINT16_MAX - 1, AES_BLOCK_SIZE, \
     gcm_key, gcm_seal, gcm_unseal, gcm_begin, gcm_update, gcm_finish, gcm_check}
#define CCM(bits, key) \
    {{&ws_aead_kind, "aes-" #bits "-ccm"}, key, WOLFSSL_MIN_AUTH_TAG_SZ, 7, 13, 0, \
     ccm_key, ccm_seal, ccm_unseal, NULL, NULL, NULL, NULL}
#define POLY(label, nonce, start) \
    {{&ws_aead_kind, label}, 32, TAG_MAX, nonce, nonce, nonce, \
     NULL, poly_seal, poly_unseal, start, poly_update, poly_finish, poly_check}

const ws_aead ws_aeads[] = {
    GCM(128, 16), GCM(192, 24), GCM(256, 32),
    CCM(128, 16), CCM(192, 24), CCM(256, 32),
    POLY("chacha20-poly1305", 12, poly_begin), POLY("xchacha20-poly1305", 24, xpoly_begin),
};
/* clang-format on */

const size_t ws_aead_count = sizeof ws_aeads / sizeof ws_aeads[0];

static mb_status aead_open(mb_job *job)
{
    const ws_aead *aead = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    s->encrypt = !mb_steps_decrypts(job);
    mb_status status = mb_check_lengths(job, job->op != MB_KEY_SETUP);
    if (status == MB_OK)
        status = mb_tag_length(job, &s->tag_len);
    if (status != MB_OK)
        return status;
    if (!aead->begin && s->tag_len % 2 != 0) /* CCM: SP 800-38C A.1 */
        return mb_note(MB_UNSUPPORTED, "tag length is not offered");
    if (!aead->set_key)
        return MB_OK;
    int err = wc_AesInit(&s->u.aes, NULL, INVALID_DEVID);
    return ws_check(err ? err : aead->set_key(s, job->key, (word32)job->key_len));
}

static mb_status begin_pieces(const mb_job *job, ws_cipher_state *s)
{
    const ws_aead *aead = job->scheme->param;
    if (job->nonce_len > aead->nonce_max_pieces)
        return mb_note(MB_UNSUPPORTED, "the library takes no nonce of this length for a message in pieces");
    s->begun = true;
    return ws_check(aead->begin(s, job));
}

static mb_status aead_start(mb_job *job)
{
    const ws_aead *aead = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    s->begun = false;
    return aead->begin && (job->op == MB_ENCRYPT || job->op == MB_DECRYPT) ? begin_pieces(job, s) : MB_OK;
}

static mb_status key_setups(mb_job *job, uint32_t n)
{
    const ws_aead *aead = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    int err = 0;
    for (uint32_t i = 0; i < n && !err; i++)
        err = aead->set_key(s, job->key, (word32)job->key_len);
    job->out_len = 0;
    return ws_check(err);
}

static mb_status bulk(mb_job *job, uint32_t n)
{
    const ws_aead *aead = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    uint8_t *data = job->out;
    word32 len = (word32)job->in_len;
    uint8_t tag[TAG_MAX];
    int err = 0;
    if (aead->update) {
        for (uint32_t i = 0; i < n && !err; i++)
            err = aead->update(s, data, data, len);
    } else {
        for (uint32_t i = 0; i < n && !err; i++)
            err = aead->seal(s, job, tag);
    }
    job->out_len = job->in_len;
    return ws_check(err);
}

static mb_status seal_messages(mb_job *job, uint32_t n, bool new_key)
{
    const ws_aead *aead = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    if (job->in_len > job->out_cap || s->tag_len > job->tag_out_cap)
        return mb_note(MB_TOO_BIG, "output does not fit");
    int err = 0;
    if (new_key && aead->set_key) {
        for (uint32_t i = 0; i < n && !err; i++) {
            err = aead->set_key(s, job->key, (word32)job->key_len);
            if (!err)
                err = aead->seal(s, job, job->tag_out);
        }
    } else {
        for (uint32_t i = 0; i < n && !err; i++)
            err = aead->seal(s, job, job->tag_out);
    }
    job->out_len = job->in_len;
    job->tag_out_len = s->tag_len;
    return ws_check(err);
}

static mb_status verdict(int err)
{
    return err == AES_GCM_AUTH_E || err == AES_CCM_AUTH_E || err == MAC_CMP_FAILED_E ? MB_REJECTED : ws_check(err);
}

static mb_status unseal_messages(mb_job *job, uint32_t n)
{
    const ws_aead *aead = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    if (job->in_len > job->out_cap)
        return mb_note(MB_TOO_BIG, "output does not fit");
    int err = 0;
    for (uint32_t i = 0; i < n && !err; i++)
        err = aead->unseal(s, job);
    job->out_len = err ? 0 : job->in_len;
    if (err && job->in_len > 0)
        memset(job->out, 0, job->in_len); /* nobody may see what did not verify */
    return verdict(err);
}

static mb_status aead_run(mb_job *job, uint32_t n)
{
    switch (job->op) {
    case MB_KEY_SETUP:
        return key_setups(job, n);
    case MB_ENCRYPT:
    case MB_DECRYPT:
        return bulk(job, n);
    case MB_ENCRYPT_MESSAGE:
        return seal_messages(job, n, false);
    case MB_ENCRYPT_NEW_KEY:
        return seal_messages(job, n, true);
    case MB_DECRYPT_MESSAGE:
        return unseal_messages(job, n);
    default:
        return mb_note(MB_UNSUPPORTED, "not an operation of authenticated ciphers");
    }
}

static mb_status aead_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    const ws_aead *aead = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    mb_status status = s->begun ? MB_OK : begin_pieces(job, s);
    if (status == MB_OK && in_len > 0)
        status = ws_check(aead->update(s, out, in, (word32)in_len));
    *out_len = status == MB_OK ? in_len : 0;
    return status;
}

static mb_status aead_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const ws_aead *aead = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    uint8_t none[1] = {0};
    *out_len = 0;
    mb_status status = s->begun ? MB_OK : begin_pieces(job, s);
    if (status != MB_OK)
        return status;
    /* ChaCha20-Poly1305 refuses to finish a message without AAD that was never given data. */
    int err = job->total_len == 0 ? aead->update(s, out ? out : none, none, 0) : 0;
    if (!err)
        err = s->encrypt ? aead->finish(s, job->tag_out) : aead->check(s, job->tag);
    job->tag_out_len = s->encrypt && !err ? s->tag_len : 0;
    return verdict(err);
}

static void aead_close(mb_job *job)
{
    memset(job->ctx, 0, sizeof(ws_cipher_state));
}

const mb_kind ws_aead_kind = {
    .open = aead_open,
    .start = aead_start,
    .run = aead_run,
    .update = aead_update,
    .final = aead_final,
    .close = aead_close,
};

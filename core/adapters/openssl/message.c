/*
 * Whole messages: nonce, AAD, data, finish, tag.
 *
 * ENCRYPT_MESSAGE loads the nonce alone (EVP_CipherInit_ex2 without cipher and key); ENCRYPT_NEW_KEY loads key and
 * nonce in the same call, which is what `openssl speed -evp` of 3.0.19 times for GCM and CCM (it sets the nonce length
 * anew where this reads the tag; for the other ciphers it times ENCRYPT). RC4 has no nonce and cannot start over
 * without its key, so its messages always load it.
 */
#include "openssl_adapter.h"

/* Parts of a message after the nonce: expected tag, length (CCM), AAD. Encryption and CCM's order fit both ways. */
static int begin_aead(const mb_job *job, mbo_state *state, mbo_style style, int encrypt, size_t total_len)
{
    EVP_CIPHER_CTX *ctx = state->cipher_ctx;
    int ignored;

    if (job->op == MB_DECRYPT_MESSAGE
        && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)state->tag_len, state->tag) != 1)
        return 0;
    if (style == MBO_CCM && EVP_CipherUpdate(ctx, NULL, &ignored, NULL, (int)total_len) != 1)
        return 0;
    if (job->aad_len == 0)
        return 1;
    return (encrypt ? EVP_EncryptUpdate(ctx, NULL, &ignored, job->aad, (int)job->aad_len)
                    : EVP_DecryptUpdate(ctx, NULL, &ignored, job->aad, (int)job->aad_len))
           == 1;
}

int mbo_begin_message(mb_job *job, const uint8_t *key, int encrypt, size_t total_len)
{
    mbo_state *state = mbo_state_of(job);
    mbo_style style = mbo_detail_of(job)->style;

    if (EVP_CipherInit_ex2(state->cipher_ctx, NULL, key, state->iv, -1, NULL) != 1)
        return 0;
    return (style != MBO_AEAD && style != MBO_CCM) || begin_aead(job, state, style, encrypt, total_len);
}

mb_status mbo_encrypt_messages(mb_job *job, const uint8_t *key, uint32_t n)
{
    mbo_state *state = mbo_state_of(job);
    EVP_CIPHER_CTX *ctx = state->cipher_ctx;
    int len = (int)job->in_len, written = 0, last = 0;
    int keeps_tag = job->op != MB_ENCRYPT; /* CCM makes one for every message */
    uint8_t *tag = keeps_tag ? job->tag_out : state->tag;

    for (uint32_t i = 0; i < n; i++) {
        if (!mbo_begin_message(job, key, 1, job->in_len)
            || EVP_EncryptUpdate(ctx, job->out, &written, job->in, len) != 1
            || EVP_EncryptFinal_ex(ctx, job->out + written, &last) != 1)
            return mbo_fail();
        if (state->tag_len > 0
            && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, (int)state->tag_len, tag) != 1)
            return mbo_fail();
    }
    job->out_len = (size_t)(written + last);
    if (keeps_tag)
        job->tag_out_len = state->tag_len;
    return MB_OK;
}

mb_status mbo_decrypt_messages(mb_job *job, uint32_t n)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    const uint8_t *key = detail->no_resync ? state->key_bytes : NULL;
    EVP_CIPHER_CTX *ctx = state->cipher_ctx;
    int len = (int)job->in_len, written = 0, last = 0;
    int final_checks = detail->style == MBO_PADDED || detail->style == MBO_AEAD;

    for (uint32_t i = 0; i < n; i++) {
        if (!mbo_begin_message(job, key, 0, job->in_len))
            return mbo_fail();
        /* CCM checks its tag before it gives anything out. */
        if (EVP_DecryptUpdate(ctx, job->out, &written, job->in, len) != 1)
            return detail->style == MBO_CCM ? mbo_reject(job) : mbo_fail();
        if (EVP_DecryptFinal_ex(ctx, job->out + written, &last) != 1)
            return final_checks ? mbo_reject(job) : mbo_fail();
    }
    job->out_len = (size_t)(written + last);
    return MB_OK;
}

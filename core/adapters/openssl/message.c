/*
 * Whole messages: nonce, AAD, data, finish, tag.
 *
 * ENCRYPT_MESSAGE loads the nonce alone (EVP_CipherInit_ex2 without cipher and key);
 * ENCRYPT_NEW_KEY loads key and nonce in the same call, which is what `openssl speed -evp` of
 * 3.0.19 times for GCM and CCM (it sets the nonce length anew where this reads the tag; for the
 * other ciphers it times ENCRYPT). RC4 has no nonce and cannot start over without its key, so its
 * messages always load it.
 */
#include "openssl_adapter.h"

int mbo_encrypts(const mb_job *job)
{
    return !mb_steps_decrypts(job);
}

const uint8_t *mbo_message_key(mb_job *job)
{
    return mbo_detail_of(job)->no_resync ? mbo_state_of(job)->key_bytes : NULL;
}

/*
 * Parts of a message after the nonce: expected tag, length (CCM), AAD. Encryption and CCM's order
 * fit both ways.
 */
static inline int begin_aead(mb_job *job, mbo_style style, size_t total_len)
{
    mbo_state *state = mbo_state_of(job);
    EVP_CIPHER_CTX *ctx = state->cipher_ctx;
    int ignored;

    if (job->op == MB_DECRYPT_MESSAGE &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)state->driver.steps.tag_len,
                            state->tag) != 1)
        return 0;
    if (style == MBO_CCM && EVP_CipherUpdate(ctx, NULL, &ignored, NULL, (int)total_len) != 1)
        return 0;
    if (job->aad_len == 0)
        return 1;
    return (mbo_encrypts(job)
                ? EVP_EncryptUpdate(ctx, NULL, &ignored, job->aad, (int)job->aad_len)
                : EVP_DecryptUpdate(ctx, NULL, &ignored, job->aad, (int)job->aad_len)) == 1;
}

int mbo_begin_message(mb_job *job, const uint8_t *key, size_t total_len)
{
    mbo_state *state = mbo_state_of(job);
    mbo_style style = mbo_detail_of(job)->style;

    if (EVP_CipherInit_ex2(state->cipher_ctx, NULL, key, state->iv, -1, NULL) != 1)
        return 0;
    return (style != MBO_AEAD && style != MBO_CCM) || begin_aead(job, style, total_len);
}

static inline mb_status seal(mb_job *job, const uint8_t *key)
{
    const mbo_state *state = mbo_state_of(job);
    EVP_CIPHER_CTX *ctx = state->cipher_ctx;
    size_t tag_len = state->driver.steps.tag_len;
    int written = 0, last = 0;

    if (!mbo_begin_message(job, key, job->in_len) ||
        EVP_EncryptUpdate(ctx, job->out, &written, job->in, (int)job->in_len) != 1 ||
        EVP_EncryptFinal_ex(ctx, job->out + written, &last) != 1 ||
        (tag_len > 0 &&
         EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, (int)tag_len, job->tag_out) != 1))
        return mbo_fail();
    job->out_len = (size_t)(written + last);
    return MB_OK;
}

static mb_status seal_message(mb_job *job)
{
    return seal(job, mbo_message_key(job));
}

static mb_status seal_with_new_key(mb_job *job)
{
    return seal(job, mbo_state_of(job)->key_bytes);
}

static mb_status open_message(mb_job *job)
{
    EVP_CIPHER_CTX *ctx = mbo_state_of(job)->cipher_ctx;
    mbo_style style = mbo_detail_of(job)->style;
    int written = 0, last = 0;

    if (!mbo_begin_message(job, mbo_message_key(job), job->in_len))
        return mbo_fail();
    /* CCM checks its tag before it gives anything out. */
    if (EVP_DecryptUpdate(ctx, job->out, &written, job->in, (int)job->in_len) != 1)
        return style == MBO_CCM ? mbo_reject() : mbo_fail();
    if (EVP_DecryptFinal_ex(ctx, job->out + written, &last) != 1)
        return style == MBO_PADDED || style == MBO_AEAD ? mbo_reject() : mbo_fail();
    job->out_len = (size_t)(written + last);
    return MB_OK;
}

mb_status mbo_seal_messages(mb_job *job, uint32_t n)
{
    return mb_repeat(job, n, seal_message);
}

mb_status mbo_seal_with_new_keys(mb_job *job, uint32_t n)
{
    return mb_repeat(job, n, seal_with_new_key);
}

mb_status mbo_open_messages(mb_job *job, uint32_t n)
{
    return mb_repeat(job, n, open_message);
}

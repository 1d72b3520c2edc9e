/*
 * Ciphers and AEADs: set-up, long messages piece by piece, key set-up. Whole messages are in message.c.
 *
 * What the timed loops contain:
 *   ENCRYPT, DECRYPT  one EVP_EncryptUpdate/EVP_DecryptUpdate, as `openssl speed -evp` does. XTS: that is one data unit
 *                     under the nonce of `start`, the encryption of the tweak included. CCM cannot be continued:
 *                     one whole message (no AAD), and no DECRYPT, because OpenSSL gives no plaintext without a
 *                     good tag, which the output of the iteration before does not have.
 *   KEY_SETUP         EVP_CipherInit_ex2 with a key alone, for encryption, on a context whose cipher is already set:
 *                     the key schedule (GCM: and the hash key tables; OCB: and its offset table) and the call's checks.
 */
#include <openssl/core_names.h>
#include <string.h>

#include "openssl_adapter.h"

static int available(const mbo_detail *detail)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, detail->fetch, NULL);

    EVP_CIPHER_free(cipher);
    return cipher != NULL;
}

static int is_aead(mbo_style style)
{
    return style == MBO_AEAD || style == MBO_CCM;
}

static int is_encryption(mb_operation op)
{
    return op != MB_DECRYPT && op != MB_DECRYPT_MESSAGE;
}

/* Lengths that the ranges of mb_scheme do not say. */
static mb_status check_lengths(const mb_job *job)
{
    const mb_scheme *scheme = job->scheme;
    mbo_style style = mbo_detail_of(job)->style;

    if (job->op == MB_KEY_SETUP)
        return MB_OK;
    if (job->nonce_len < scheme->nonce_min || job->nonce_len > scheme->nonce_max)
        return MB_UNSUPPORTED;
    if (job->aad_len > 0 && !is_aead(style))
        return MB_UNSUPPORTED;
    if ((job->op == MB_ENCRYPT || job->op == MB_DECRYPT) && job->in_len % scheme->block != 0)
        return MB_UNSUPPORTED;
    if (style == MBO_XTS && (job->in_len < 16 || job->in_len > (size_t)1 << 24)) /* IEEE 1619: up to 2^20 blocks */
        return MB_UNSUPPORTED;
    if (style == MBO_CCM) { /* SP 800-38C: the length takes what the nonce leaves of 15 bytes */
        size_t length_bytes = 15 - job->nonce_len;
        if (length_bytes < sizeof(size_t) && job->in_len >> (8 * length_bytes) != 0)
            return MB_UNSUPPORTED;
    }
    return job->in_len + 2 * EVP_MAX_BLOCK_LENGTH <= job->out_cap ? MB_OK : MB_TOO_BIG;
}

/* The tag length of this job; where no tag is written or checked, any will do. */
static mb_status choose_tag_length(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const mb_scheme *scheme = job->scheme;
    int checks = job->op == MB_DECRYPT_MESSAGE;
    size_t len = checks ? job->tag_len : job->tag_out_len;

    if (!is_aead(mbo_detail_of(job)->style))
        return MB_OK;
    if (len == 0 && !checks)
        len = scheme->tag_max;
    if (len < scheme->tag_min || len > scheme->tag_max || (mbo_detail_of(job)->style == MBO_CCM && len % 2 != 0))
        return MB_UNSUPPORTED;
    state->tag_len = len;
    if (checks)
        memcpy(state->tag, job->tag, len);
    return MB_OK;
}

/* CCM and OCB compute with the tag length, so it must stand before the key; the others only cut the tag. */
static int tell_tag_length(const mb_job *job, mbo_state *state)
{
    if (mbo_detail_of(job)->style != MBO_CCM && strstr(mbo_detail_of(job)->fetch, "OCB") == NULL)
        return 1;
    return EVP_CIPHER_CTX_ctrl(state->cipher_ctx, EVP_CTRL_AEAD_SET_TAG, (int)state->tag_len, NULL) == 1;
}

static int load_key(mbo_state *state)
{
    return EVP_CipherInit_ex2(state->cipher_ctx, NULL, state->key_bytes, NULL, -1, NULL) == 1;
}

/* ChaCha20 in OpenSSL takes a 32-bit little-endian block counter before the 12-byte nonce of RFC 8439. */
static mb_status set_nonce(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    if (job->scheme->nonce_max == 0 || job->op == MB_KEY_SETUP)
        return MB_OK;
    state->iv = job->nonce;
    if (job->scheme->nonce_min == 12 && job->scheme->nonce_max == 16) {
        if (job->nonce_len != 12 && job->nonce_len != 16)
            return MB_UNSUPPORTED;
        memcpy(state->iv_buffer + 16 - job->nonce_len, job->nonce, job->nonce_len);
        state->iv = state->iv_buffer;
    }
    return MB_OK;
}

/* Parameters that must stand before the key: nonce, tag and key lengths, RC2 effective bits. */
static int set_parameters(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    EVP_CIPHER_CTX *ctx = state->cipher_ctx;
    size_t key_bits = detail->bits;
    OSSL_PARAM params[2] = { OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_RC2_KEYBITS, &key_bits),
                             OSSL_PARAM_construct_end() };

    if ((int)job->key_len != EVP_CIPHER_CTX_get_key_length(ctx)
        && EVP_CIPHER_CTX_set_key_length(ctx, (int)job->key_len) != 1)
        return 0;
    if (detail->bits != 0 && EVP_CIPHER_CTX_set_params(ctx, params) != 1)
        return 0;
    if (!is_aead(detail->style))
        return 1;
    if (state->iv != NULL && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)job->nonce_len, NULL) != 1)
        return 0;
    return tell_tag_length(job, state);
}

static mb_status cipher_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    int whole = job->op == MB_ENCRYPT_MESSAGE || job->op == MB_DECRYPT_MESSAGE || job->op == MB_ENCRYPT_NEW_KEY;
    mb_status status = check_lengths(job);

    if (status == MB_OK)
        status = choose_tag_length(job);
    if (status == MB_OK)
        status = set_nonce(job);
    if (status != MB_OK)
        return status;
    state->cipher = EVP_CIPHER_fetch(NULL, detail->fetch, NULL);
    state->cipher_ctx = EVP_CIPHER_CTX_new();
    if (state->cipher == NULL || state->cipher_ctx == NULL
        || EVP_CipherInit_ex2(state->cipher_ctx, state->cipher, NULL, NULL, is_encryption(job->op), NULL) != 1
        || !set_parameters(job)
        || EVP_CIPHER_CTX_set_padding(state->cipher_ctx, whole && detail->style == MBO_PADDED) != 1
        || !load_key(state))
        return mbo_fail();
    return MB_OK;
}

/* The length wanted may be told as late as here, and then differ from what `open` took. */
static mb_status follow_tag_length(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    size_t before = state->tag_len;
    mb_status status;

    if (job->tag_out_len == 0 || job->op == MB_DECRYPT_MESSAGE)
        return MB_OK;
    status = choose_tag_length(job);
    if (status != MB_OK || state->tag_len == before)
        return status;
    return tell_tag_length(job, state) && load_key(state) ? MB_OK : mbo_fail();
}

static mb_status cipher_start(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const uint8_t *key = mbo_detail_of(job)->no_resync ? state->key_bytes : NULL;
    size_t total = job->in_len > 0 ? job->in_len : (size_t)job->total_len;

    mb_status status;

    if (job->op == MB_KEY_SETUP)
        return MB_OK;
    status = follow_tag_length(job);
    if (status != MB_OK)
        return status;
    if ((job->op == MB_ENCRYPT_MESSAGE || job->op == MB_ENCRYPT_NEW_KEY) && state->tag_len > job->tag_out_cap)
        return MB_TOO_BIG;
    return mbo_begin_message(job, key, is_encryption(job->op), total) ? MB_OK : mbo_fail();
}

static mb_status encrypt_more(EVP_CIPHER_CTX *ctx, uint8_t *out, const uint8_t *in, int len, uint32_t n)
{
    int written;

    for (uint32_t i = 0; i < n; i++)
        if (EVP_EncryptUpdate(ctx, out, &written, in, len) != 1)
            return mbo_fail();
    return MB_OK;
}

static mb_status decrypt_more(EVP_CIPHER_CTX *ctx, uint8_t *out, const uint8_t *in, int len, uint32_t n)
{
    int written;

    for (uint32_t i = 0; i < n; i++)
        if (EVP_DecryptUpdate(ctx, out, &written, in, len) != 1)
            return mbo_fail();
    return MB_OK;
}

static mb_status set_up_keys(EVP_CIPHER_CTX *ctx, const uint8_t *key, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (EVP_CipherInit_ex2(ctx, NULL, key, NULL, 1, NULL) != 1)
            return mbo_fail();
    return MB_OK;
}

static mb_status cipher_run(mb_job *job, uint32_t n)
{
    mbo_state *state = mbo_state_of(job);
    const uint8_t *message_key = mbo_detail_of(job)->no_resync ? state->key_bytes : NULL;

    job->out_len = job->in_len;
    switch (job->op) {
    case MB_ENCRYPT:
        if (mbo_detail_of(job)->style == MBO_CCM)
            return mbo_encrypt_messages(job, NULL, n);
        return encrypt_more(state->cipher_ctx, job->out, job->in, (int)job->in_len, n);
    case MB_DECRYPT:
        return decrypt_more(state->cipher_ctx, job->out, job->in, (int)job->in_len, n);
    case MB_ENCRYPT_MESSAGE:
        return mbo_encrypt_messages(job, message_key, n);
    case MB_DECRYPT_MESSAGE:
        return mbo_decrypt_messages(job, n);
    case MB_ENCRYPT_NEW_KEY:
        return mbo_encrypt_messages(job, state->key_bytes, n);
    case MB_KEY_SETUP:
        job->out_len = 0;
        return set_up_keys(state->cipher_ctx, state->key_bytes, n);
    default:
        return MB_UNSUPPORTED;
    }
}

static mb_status cipher_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    int written = 0;

    if (EVP_CipherUpdate(mbo_state_of(job)->cipher_ctx, out, &written, in, (int)in_len) != 1)
        return mbo_fail();
    *out_len = (size_t)written;
    return MB_OK;
}

static mb_status cipher_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    mbo_state *state = mbo_state_of(job);
    int written = 0;

    if (EVP_CipherFinal_ex(state->cipher_ctx, out, &written) != 1) {
        int can_reject = state->tag_len > 0 || mbo_detail_of(job)->style == MBO_PADDED;
        return can_reject && !is_encryption(job->op) ? mbo_reject(job) : mbo_fail();
    }
    *out_len = (size_t)written;
    if (state->tag_len > 0 && is_encryption(job->op)) {
        if (EVP_CIPHER_CTX_ctrl(state->cipher_ctx, EVP_CTRL_AEAD_GET_TAG, (int)state->tag_len, job->tag_out) != 1)
            return mbo_fail();
        job->tag_out_len = state->tag_len;
    }
    return MB_OK;
}

const mbo_family mbo_cipher_family = {
    .available = available,
    .open = cipher_open,
    .start = cipher_start,
    .run = cipher_run,
    .update = cipher_update,
    .final = cipher_final,
};

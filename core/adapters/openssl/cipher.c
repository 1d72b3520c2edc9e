/*
 * Ciphers and AEADs: set-up, long messages bit by bit, key set-up. Whole messages are in message.c.
 *
 * Timed:
 *   ENCRYPT, DECRYPT  one EVP_EncryptUpdate/EVP_DecryptUpdate, as `openssl speed -evp` does. XTS:
 *                     that is one data unit under the nonce of `start`, the encryption of the tweak
 *                     included. CCM cannot be continued: one whole message (no AAD), and no
 *                     DECRYPT, because OpenSSL gives no plaintext without a good tag, which the
 *                     output of the iteration before does not have.
 *   KEY_SETUP         EVP_CipherInit_ex2 with a key alone, for encryption, on a context whose
 *                     cipher is already set: the key schedule (GCM: and the hash key tables; OCB:
 *                     and its offset table) and the call's checks.
 */
#include <openssl/core_names.h>
#include <string.h>

#include "openssl_adapter.h"

int mbo_cipher_available(const mbo_detail *detail)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, detail->fetch, NULL);

    EVP_CIPHER_free(cipher);
    return cipher != NULL;
}

static int is_aead(mbo_style style)
{
    return style == MBO_AEAD || style == MBO_CCM;
}

/* Lengths that the ranges of mb_scheme do not say. */
static mb_status check_lengths(const mb_job *job)
{
    mbo_style style = mbo_detail_of(job)->style;

    if (job->op == MB_KEY_SETUP)
        return MB_OK;
    if (job->aad_len > 0 && !is_aead(style))
        return MB_UNSUPPORTED;
    /* IEEE 1619: up to 2^20 blocks */
    if (style == MBO_XTS && (job->in_len < 16 || job->in_len > (size_t)1 << 24))
        return MB_UNSUPPORTED;
    if (style == MBO_CCM) { /* SP 800-38C: the length takes what the nonce leaves of 15 bytes */
        size_t length_bytes = 15 - job->nonce_len;
        if (length_bytes < sizeof(size_t) && job->in_len >> (8 * length_bytes) != 0)
            return MB_UNSUPPORTED;
    }
    return job->in_len + 2 * EVP_MAX_BLOCK_LENGTH <= job->out_cap ? MB_OK : MB_TOO_BIG;
}

/* The tag of DECRYPT_MESSAGE, which OpenSSL wants from memory that it might write to. */
static mb_status copy_tag(mb_job *job, size_t len)
{
    if (mbo_detail_of(job)->style == MBO_CCM && len % 2 != 0)
        return mb_note(MB_UNSUPPORTED, "tag length is not offered");
    if (job->op == MB_DECRYPT_MESSAGE && is_aead(mbo_detail_of(job)->style))
        memcpy(mbo_state_of(job)->tag, job->tag, len);
    return MB_OK;
}

/*
 * CCM and OCB compute with the tag length, so it must stand before the key; the others only cut the
 * tag.
 */
static int tell_tag_length(const mb_job *job, mbo_state *state, size_t len)
{
    if (mbo_detail_of(job)->style != MBO_CCM && strstr(mbo_detail_of(job)->fetch, "OCB") == NULL)
        return 1;
    return EVP_CIPHER_CTX_ctrl(state->cipher_ctx, EVP_CTRL_AEAD_SET_TAG, (int)len, NULL) == 1;
}

static mb_status set_key(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    return mbo_check(EVP_CipherInit_ex2(state->cipher_ctx, NULL, state->key_bytes, NULL, -1, NULL));
}

/*
 * ChaCha20 in OpenSSL takes a 32-bit little-endian block counter before the 12-byte nonce of RFC
 * 8439.
 */
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
static int set_parameters(mb_job *job, size_t tag_len)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    EVP_CIPHER_CTX *ctx = state->cipher_ctx;
    size_t key_bits = detail->bits;
    OSSL_PARAM params[2] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_RC2_KEYBITS, &key_bits),
                            OSSL_PARAM_construct_end()};

    if ((int)job->key_len != EVP_CIPHER_CTX_get_key_length(ctx) &&
        EVP_CIPHER_CTX_set_key_length(ctx, (int)job->key_len) != 1)
        return 0;
    if (detail->bits != 0 && EVP_CIPHER_CTX_set_params(ctx, params) != 1)
        return 0;
    if (!is_aead(detail->style))
        return 1;
    if (state->iv != NULL &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)job->nonce_len, NULL) != 1)
        return 0;
    return tell_tag_length(job, state, tag_len);
}

static mb_status begin(mb_job *job, size_t len)
{
    return mbo_begin_message(job, mbo_message_key(job), len) ? MB_OK : mbo_fail();
}

static mb_status encrypt_more(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    int written;

    return mbo_check(EVP_EncryptUpdate(mbo_state_of(job)->cipher_ctx, out, &written, in, (int)len));
}

static mb_status decrypt_more(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    int written;

    return mbo_check(EVP_DecryptUpdate(mbo_state_of(job)->cipher_ctx, out, &written, in, (int)len));
}

/* CCM: a message that was begun, with its tag. */
static mb_status encrypt_ccm(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    mbo_state *state = mbo_state_of(job);
    EVP_CIPHER_CTX *ctx = state->cipher_ctx;
    int tag_len = (int)state->driver.steps.tag_len, written = 0, last = 0;

    return mbo_check(EVP_EncryptUpdate(ctx, out, &written, in, (int)len) == 1 &&
                     EVP_EncryptFinal_ex(ctx, out + written, &last) == 1 &&
                     EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, tag_len, state->tag) == 1);
}

MB_REPEAT(key_setups, set_key)
MB_BULK(encrypt_bulk, encrypt_more)
MB_BULK(decrypt_bulk, decrypt_more)

static mb_status make_context(mb_job *job, size_t tag_len)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    int whole = job->op == MB_ENCRYPT_MESSAGE || job->op == MB_DECRYPT_MESSAGE ||
                job->op == MB_ENCRYPT_NEW_KEY;

    state->cipher = EVP_CIPHER_fetch(NULL, detail->fetch, NULL);
    state->cipher_ctx = EVP_CIPHER_CTX_new();
    return mbo_check(
        state->cipher != NULL && state->cipher_ctx != NULL &&
        EVP_CipherInit_ex2(state->cipher_ctx, state->cipher, NULL, NULL, mbo_encrypts(job), NULL) ==
            1 &&
        set_parameters(job, tag_len) &&
        EVP_CIPHER_CTX_set_padding(state->cipher_ctx, whole && detail->style == MBO_PADDED) == 1);
}

static mb_status cipher_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    int ccm = mbo_detail_of(job)->style == MBO_CCM;
    size_t tag_len = 0;
    mb_status status = mb_check_lengths(job, job->op != MB_KEY_SETUP);

    if (status == MB_OK)
        status = mb_tag_length(job, &tag_len);
    if (status == MB_OK)
        status = check_lengths(job);
    if (status == MB_OK)
        status = copy_tag(job, tag_len);
    if (status == MB_OK)
        status = set_nonce(job);
    if (status == MB_OK)
        status = make_context(job, tag_len);
    state->how = (mb_steps){
        .set_key = set_key,
        .begin = begin,
        .encrypt = ccm ? encrypt_ccm : encrypt_more,
        .decrypt = decrypt_more,
        .block = (uint8_t)job->scheme->block,
        .whole_message = ccm,
        .runs = {.key_setup = key_setups,
                 .encrypt = ccm ? NULL : encrypt_bulk,
                 .decrypt = decrypt_bulk,
                 .encrypt_message = mbo_seal_messages,
                 .encrypt_new_key = mbo_seal_with_new_keys,
                 .decrypt_message = mbo_open_messages},
    };
    return status == MB_OK ? mb_steps_open(job, &state->how) : status;
}

/* Messages that are not streamed are begun again by each operation. */
static mb_status cipher_start(mb_job *job)
{
    mb_status status = mb_steps_start(job);

    if (status != MB_OK || job->op == MB_KEY_SETUP || job->op == MB_ENCRYPT ||
        job->op == MB_DECRYPT)
        return status;
    return begin(job, job->in_len > 0 ? job->in_len : (size_t)job->total_len);
}

static mb_status cipher_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                               size_t *out_len)
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
    size_t tag_len = state->driver.steps.tag_len;
    int written = 0;

    if (EVP_CipherFinal_ex(state->cipher_ctx, out, &written) != 1) {
        int can_reject = tag_len > 0 || mbo_detail_of(job)->style == MBO_PADDED;
        return can_reject && !mbo_encrypts(job) ? mbo_reject() : mbo_fail();
    }
    *out_len = (size_t)written;
    if (tag_len > 0 && mbo_encrypts(job)) {
        if (EVP_CIPHER_CTX_ctrl(state->cipher_ctx, EVP_CTRL_AEAD_GET_TAG, (int)tag_len,
                                job->tag_out) != 1)
            return mbo_fail();
        job->tag_out_len = tag_len;
    }
    return MB_OK;
}

const mb_kind mbo_cipher_kind = {
    .open = cipher_open,
    .start = cipher_start,
    .run = mb_drive_run,
    .update = cipher_update,
    .final = cipher_final,
    .close = mbo_close,
};

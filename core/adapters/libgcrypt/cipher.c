/*
 * Ciphers. Timed:
 *   KEY_SETUP          gcry_cipher_setkey. It includes what the mode derives from the key (GCM: the
 *                      GHASH tables).
 *   ENCRYPT, DECRYPT   gcry_cipher_encrypt/decrypt in place. XTS: each call is one data unit and
 *                      encrypts its number; the library counts on. CCM: each iteration is a
 *                      message, so nonce, lengths and AAD are part of it, but no tag is written or
 *                      checked.
 *   messages           nonce, AAD, data, and the tag or the padding; ENCRYPT_NEW_KEY sets the key
 *                      before that. libgcrypt does not pad: support/steps.h does.
 * libgcrypt tests a cipher when its first key is set; `open` does that, so it is never timed.
 */
#include "libgcrypt_adapter.h"

#include <string.h>

/*
 * Known answers of DES use weak keys. Once they are allowed, they are set although the error is
 * still reported.
 */
static mb_status set_key(mb_job *job)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    gcry_error_t err = gcry_cipher_setkey(ctx->h, job->key, job->key_len);
    return gcry_err_code(err) == GPG_ERR_WEAK_KEY ? MB_OK : adapter_check(err);
}

static mb_status encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    return adapter_check(in == out ? gcry_cipher_encrypt(ctx->h, out, len, NULL, 0)
                                   : gcry_cipher_encrypt(ctx->h, out, len, in, len));
}

static mb_status decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    return adapter_check(in == out ? gcry_cipher_decrypt(ctx->h, out, len, NULL, 0)
                                   : gcry_cipher_decrypt(ctx->h, out, len, in, len));
}

MB_REPEAT(key_setups, set_key)
MB_BULK(encrypt_bulk, encrypt)
MB_BULK(decrypt_bulk, decrypt)

/*
 * The last call, which OCB must be told of. Empty input is passed on as well: OCB and CCM do work
 * on it. It needs a valid pointer, for NULL means "in place".
 */
static mb_status last(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    static const uint8_t nothing[1];
    const adapter_cipher_ctx *ctx = job->ctx;
    gcry_error_t err = ctx->mode->finalize ? gcry_cipher_final(ctx->h) : 0;
    if (err)
        return adapter_check(err);
    if (!in)
        in = nothing;
    return mb_steps_decrypts(job) ? decrypt(job, in, len, out) : encrypt(job, in, len, out);
}

static mb_status tag(mb_job *job, uint8_t *out, size_t len)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    return adapter_check(gcry_cipher_gettag(ctx->h, out, len));
}

static mb_status check_tag(mb_job *job)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    gcry_error_t err = gcry_cipher_checktag(ctx->h, job->tag, ctx->steps.tag_len);
    return gcry_err_code(err) == GPG_ERR_CHECKSUM ? MB_REJECTED : adapter_check(err);
}

static mb_status check_nonce(const mb_job *job)
{
    const mb_scheme *scheme = job->scheme;
    if (scheme->native == ADAPTER_CHACHA20 && job->op != MB_KEY_SETUP && job->nonce_len != 8 &&
        job->nonce_len != 12 && job->nonce_len != 16)
        return mb_note(MB_UNSUPPORTED, "nonce must have 8, 12 or 16 bytes");
    return MB_OK;
}

static mb_status cipher_open(mb_job *job)
{
    const adapter_cipher *cipher = job->scheme->param;
    adapter_cipher_ctx *ctx = job->ctx;
    const adapter_mode *mode = ctx->mode = &adapter_modes[job->scheme->native];
    const bool tagged = mode->tag_max > 0;
    ctx->how = (mb_steps){
        .set_key = set_key,
        .begin = mode->begin,
        .encrypt = encrypt,
        .decrypt = decrypt,
        .tag = tagged ? tag : NULL,
        .block = (uint8_t)job->scheme->block,
        .padded = mode->padded,
        .whole_message = mode->whole_message,
        .last = mode->padded ? NULL : last,
        .check = tagged ? check_tag : NULL,
        .runs.key_setup = key_setups};
    if (!mode->whole_message) {
        ctx->how.runs.encrypt = encrypt_bulk;
        ctx->how.runs.decrypt = decrypt_bulk;
    }
    mb_status status = check_nonce(job);
    if (status == MB_OK)
        status = adapter_check(gcry_cipher_open(&ctx->h, cipher->algo, mode->mode, 0));
    if (status == MB_OK)
        status = adapter_check(gcry_cipher_ctl(ctx->h, GCRYCTL_SET_ALLOW_WEAK_KEY, NULL, 1));
    return status == MB_OK ? mb_steps_open(job, &ctx->how) : status;
}

/*
 * gcry_cipher_setiv alone does not discard an unfinished message (half a block of AAD stays
 * behind), so this resets. Whole messages are finished each time, so that setiv is enough there.
 */
static mb_status cipher_start(mb_job *job)
{
    adapter_cipher_ctx *ctx = job->ctx;
    if (job->op == MB_KEY_SETUP)
        return mb_steps_start(job);
    mb_status status = adapter_check(gcry_cipher_reset(ctx->h));
    if (status == MB_OK && ctx->mode->mode == GCRY_CIPHER_MODE_OCB) {
        int tag_len = (int)ctx->steps.tag_len;
        status =
            adapter_check(gcry_cipher_ctl(ctx->h, GCRYCTL_SET_TAGLEN, &tag_len, sizeof tag_len));
    }
    return status == MB_OK ? mb_steps_start(job) : status;
}

static void cipher_close(mb_job *job)
{
    adapter_cipher_ctx *ctx = job->ctx;
    gcry_cipher_close(ctx->h);
    memset(ctx, 0, sizeof *ctx);
}

const mb_kind adapter_cipher_kind = {
    .open = cipher_open,
    .start = cipher_start,
    .run = mb_drive_run,
    .update = mb_steps_update,
    .final = mb_steps_final,
    .close = cipher_close,
};

/*
 * Ciphers: key set-up and bulk data.
 *
 * What is timed:
 *   KEY_SETUP          gcry_cipher_setkey. It includes what the mode derives from the key (GCM: the GHASH tables).
 *   ENCRYPT, DECRYPT   gcry_cipher_encrypt/decrypt in place. XTS: each call is one data unit and encrypts its number;
 *                      the library counts on. CCM: each iteration is a message, so nonce, lengths and AAD are part of
 *                      it, but no tag is written or checked.
 * libgcrypt tests a cipher when its first key is set; `open` does that, so it is never timed.
 */
#include "lg.h"

#include <string.h>

gcry_error_t lg_set_key(gcry_cipher_hd_t h, const uint8_t *key, size_t len)
{
    gcry_error_t err = gcry_cipher_setkey(h, key, len);
    if (gcry_err_code(err) != GPG_ERR_WEAK_KEY)
        return err;
    /* Known answers of DES use weak keys. Once allowed, they are set although the error is still reported. */
    err = gcry_cipher_ctl(h, GCRYCTL_SET_ALLOW_WEAK_KEY, NULL, 1);
    if (!err)
        err = gcry_cipher_setkey(h, key, len);
    return gcry_err_code(err) == GPG_ERR_WEAK_KEY ? 0 : err;
}

gcry_error_t lg_set_key_again(gcry_cipher_hd_t h, const uint8_t *key, size_t len)
{
    gcry_error_t err = gcry_cipher_setkey(h, key, len);
    return gcry_err_code(err) == GPG_ERR_WEAK_KEY ? 0 : err;
}

static mb_status check(const mb_job *job)
{
    const mb_scheme *scheme = job->scheme;
    if (scheme->native == LG_CHACHA20 && job->op != MB_KEY_SETUP && job->nonce_len != 8 &&
        job->nonce_len != 12 && job->nonce_len != 16)
        return mb_note(MB_UNSUPPORTED, "nonce must have 8, 12 or 16 bytes");
    if ((job->op == MB_ENCRYPT || job->op == MB_DECRYPT) && job->in_len % scheme->block != 0)
        return mb_note(MB_UNSUPPORTED, "input is not a multiple of the block");
    return MB_OK;
}

static mb_status cipher_open(mb_job *job)
{
    const lg_cipher *cipher = job->scheme->param;
    lg_cipher_ctx *ctx = job->ctx;
    ctx->mode = &lg_modes[job->scheme->native];
    ctx->block = cipher->block;
    mb_status status = mb_check_lengths(job, job->op != MB_KEY_SETUP);
    if (status == MB_OK)
        status = check(job);
    if (status == MB_OK)
        status = mb_tag_length(job, &ctx->tag_len);
    if (status == MB_OK)
        status = lg_check(gcry_cipher_open(&ctx->h, cipher->algo, ctx->mode->mode, 0));
    if (status == MB_OK)
        status = lg_check(lg_set_key(ctx->h, job->key, job->key_len));
    return status;
}

/*
 * gcry_cipher_setiv alone does not discard an unfinished message (half a block of AAD stays behind), so this resets.
 * Whole messages are begun by `run` or the first `update`: they are finished each time, so that setiv is enough there.
 */
static mb_status cipher_start(mb_job *job)
{
    lg_cipher_ctx *ctx = job->ctx;
    ctx->buffer.len = 0;
    ctx->begun = false;
    if (job->op == MB_KEY_SETUP)
        return MB_OK;
    mb_status status = lg_check(gcry_cipher_reset(ctx->h));
    if (status == MB_OK && ctx->mode->mode == GCRY_CIPHER_MODE_OCB) {
        int tag_len = (int)ctx->tag_len;
        status = lg_check(gcry_cipher_ctl(ctx->h, GCRYCTL_SET_TAGLEN, &tag_len, sizeof tag_len));
    }
    if (status == MB_OK && (job->op == MB_ENCRYPT || job->op == MB_DECRYPT))
        status = lg_check(ctx->mode->begin(job, ctx, job->in_len));
    return status;
}

static mb_status bulk(mb_job *job, lg_crypt crypt, uint32_t n)
{
    lg_cipher_ctx *ctx = job->ctx;
    gcry_cipher_hd_t h = ctx->h;
    uint8_t *data = job->out;
    size_t len = job->in_len;
    gcry_error_t err = 0;
    if (ctx->mode->whole_message) {
        for (uint32_t i = 0; i < n && !err; i++) {
            err = ctx->mode->begin(job, ctx, len);
            if (!err)
                err = crypt(h, data, len, NULL, 0);
        }
    } else {
        for (uint32_t i = 0; i < n && !err; i++)
            err = crypt(h, data, len, NULL, 0);
    }
    job->out_len = len;
    return lg_check(err);
}

static mb_status key_setups(mb_job *job, uint32_t n)
{
    lg_cipher_ctx *ctx = job->ctx;
    gcry_error_t err = 0;
    for (uint32_t i = 0; i < n && !err; i++)
        err = lg_set_key_again(ctx->h, job->key, job->key_len);
    job->out_len = 0;
    return lg_check(err);
}

static mb_status cipher_run(mb_job *job, uint32_t n)
{
    switch (job->op) {
    case MB_KEY_SETUP:
        return key_setups(job, n);
    case MB_ENCRYPT:
        return bulk(job, gcry_cipher_encrypt, n);
    case MB_DECRYPT:
        return bulk(job, gcry_cipher_decrypt, n);
    case MB_ENCRYPT_MESSAGE:
        return lg_encrypt_messages(job, n, false);
    case MB_ENCRYPT_NEW_KEY:
        return lg_encrypt_messages(job, n, true);
    case MB_DECRYPT_MESSAGE:
        return lg_decrypt_messages(job, n);
    default:
        return mb_note(MB_UNSUPPORTED, "not an operation of ciphers");
    }
}

static void cipher_close(mb_job *job)
{
    lg_cipher_ctx *ctx = job->ctx;
    gcry_cipher_close(ctx->h);
    memset(ctx, 0, sizeof *ctx);
}

const mb_kind lg_cipher_kind = {
    .open = cipher_open,
    .start = cipher_start,
    .run = cipher_run,
    .update = lg_cipher_update,
    .final = lg_cipher_final,
    .close = cipher_close,
};

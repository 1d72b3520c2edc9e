/*
 * Ciphers: whole messages in memory, and files in pieces.
 *
 * What is timed, ENCRYPT_MESSAGE and DECRYPT_MESSAGE: nonce, AAD, data, and the tag or the padding; ENCRYPT_NEW_KEY
 * sets the key before that. libgcrypt does not pad; PKCS#7 is added and checked here.
 *
 * OCB learns from gcry_cipher_final which call is the last one; all calls before it take whole blocks.
 */
#include "lg.h"
#include "support/pkcs7.h"

#include <string.h>

/* Empty input is passed on as well: OCB and CCM do work on it. Needs a valid pointer, for NULL means "in place". */
static gcry_error_t crypt_last(const lg_cipher_ctx *ctx, bool decrypt, uint8_t *out, const uint8_t *in, size_t len)
{
    static const uint8_t nothing[1];
    gcry_error_t err = ctx->mode->finalize ? gcry_cipher_final(ctx->h) : 0;
    if (err)
        return err;
    if (!in)
        in = nothing;
    return decrypt ? gcry_cipher_decrypt(ctx->h, out, len, in, len) : gcry_cipher_encrypt(ctx->h, out, len, in, len);
}

static gcry_error_t encrypt_padded(const mb_job *job, const lg_cipher_ctx *ctx)
{
    size_t full = job->in_len - job->in_len % ctx->block;
    uint8_t *last = job->out + full;
    gcry_error_t err = 0;
    if (full > 0)
        err = gcry_cipher_encrypt(ctx->h, job->out, full, job->in, full);
    mb_pkcs7_pad(last, ctx->block, job->in + full, job->in_len - full);
    return err ? err : gcry_cipher_encrypt(ctx->h, last, ctx->block, NULL, 0);
}

static gcry_error_t encrypt_message(mb_job *job, lg_cipher_ctx *ctx, size_t tag_len)
{
    gcry_error_t err = ctx->mode->begin(job, ctx, job->in_len);
    if (err)
        return err;
    if (ctx->mode->padded)
        return encrypt_padded(job, ctx);
    err = crypt_last(ctx, false, job->out, job->in, job->in_len);
    if (!err && tag_len > 0)
        err = gcry_cipher_gettag(ctx->h, job->tag_out, tag_len);
    return err;
}

mb_status lg_encrypt_messages(mb_job *job, uint32_t n, bool new_key)
{
    lg_cipher_ctx *ctx = job->ctx;
    size_t tag_len = job->scheme->tag_max > 0 ? ctx->tag_len : 0;
    size_t out_len = ctx->mode->padded ? (job->in_len / ctx->block + 1) * ctx->block : job->in_len;
    if (out_len > job->out_cap || tag_len > job->tag_out_cap)
        return mb_note(MB_TOO_BIG, "output does not fit");
    gcry_error_t err = 0;
    if (new_key) {
        for (uint32_t i = 0; i < n && !err; i++) {
            err = lg_set_key_again(ctx->h, job->key, job->key_len);
            if (!err)
                err = encrypt_message(job, ctx, tag_len);
        }
    } else {
        for (uint32_t i = 0; i < n && !err; i++)
            err = encrypt_message(job, ctx, tag_len);
    }
    job->out_len = out_len;
    job->tag_out_len = tag_len;
    return lg_check(err);
}

/* MB_REJECTED for a wrong tag, else what lg_check says. */
static mb_status check_tag(const mb_job *job, const lg_cipher_ctx *ctx)
{
    gcry_error_t err = gcry_cipher_checktag(ctx->h, job->tag, ctx->tag_len);
    return gcry_err_code(err) == GPG_ERR_CHECKSUM ? MB_REJECTED : lg_check(err);
}

static mb_status decrypt_message(mb_job *job, lg_cipher_ctx *ctx)
{
    size_t len = job->in_len;
    bool padded = ctx->mode->padded;
    if (padded && (len == 0 || len % ctx->block != 0))
        return MB_REJECTED;
    gcry_error_t err = ctx->mode->begin(job, ctx, len);
    if (!err)
        err = crypt_last(ctx, true, job->out, job->in, len);
    if (err)
        return lg_check(err);
    if (padded) {
        size_t count = mb_pkcs7_padding(job->out + len - ctx->block, ctx->block);
        job->out_len = len - count;
        return count > 0 ? MB_OK : MB_REJECTED;
    }
    job->out_len = len;
    return job->scheme->tag_max > 0 ? check_tag(job, ctx) : MB_OK;
}

mb_status lg_decrypt_messages(mb_job *job, uint32_t n)
{
    if (job->in_len > job->out_cap)
        return mb_note(MB_TOO_BIG, "output does not fit");
    mb_status status = MB_OK;
    for (uint32_t i = 0; i < n && status == MB_OK; i++)
        status = decrypt_message(job, job->ctx);
    if (status != MB_OK) {
        /* Nobody may see what did not verify. */
        if (job->in_len > 0)
            memset(job->out, 0, job->in_len);
        job->out_len = 0;
    }
    return status;
}

/* Begins a streamed message when its first piece comes. */
static mb_status begin_stream(mb_job *job, lg_cipher_ctx *ctx)
{
    if (ctx->begun)
        return MB_OK;
    ctx->begun = true;
    return lg_check(ctx->mode->begin(job, ctx, (size_t)job->total_len));
}

static mb_status process(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    lg_cipher_ctx *ctx = job->ctx;
    lg_crypt crypt = job->op == MB_DECRYPT_MESSAGE ? gcry_cipher_decrypt : gcry_cipher_encrypt;
    return lg_check(crypt(ctx->h, out, len, in, len));
}

mb_status lg_cipher_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    lg_cipher_ctx *ctx = job->ctx;
    size_t block = ctx->mode->whole_blocks ? ctx->block : 1;
    /* The padding is in the last block, which is known to be the last only in `final`. */
    bool keep_last = job->op == MB_DECRYPT_MESSAGE && ctx->mode->padded;
    mb_status status = begin_stream(job, ctx);
    if (status != MB_OK)
        return status;
    return mb_block_buffer_update(&ctx->buffer, block, keep_last, process, job, in, in_len, out, out_len);
}

static mb_status final_encrypt(mb_job *job, lg_cipher_ctx *ctx, uint8_t *out, size_t *out_len)
{
    if (ctx->mode->padded) {
        mb_pkcs7_pad(out, ctx->block, ctx->buffer.bytes, ctx->buffer.len);
        *out_len = ctx->block;
        return lg_check(gcry_cipher_encrypt(ctx->h, out, ctx->block, NULL, 0));
    }
    *out_len = ctx->buffer.len;
    gcry_error_t err = crypt_last(ctx, false, out, ctx->buffer.bytes, ctx->buffer.len);
    if (!err && job->scheme->tag_max > 0) {
        err = gcry_cipher_gettag(ctx->h, job->tag_out, ctx->tag_len);
        job->tag_out_len = ctx->tag_len;
    }
    return lg_check(err);
}

static mb_status final_decrypt(mb_job *job, lg_cipher_ctx *ctx, uint8_t *out, size_t *out_len)
{
    if (ctx->mode->padded && ctx->buffer.len != ctx->block)
        return MB_REJECTED;
    mb_status status = lg_check(crypt_last(ctx, true, out, ctx->buffer.bytes, ctx->buffer.len));
    if (status != MB_OK)
        return status;
    if (ctx->mode->padded) {
        size_t count = mb_pkcs7_padding(out, ctx->block);
        *out_len = count > 0 ? ctx->block - count : 0;
        return count > 0 ? MB_OK : MB_REJECTED;
    }
    *out_len = ctx->buffer.len;
    return job->scheme->tag_max > 0 ? check_tag(job, ctx) : MB_OK;
}

mb_status lg_cipher_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    lg_cipher_ctx *ctx = job->ctx;
    *out_len = 0;
    mb_status status = begin_stream(job, ctx);
    if (status == MB_OK)
        status = job->op == MB_DECRYPT_MESSAGE ? final_decrypt(job, ctx, out, out_len)
                                               : final_encrypt(job, ctx, out, out_len);
    ctx->buffer.len = 0;
    if (status != MB_OK)
        *out_len = 0;
    return status;
}

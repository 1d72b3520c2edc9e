/*
 * Ciphers: whole messages in memory, and files in pieces.
 *
 * What is timed, ENCRYPT_MESSAGE and DECRYPT_MESSAGE: nonce, AAD, data, tag or padding; ENCRYPT_NEW_KEY sets
 * the key before that. Nettle does not pad; PKCS#7 is added and checked here. Tags are compared with memeql_sec.
 */
#include "nt.h"
#include "support/pkcs7.h"

#include <nettle/memops.h>
#include <string.h>

/* The end of encryption: the message's last bytes, with padding or tag. Returns how many were written. */
static size_t finish_encryption(mb_job *job, nt_cipher_ctx *ctx, const uint8_t *in, size_t len, uint8_t *out)
{
    const nt_mode *mode = ctx->mode;
    if (mode->padded) {
        mb_pkcs7_pad(out, ctx->block, in, len);
        mode->encrypt(ctx, out, ctx->block, out, 1);
        return ctx->block;
    }
    if (len > 0)
        mode->encrypt(ctx, in, len, out, 1);
    if (mode->tag) {
        mode->tag(ctx, ctx->tag_len, job->tag_out);
        job->tag_out_len = ctx->tag_len;
    }
    return len;
}

/* The same of decryption; checks padding or tag. `out` is the message's last `len` bytes, already decrypted. */
static mb_status finish_decryption(const mb_job *job, nt_cipher_ctx *ctx, const uint8_t *out, size_t *len)
{
    uint8_t tag[16];
    if (ctx->mode->padded) {
        size_t count = mb_pkcs7_padding(out + *len - ctx->block, ctx->block);
        *len -= count;
        return count > 0 ? MB_OK : MB_REJECTED;
    }
    if (!ctx->mode->tag)
        return MB_OK;
    ctx->mode->tag(ctx, ctx->tag_len, tag);
    return memeql_sec(tag, job->tag, ctx->tag_len) ? MB_OK : MB_REJECTED;
}

void nt_encrypt_message(mb_job *job, nt_cipher_ctx *ctx)
{
    const nt_mode *mode = ctx->mode;
    size_t full = mode->padded ? job->in_len - job->in_len % ctx->block : 0;
    mode->begin(ctx, job);
    if (full > 0)
        mode->encrypt(ctx, job->in, full, job->out, 1);
    job->out_len = full + finish_encryption(job, ctx, job->in + full, job->in_len - full, job->out + full);
}

mb_status nt_decrypt_message(mb_job *job, nt_cipher_ctx *ctx)
{
    const nt_mode *mode = ctx->mode;
    job->out_len = job->in_len;
    if (mode->padded && (job->in_len == 0 || job->in_len % ctx->block != 0))
        return MB_REJECTED;
    mode->begin(ctx, job);
    if (job->in_len > 0)
        mode->decrypt(ctx, job->in, job->in_len, job->out, 1);
    mb_status status = finish_decryption(job, ctx, job->out, &job->out_len);
    if (status != MB_OK) {
        /* Nobody may see what did not verify. */
        memset(job->out, 0, job->in_len);
        job->out_len = 0;
    }
    return status;
}

static mb_status process(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    nt_cipher_ctx *ctx = job->ctx;
    nt_crypt *crypt = job->op == MB_DECRYPT_MESSAGE ? ctx->mode->decrypt : ctx->mode->encrypt;
    crypt(ctx, in, len, out, 1);
    return MB_OK;
}

mb_status nt_cipher_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    nt_cipher_ctx *ctx = job->ctx;
    size_t piece = ctx->mode->piece > 0 ? ctx->mode->piece : ctx->block;
    /* The padding is in the last block, which is known to be the last only in `final`. */
    bool keep_last = job->op == MB_DECRYPT_MESSAGE && ctx->mode->padded;
    return mb_block_buffer_update(&ctx->buffer, piece, keep_last, process, job, in, in_len, out, out_len);
}

mb_status nt_cipher_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    nt_cipher_ctx *ctx = job->ctx;
    size_t len = ctx->buffer.len;
    ctx->buffer.len = 0;
    if (job->op != MB_DECRYPT_MESSAGE) {
        *out_len = finish_encryption(job, ctx, ctx->buffer.bytes, len, out);
        return MB_OK;
    }
    if (ctx->mode->padded && len != ctx->block)
        return MB_REJECTED;
    if (len > 0)
        ctx->mode->decrypt(ctx, ctx->buffer.bytes, len, out, 1);
    mb_status status = finish_decryption(job, ctx, out, &len);
    *out_len = status == MB_OK ? len : 0;
    return status;
}

/*
 * Ciphers: key set-up and bulk data.
 *
 * What is timed:
 *   KEY_SETUP          the key schedule for encryption, and what the mode derives from the key (GCM and EAX: tables and
 *                      masks; XTS: the second key). Nettle has a schedule of its own for decryption with AES and
 *                      Camellia, which `open` makes where the operation needs it.
 *   ENCRYPT, DECRYPT   the mode's function, in place. XTS: each call is one data unit, all with the same number. CCM:
 *                      each iteration is a message: nonce, lengths and AAD are part of it, but no tag.
 */
#include "nt.h"

#include <nettle/xts.h>
#include <string.h>

/* Whether messages of this length can be processed; Nettle's functions end the process where they cannot. */
static mb_status check_size(const mb_job *job, size_t tag_len)
{
    switch (job->scheme->native) {
    case NT_XTS:
        return job->total_len >= XTS_BLOCK_SIZE ? MB_OK : mb_note(MB_UNSUPPORTED, "a data unit has 16 bytes or more");
    case NT_CHACHA20:
        if (job->nonce_len != CHACHA_NONCE96_SIZE && job->nonce_len != CHACHA_NONCE96_SIZE + CHACHA_COUNTER32_SIZE)
            return mb_note(MB_UNSUPPORTED, "nonce must have 12 or 16 bytes");
        return MB_OK;
    case NT_CCM:
        if (tag_len % 2 != 0)
            return mb_note(MB_UNSUPPORTED, "tag length is odd");
        if (job->total_len > CCM_MAX_MSG_SIZE(job->nonce_len))
            return mb_note(MB_UNSUPPORTED, "message is too long for this nonce");
        return MB_OK;
    default:
        return MB_OK;
    }
}

static mb_status cipher_open(mb_job *job)
{
    nt_cipher_ctx *ctx = job->ctx;
    ctx->cipher = job->scheme->param;
    ctx->mode = &nt_modes[job->scheme->native];
    ctx->block = ctx->cipher->block ? ctx->cipher->block->block_size : ctx->mode->piece;
    mb_status status = mb_check_lengths(job, job->op != MB_KEY_SETUP);
    if (status == MB_OK)
        status = mb_tag_length(job, &ctx->tag_len);
    if (status == MB_OK && job->op != MB_KEY_SETUP)
        status = check_size(job, ctx->tag_len);
    if (status == MB_OK && job->out_cap < job->in_len + MB_BLOCK_BUFFER_MAX)
        status = mb_note(MB_TOO_BIG, "output does not fit");
    if (status == MB_OK)
        ctx->mode->set_key(ctx, job->key, job->key_len, job->op == MB_DECRYPT || job->op == MB_DECRYPT_MESSAGE);
    return status;
}

static mb_status cipher_start(mb_job *job)
{
    nt_cipher_ctx *ctx = job->ctx;
    ctx->buffer.len = 0;
    if (job->op != MB_KEY_SETUP)
        ctx->mode->begin(ctx, job);
    return MB_OK;
}

static void bulk(mb_job *job, nt_cipher_ctx *ctx, nt_crypt *crypt, uint32_t n)
{
    job->out_len = job->in_len;
    if (!ctx->mode->whole_message) {
        crypt(ctx, job->out, job->in_len, job->out, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        ctx->mode->begin(ctx, job);
        crypt(ctx, job->out, job->in_len, job->out, 1);
    }
}

static mb_status cipher_run(mb_job *job, uint32_t n)
{
    nt_cipher_ctx *ctx = job->ctx;
    mb_status status = MB_OK;
    switch (job->op) {
    case MB_KEY_SETUP:
        for (uint32_t i = 0; i < n; i++)
            ctx->mode->set_key(ctx, job->key, job->key_len, false);
        return MB_OK;
    case MB_ENCRYPT:
        bulk(job, ctx, ctx->mode->encrypt, n);
        return MB_OK;
    case MB_DECRYPT:
        bulk(job, ctx, ctx->mode->decrypt, n);
        return MB_OK;
    case MB_ENCRYPT_MESSAGE:
        for (uint32_t i = 0; i < n; i++)
            nt_encrypt_message(job, ctx);
        return MB_OK;
    case MB_ENCRYPT_NEW_KEY:
        for (uint32_t i = 0; i < n; i++) {
            ctx->mode->set_key(ctx, job->key, job->key_len, false);
            nt_encrypt_message(job, ctx);
        }
        return MB_OK;
    case MB_DECRYPT_MESSAGE:
        for (uint32_t i = 0; i < n && status == MB_OK; i++)
            status = nt_decrypt_message(job, ctx);
        return status;
    default:
        return mb_note(MB_UNSUPPORTED, "not an operation of ciphers");
    }
}

static void cipher_close(mb_job *job)
{
    memset(job->ctx, 0, sizeof(nt_cipher_ctx));
}

const mb_kind nt_cipher_kind = {
    .open = cipher_open,
    .start = cipher_start,
    .run = cipher_run,
    .update = nt_cipher_update,
    .final = nt_cipher_final,
    .close = cipher_close,
};

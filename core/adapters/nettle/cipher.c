/*
 * Ciphers. Timed:
 *   KEY_SETUP          the key schedule for encryption, and what the mode derives from the key (GCM
 *                      and EAX: tables and masks; XTS: the second key). Nettle has a schedule of
 *                      its own for decryption with AES and Camellia, which `open` makes where the
 *                      operation needs it.
 *   ENCRYPT, DECRYPT   the mode's function, in place. XTS: each call is one data unit, all with the
 *                      same number. CCM: each iteration is a message: nonce, lengths and AAD are
 *                      part of it, but no tag.
 *   messages           nonce, AAD, data, tag or padding; ENCRYPT_NEW_KEY sets the key before that.
 *                      Nettle does not pad: support/steps.h does, which also compares the tags.
 */
#include "nettle_adapter.h"

#include <nettle/xts.h>
#include <string.h>

/*
 * True if messages of this length can be processed; Nettle's functions end the process where they
 * cannot.
 */
static mb_status check_size(const mb_job *job, size_t tag_len)
{
    switch (job->scheme->native) {
    case ADAPTER_XTS:
        return job->total_len >= XTS_BLOCK_SIZE
                   ? MB_OK
                   : mb_note(MB_UNSUPPORTED, "XTS needs at least 16 bytes");
    case ADAPTER_CHACHA20:
        if (job->nonce_len != CHACHA_NONCE96_SIZE &&
            job->nonce_len != CHACHA_NONCE96_SIZE + CHACHA_COUNTER32_SIZE)
            return mb_note(MB_UNSUPPORTED, "nonce must have 12 or 16 bytes");
        return MB_OK;
    case ADAPTER_CCM:
        if (tag_len % 2 != 0)
            return mb_note(MB_UNSUPPORTED, "the tag length must be even");
        if (job->total_len > CCM_MAX_MSG_SIZE(job->nonce_len))
            return mb_note(MB_UNSUPPORTED, "message is too long for this nonce");
        return MB_OK;
    default:
        return MB_OK;
    }
}

static mb_status cipher_open(mb_job *job)
{
    adapter_cipher_ctx *ctx = job->ctx;
    const bool in_place = job->op == MB_ENCRYPT || job->op == MB_DECRYPT;
    size_t tag_len = 0;
    ctx->cipher = job->scheme->param;
    ctx->how = adapter_modes[job->scheme->native];
    ctx->block = ctx->cipher->block ? ctx->cipher->block->block_size : ctx->how.block;
    if (ctx->how.block == 0)
        ctx->how.block = (uint8_t)ctx->block;
    if (in_place) /* CCM and XTS: each iteration is a whole message or data unit, of any length */
        ctx->how.block = (uint8_t)job->scheme->block;
    mb_status status = mb_check_lengths(job, job->op != MB_KEY_SETUP);
    if (status == MB_OK)
        status = mb_tag_length(job, &tag_len);
    if (status == MB_OK && job->op != MB_KEY_SETUP)
        status = check_size(job, tag_len);
    if (status == MB_OK && job->out_cap < job->in_len + MB_BLOCK_BUFFER_MAX)
        status = mb_note(MB_TOO_BIG, "output does not fit");
    return status == MB_OK ? mb_steps_open(job, &ctx->how) : status;
}

static void cipher_close(mb_job *job)
{
    memset(job->ctx, 0, sizeof(adapter_cipher_ctx));
}

const mb_kind adapter_cipher_kind = {
    .open = cipher_open,
    .start = mb_steps_start,
    .run = mb_drive_run,
    .update = mb_steps_update,
    .final = mb_steps_final,
    .close = cipher_close,
};

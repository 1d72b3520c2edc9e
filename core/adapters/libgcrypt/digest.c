/*
 * Hash functions.
 *
 * Timed for DIGEST: gcry_md_hash_buffer, the library's own way to hash one message that is in
 * memory; it includes setting up and wiping the state. SHAKE has no such call: a handle opened
 * before is reset, written and read.
 */
#include "libgcrypt_adapter.h"

#include <string.h>

typedef struct adapter_digest_ctx {
    mb_hash_state hash; /* first: see support/hashes.h */
    gcry_md_hd_t md;
} adapter_digest_ctx;

_Static_assert(sizeof(adapter_digest_ctx) <= sizeof(adapter_cipher_ctx),
               "ctx_size is that of the largest");

static mb_status begin(mb_job *job)
{
    const adapter_digest_ctx *ctx = job->ctx;
    gcry_md_reset(ctx->md);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    const adapter_digest_ctx *ctx = job->ctx;
    gcry_md_write(ctx->md, in, len);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    const adapter_digest *digest = job->scheme->param;
    const adapter_digest_ctx *ctx = job->ctx;
    memcpy(out, gcry_md_read(ctx->md, digest->algo), digest->out_len);
    return MB_OK;
}

static mb_status finish_extendable(mb_job *job, uint8_t *out)
{
    const adapter_digest *digest = job->scheme->param;
    const adapter_digest_ctx *ctx = job->ctx;
    return adapter_check(gcry_md_extract(ctx->md, digest->algo, out, digest->out_len));
}

static mb_status whole(mb_job *job)
{
    const adapter_digest *digest = job->scheme->param;
    gcry_md_hash_buffer(digest->algo, job->out, job->message, job->message_len);
    return MB_OK;
}

MB_REPEAT(all, whole)
MB_HASH_WHOLE(all_extendable, begin, update, finish_extendable)

static const mb_hashing fixed = {.whole = all, .begin = begin, .update = update, .finish = finish};
static const mb_hashing extendable = {
    .whole = all_extendable, .begin = begin, .update = update, .finish = finish_extendable};

static mb_status digest_open(mb_job *job)
{
    const adapter_digest *digest = job->scheme->param;
    adapter_digest_ctx *ctx = job->ctx;
    mb_status status = adapter_check(gcry_md_open(&ctx->md, digest->algo, 0));
    if (status != MB_OK)
        return status;
    return mb_hash_open(job, gcry_md_get_algo_dlen(digest->algo) == 0 ? &extendable : &fixed);
}

static void digest_close(mb_job *job)
{
    adapter_digest_ctx *ctx = job->ctx;
    gcry_md_close(ctx->md);
    ctx->md = NULL;
}

const mb_kind adapter_digest_kind = {
    .open = digest_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = digest_close,
};

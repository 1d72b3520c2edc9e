/*
 * Hash functions.
 *
 * What is timed, DIGEST: gcry_md_hash_buffer, the library's own way to hash one message that is in memory; it includes
 * setting up and wiping the state. SHAKE has no such call: a handle opened before is reset, written and read.
 */
#include "lg.h"

#include <string.h>

typedef struct lg_digest_ctx {
    gcry_md_hd_t md;
} lg_digest_ctx;

_Static_assert(sizeof(lg_digest_ctx) <= sizeof(lg_cipher_ctx), "ctx_size is that of the largest");

static bool extendable(const lg_digest *digest)
{
    return gcry_md_get_algo_dlen(digest->algo) == 0;
}

static mb_status digest_open(mb_job *job)
{
    const lg_digest *digest = job->scheme->param;
    lg_digest_ctx *ctx = job->ctx;
    if (job->op != MB_DIGEST)
        return mb_note(MB_UNSUPPORTED, "not an operation of hash functions");
    if (job->out_cap < digest->out_len)
        return mb_note(MB_TOO_BIG, "output does not fit");
    return lg_check(gcry_md_open(&ctx->md, digest->algo, 0));
}

static mb_status digest_start(mb_job *job)
{
    lg_digest_ctx *ctx = job->ctx;
    gcry_md_reset(ctx->md);
    return MB_OK;
}

/* The result of what was written to `md`. */
static gcry_error_t result(const lg_digest *digest, gcry_md_hd_t md, uint8_t *out)
{
    if (extendable(digest))
        return gcry_md_extract(md, digest->algo, out, digest->out_len);
    memcpy(out, gcry_md_read(md, digest->algo), digest->out_len);
    return 0;
}

static mb_status digest_run(mb_job *job, uint32_t n)
{
    const lg_digest *digest = job->scheme->param;
    lg_digest_ctx *ctx = job->ctx;
    gcry_error_t err = 0;
    if (extendable(digest)) {
        for (uint32_t i = 0; i < n && !err; i++) {
            gcry_md_reset(ctx->md);
            gcry_md_write(ctx->md, job->in, job->in_len);
            err = result(digest, ctx->md, job->out);
        }
    } else {
        for (uint32_t i = 0; i < n; i++)
            gcry_md_hash_buffer(digest->algo, job->out, job->in, job->in_len);
    }
    job->out_len = digest->out_len;
    return lg_check(err);
}

static mb_status digest_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    lg_digest_ctx *ctx = job->ctx;
    (void)out;
    *out_len = 0;
    gcry_md_write(ctx->md, in, in_len);
    return MB_OK;
}

static mb_status digest_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const lg_digest *digest = job->scheme->param;
    lg_digest_ctx *ctx = job->ctx;
    *out_len = digest->out_len;
    return lg_check(result(digest, ctx->md, out));
}

static void digest_close(mb_job *job)
{
    lg_digest_ctx *ctx = job->ctx;
    gcry_md_close(ctx->md);
    ctx->md = NULL;
}

const mb_kind lg_digest_kind = {
    .open = digest_open,
    .start = digest_start,
    .run = digest_run,
    .update = digest_update,
    .final = digest_final,
    .close = digest_close,
};

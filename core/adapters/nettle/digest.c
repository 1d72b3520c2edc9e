/*
 * Hash functions.
 *
 * What is timed, DIGEST: update and digest, on a context that was set up before; digest sets it up for the next one.
 */
#include "nt.h"

static void shake256_init(void *ctx)
{
    sha3_256_init(ctx);
}

static void shake256_update(void *ctx, size_t len, const uint8_t *in)
{
    sha3_256_update(ctx, len, in);
}

static void shake256_digest(void *ctx, size_t len, uint8_t *out)
{
    sha3_256_shake(ctx, len, out);
}

const struct nettle_hash nt_shake256 = {
    .name = "shake256",
    .context_size = sizeof(struct sha3_256_ctx),
    .digest_size = 64,
    .block_size = SHA3_256_BLOCK_SIZE,
    .init = shake256_init,
    .update = shake256_update,
    .digest = shake256_digest,
};

static const struct nettle_hash *hash_of(const mb_job *job)
{
    const nt_hash *row = job->scheme->param;
    return row->hash;
}

static mb_status digest_open(mb_job *job)
{
    if (job->out_cap < NT_MAX_DIGEST)
        return mb_note(MB_TOO_BIG, "output does not fit");
    return MB_OK;
}

static mb_status digest_start(mb_job *job)
{
    hash_of(job)->init(job->ctx);
    return MB_OK;
}

static mb_status digest_run(mb_job *job, uint32_t n)
{
    const struct nettle_hash *hash = hash_of(job);
    for (uint32_t i = 0; i < n; i++) {
        hash->update(job->ctx, job->in_len, job->in);
        hash->digest(job->ctx, hash->digest_size, job->out);
    }
    job->out_len = hash->digest_size;
    return MB_OK;
}

static mb_status digest_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)out, (void)out_len;
    hash_of(job)->update(job->ctx, in_len, in);
    return MB_OK;
}

static mb_status digest_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const struct nettle_hash *hash = hash_of(job);
    *out_len = hash->digest_size;
    hash->digest(job->ctx, hash->digest_size, out);
    return MB_OK;
}

const mb_kind nt_digest_kind = {
    .open = digest_open,
    .start = digest_start,
    .run = digest_run,
    .update = digest_update,
    .final = digest_final,
};

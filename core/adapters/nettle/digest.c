/*
 * Hash functions.
 *
 * Timed for DIGEST: update and digest, on a context that was set up before; digest sets it up
 * for the next one.
 */
#include "nettle_adapter.h"

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

const struct nettle_hash adapter_shake256 = {
    .name = "shake256",
    .context_size = sizeof(struct sha3_256_ctx),
    .digest_size = 64,
    .block_size = SHA3_256_BLOCK_SIZE,
    .init = shake256_init,
    .update = shake256_update,
    .digest = shake256_digest,
};

typedef struct digest_ctx {
    mb_hash_state hash; /* first: see support/hashes.h */
    adapter_hash_state state;
} digest_ctx;

_Static_assert(sizeof(digest_ctx) <= sizeof(adapter_cipher_ctx), "ctx_size is that of the largest");

static const struct nettle_hash *hash_of(const mb_job *job)
{
    const adapter_hash *row = job->scheme->param;
    return row->hash;
}

static mb_status begin(mb_job *job)
{
    digest_ctx *ctx = job->ctx;
    hash_of(job)->init(&ctx->state);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    digest_ctx *ctx = job->ctx;
    hash_of(job)->update(&ctx->state, len, in);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    digest_ctx *ctx = job->ctx;
    hash_of(job)->digest(&ctx->state, hash_of(job)->digest_size, out);
    return MB_OK;
}

MB_HASH_WHOLE(all, NULL, update, finish)

static mb_status digest_open(mb_job *job)
{
    static const mb_hashing how = {
        .whole = all, .begin = begin, .update = update, .finish = finish};
    return mb_hash_open(job, &how);
}

const mb_kind adapter_digest_kind = {
    .open = digest_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};

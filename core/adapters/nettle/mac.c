/*
 * HMAC.
 *
 * What is timed, MAC: hmac_update and hmac_digest, which leaves the context keyed for the next message; KEY_SETUP:
 * hmac_set_key.
 */
#include "nt.h"

#include <nettle/hmac.h>

typedef struct nt_mac_ctx {
    nt_hash_state outer, inner, state;
} nt_mac_ctx;

_Static_assert(sizeof(nt_mac_ctx) <= sizeof(nt_cipher_ctx), "ctx_size is that of the largest");

static const struct nettle_hash *hash_of(const mb_job *job)
{
    const nt_hash *row = job->scheme->param;
    return row->hash;
}

static void set_key(const mb_job *job)
{
    nt_mac_ctx *ctx = job->ctx;
    hmac_set_key(&ctx->outer, &ctx->inner, &ctx->state, hash_of(job), job->key_len, job->key);
}

static mb_status mac_start(mb_job *job)
{
    set_key(job);
    return MB_OK;
}

static mb_status mac_open(mb_job *job)
{
    if (job->out_cap < NT_MAX_DIGEST)
        return mb_note(MB_TOO_BIG, "output does not fit");
    return mb_check_lengths(job, false);
}

static mb_status mac_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    nt_mac_ctx *ctx = job->ctx;
    (void)out, (void)out_len;
    hmac_update(&ctx->state, hash_of(job), in_len, in);
    return MB_OK;
}

static mb_status mac_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    nt_mac_ctx *ctx = job->ctx;
    const struct nettle_hash *hash = hash_of(job);
    *out_len = hash->digest_size;
    hmac_digest(&ctx->outer, &ctx->inner, &ctx->state, hash, hash->digest_size, out);
    return MB_OK;
}

static mb_status mac_run(mb_job *job, uint32_t n)
{
    nt_mac_ctx *ctx = job->ctx;
    const struct nettle_hash *hash = hash_of(job);
    if (job->op == MB_KEY_SETUP) {
        for (uint32_t i = 0; i < n; i++)
            set_key(job);
        return MB_OK;
    }
    for (uint32_t i = 0; i < n; i++) {
        hmac_update(&ctx->state, hash, job->in_len, job->in);
        hmac_digest(&ctx->outer, &ctx->inner, &ctx->state, hash, hash->digest_size, job->out);
    }
    job->out_len = hash->digest_size;
    return MB_OK;
}

const mb_kind nt_mac_kind = {
    .open = mac_open,
    .start = mac_start,
    .run = mac_run,
    .update = mac_update,
    .final = mac_final,
};

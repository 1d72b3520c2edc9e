/*
 * HMAC.
 *
 * Timed for MAC: hmac_update and hmac_digest, which leaves the context keyed for the next
 * message; KEY_SETUP: hmac_set_key.
 */
#include "nettle_adapter.h"

#include <nettle/hmac.h>

typedef struct mac_ctx {
    mb_hash_state hash; /* first: see support/hashes.h */
    adapter_hash_state outer, inner, state;
} mac_ctx;

_Static_assert(sizeof(mac_ctx) <= sizeof(adapter_cipher_ctx), "ctx_size is that of the largest");

static const struct nettle_hash *hash_of(const mb_job *job)
{
    const adapter_hash *row = job->scheme->param;
    return row->hash;
}

static mb_status set_key(mb_job *job)
{
    mac_ctx *ctx = job->ctx;
    hmac_set_key(&ctx->outer, &ctx->inner, &ctx->state, hash_of(job), job->key_len, job->key);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    mac_ctx *ctx = job->ctx;
    hmac_update(&ctx->state, hash_of(job), len, in);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    mac_ctx *ctx = job->ctx;
    hmac_digest(&ctx->outer, &ctx->inner, &ctx->state, hash_of(job), hash_of(job)->digest_size,
                out);
    return MB_OK;
}

MB_REPEAT(set_keys, set_key)
MB_HASH_WHOLE(all, NULL, update, finish)

/* No call drops an unfinished message and keeps the key: it is set again, before what is timed. */
static mb_status mac_open(mb_job *job)
{
    static const mb_hashing how = {
        .set_key = set_key,
        .set_keys = set_keys,
        .whole = all,
        .begin = set_key,
        .update = update,
        .finish = finish};
    return mb_mac_open(job, &how);
}

const mb_kind adapter_mac_kind = {
    .open = mac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};

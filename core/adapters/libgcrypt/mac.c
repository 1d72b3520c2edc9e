/*
 * Message authentication codes.
 *
 * Timed for MAC: gcry_mac_reset, gcry_mac_write, gcry_mac_read on a handle that has its key,
 * and of GMAC gcry_mac_setiv; KEY_SETUP: gcry_mac_setkey.
 */
#include "libgcrypt_adapter.h"

typedef struct adapter_mac_ctx {
    mb_hash_state hash; /* first: see support/hashes.h */
    gcry_mac_hd_t h;
} adapter_mac_ctx;

_Static_assert(sizeof(adapter_mac_ctx) <= sizeof(adapter_cipher_ctx),
               "ctx_size is that of the largest");

/* An empty key is a valid one, but a NULL pointer is not. */
static mb_status set_key(mb_job *job)
{
    const adapter_mac_ctx *ctx = job->ctx;
    const uint8_t *key = job->key_len > 0 ? job->key : (const uint8_t *)"";
    return adapter_check(gcry_mac_setkey(ctx->h, key, job->key_len));
}

static gcry_error_t start_over(mb_job *job)
{
    const adapter_mac_ctx *ctx = job->ctx;
    gcry_error_t err = gcry_mac_reset(ctx->h);
    return !err && job->scheme->nonce_max > 0 ? gcry_mac_setiv(ctx->h, job->nonce, job->nonce_len)
                                              : err;
}

static mb_status begin(mb_job *job)
{
    return adapter_check(start_over(job));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    const adapter_mac_ctx *ctx = job->ctx;
    return adapter_check(gcry_mac_write(ctx->h, in, len));
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    const adapter_mac_ctx *ctx = job->ctx;
    size_t len = job->scheme->tag_max;
    return adapter_check(gcry_mac_read(ctx->h, out, &len));
}

static mb_status whole(mb_job *job)
{
    const adapter_mac_ctx *ctx = job->ctx;
    gcry_error_t err = start_over(job);
    if (!err)
        err = gcry_mac_write(ctx->h, job->message, job->message_len);
    job->out_len = job->out_cap;
    return adapter_check(err ? err : gcry_mac_read(ctx->h, job->out, &job->out_len));
}

MB_REPEAT(set_keys, set_key)
MB_REPEAT(all, whole)

static const mb_hashing mac_how = {
    .set_key = set_key,
    .set_keys = set_keys,
    .whole = all,
    .begin = begin,
    .update = update,
    .finish = finish};

static mb_status mac_open(mb_job *job)
{
    const adapter_mac *mac = job->scheme->param;
    adapter_mac_ctx *ctx = job->ctx;
    mb_status status = adapter_check(gcry_mac_open(&ctx->h, mac->algo, 0, NULL));
    if (status == MB_OK)
        status = mb_mac_open(job, &mac_how);
    return status == MB_OK && job->op != MB_KEY_SETUP ? mb_check_lengths(job, true) : status;
}

static void mac_close(mb_job *job)
{
    adapter_mac_ctx *ctx = job->ctx;
    gcry_mac_close(ctx->h);
    ctx->h = NULL;
}

const mb_kind adapter_mac_kind = {
    .open = mac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = mac_close,
};

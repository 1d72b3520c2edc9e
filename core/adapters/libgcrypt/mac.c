/*
 * Message authentication codes.
 *
 * What is timed, MAC: gcry_mac_reset, gcry_mac_write, gcry_mac_read on a handle that has its key; KEY_SETUP:
 * gcry_mac_setkey.
 */
#include "lg.h"

typedef struct lg_mac_ctx {
    gcry_mac_hd_t h;
} lg_mac_ctx;

_Static_assert(sizeof(lg_mac_ctx) <= sizeof(lg_cipher_ctx), "ctx_size is that of the largest");

/* An empty key is a valid one, but a NULL pointer is not. */
static gcry_error_t set_key(const mb_job *job)
{
    const lg_mac_ctx *ctx = job->ctx;
    return gcry_mac_setkey(ctx->h, job->key_len > 0 ? job->key : (const uint8_t *)"", job->key_len);
}

static mb_status mac_open(mb_job *job)
{
    const lg_mac *mac = job->scheme->param;
    lg_mac_ctx *ctx = job->ctx;
    if (job->op != MB_MAC && job->op != MB_KEY_SETUP)
        return mb_note(MB_UNSUPPORTED, "not an operation of MACs");
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    if (job->out_cap < gcry_mac_get_algo_maclen(mac->algo))
        return mb_note(MB_TOO_BIG, "output does not fit");
    status = lg_check(gcry_mac_open(&ctx->h, mac->algo, 0, NULL));
    return status == MB_OK ? lg_check(set_key(job)) : status;
}

static mb_status mac_start(mb_job *job)
{
    lg_mac_ctx *ctx = job->ctx;
    return lg_check(gcry_mac_reset(ctx->h));
}

static gcry_error_t mac_once(mb_job *job)
{
    lg_mac_ctx *ctx = job->ctx;
    gcry_error_t err = gcry_mac_reset(ctx->h);
    if (!err)
        err = gcry_mac_write(ctx->h, job->in, job->in_len);
    job->out_len = job->out_cap;
    return err ? err : gcry_mac_read(ctx->h, job->out, &job->out_len);
}

static mb_status mac_run(mb_job *job, uint32_t n)
{
    gcry_error_t err = 0;
    if (job->op == MB_KEY_SETUP) {
        for (uint32_t i = 0; i < n && !err; i++)
            err = set_key(job);
        job->out_len = 0;
    } else {
        for (uint32_t i = 0; i < n && !err; i++)
            err = mac_once(job);
    }
    return lg_check(err);
}

static mb_status mac_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    lg_mac_ctx *ctx = job->ctx;
    (void)out;
    *out_len = 0;
    return lg_check(gcry_mac_write(ctx->h, in, in_len));
}

static mb_status mac_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const lg_mac *mac = job->scheme->param;
    lg_mac_ctx *ctx = job->ctx;
    *out_len = gcry_mac_get_algo_maclen(mac->algo);
    return lg_check(gcry_mac_read(ctx->h, out, out_len));
}

static void mac_close(mb_job *job)
{
    lg_mac_ctx *ctx = job->ctx;
    gcry_mac_close(ctx->h);
    ctx->h = NULL;
}

const mb_kind lg_mac_kind = {
    .open = mac_open,
    .start = mac_start,
    .run = mac_run,
    .update = mac_update,
    .final = mac_final,
    .close = mac_close,
};

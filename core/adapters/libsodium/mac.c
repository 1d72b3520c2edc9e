/*
 * HMAC with keys of any length (the library's crypto_auth takes 32 bytes only).
 *
 * What is timed, KEY_SETUP: _init, which hashes the padded key both ways. MAC: a copy of the state that _init left,
 * _update and _final: _final uses the state up, and with a copy the key need not be hashed again.
 */
#include "so.h"

#define HMAC(hash)                                                                          \
    static int hash##_set_key(so_ctx *ctx, const uint8_t *key, size_t len)                  \
    {                                                                                       \
        return crypto_auth_hmac##hash##_init(&ctx->hmac_##hash.keyed, key, len);            \
    }                                                                                       \
    static void hash##_begin(so_ctx *ctx)                                                   \
    {                                                                                       \
        ctx->hmac_##hash.message = ctx->hmac_##hash.keyed;                                  \
    }                                                                                       \
    static int hash##_update(so_ctx *ctx, const uint8_t *in, size_t len)                    \
    {                                                                                       \
        return crypto_auth_hmac##hash##_update(&ctx->hmac_##hash.message, in, len);         \
    }                                                                                       \
    static int hash##_final(so_ctx *ctx, uint8_t *out)                                      \
    {                                                                                       \
        return crypto_auth_hmac##hash##_final(&ctx->hmac_##hash.message, out);              \
    }

HMAC(sha256)
HMAC(sha512)

static const so_mac *mac_of(const mb_job *job)
{
    return job->scheme->param;
}

static mb_status mac_open(mb_job *job)
{
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK && job->out_cap < mac_of(job)->out_len)
        status = mb_note(MB_TOO_BIG, "output does not fit");
    return status == MB_OK ? so_check(mac_of(job)->set_key(so_ctx_of(job), job->key, job->key_len)) : status;
}

static mb_status mac_start(mb_job *job)
{
    mac_of(job)->begin(so_ctx_of(job));
    return MB_OK;
}

static mb_status mac_run(mb_job *job, uint32_t n)
{
    const so_mac *mac = mac_of(job);
    so_ctx *ctx = so_ctx_of(job);
    int bad = 0;
    if (job->op == MB_KEY_SETUP) {
        for (uint32_t i = 0; i < n; i++)
            bad |= mac->set_key(ctx, job->key, job->key_len);
        job->out_len = 0;
        return so_check(bad);
    }
    for (uint32_t i = 0; i < n; i++) {
        mac->begin(ctx);
        bad |= mac->update(ctx, job->in, job->in_len);
        bad |= mac->final(ctx, job->out);
    }
    job->out_len = mac->out_len;
    return so_check(bad);
}

static mb_status mac_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)out, (void)out_len;
    return so_check(mac_of(job)->update(so_ctx_of(job), in, in_len));
}

static mb_status mac_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    *out_len = mac_of(job)->out_len;
    return so_check(mac_of(job)->final(so_ctx_of(job), out));
}

const mb_kind so_mac_kind = {
    .open = mac_open,
    .start = mac_start,
    .run = mac_run,
    .update = mac_update,
    .final = mac_final,
};

#define ROW(hash, len) {&so_mac_kind, len, hash##_set_key, hash##_begin, hash##_update, hash##_final}
const so_mac so_hmac_sha256 = ROW(sha256, crypto_auth_hmacsha256_BYTES);
const so_mac so_hmac_sha512 = ROW(sha512, crypto_auth_hmacsha512_BYTES);

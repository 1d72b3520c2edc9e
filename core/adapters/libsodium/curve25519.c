/*
 * Ed25519 (RFC 8032) and X25519 (RFC 7748).
 *
 * What is timed: crypto_sign_ed25519_detached (with the public key, which `open` computes) and _verify_detached;
 * crypto_scalarmult_curve25519, which refuses peers of small order; KEYGEN: crypto_sign_ed25519_keypair and
 * crypto_box_keypair. Ed25519 reads the message twice, therefore it cannot be streamed.
 */
#include "so.h"

#include <string.h>

enum { KEY = 32, SIGNATURE = crypto_sign_ed25519_BYTES };

static mb_status any_open(mb_job *job)
{
    so_ctx *ctx = so_ctx_of(job);
    mb_status status = job->op == MB_KEYGEN ? MB_OK : mb_check_lengths(job, false);
    if (status == MB_OK && job->op == MB_AGREE && job->in_len != KEY)
        status = mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    if (status == MB_OK && job->op == MB_SIGN)
        status = so_check(crypto_sign_ed25519_seed_keypair(ctx->curve25519.public, ctx->curve25519.secret, job->key));
    return status;
}

static mb_status ed25519_run(mb_job *job, uint32_t n)
{
    so_ctx *ctx = so_ctx_of(job);
    int bad = 0;
    job->out_len = 0;
    switch (job->op) {
    case MB_KEYGEN:
        for (uint32_t i = 0; i < n; i++)
            bad |= crypto_sign_ed25519_keypair(ctx->curve25519.public, ctx->curve25519.secret);
        memcpy(job->out, ctx->curve25519.secret, KEY); /* the seed comes first */
        job->out_len = KEY;
        return so_check(bad);
    case MB_SIGN:
        for (uint32_t i = 0; i < n; i++)
            bad |= crypto_sign_ed25519_detached(job->out, NULL, job->in, job->in_len, ctx->curve25519.secret);
        job->out_len = SIGNATURE;
        return so_check(bad);
    default:
        if (job->tag_len != SIGNATURE)
            return MB_REJECTED;
        for (uint32_t i = 0; i < n && !bad; i++)
            bad = crypto_sign_ed25519_verify_detached(job->tag, job->in, job->in_len, job->key);
        return bad ? MB_REJECTED : MB_OK;
    }
}

static mb_status ed25519_public_key(mb_job *job)
{
    uint8_t secret[crypto_sign_ed25519_SECRETKEYBYTES];
    mb_status status = mb_check_lengths(job, false);
    job->out_len = KEY;
    return status == MB_OK ? so_check(crypto_sign_ed25519_seed_keypair(job->out, secret, job->key)) : status;
}

static mb_status x25519_run(mb_job *job, uint32_t n)
{
    int bad = 0;
    job->out_len = KEY;
    if (job->op == MB_KEYGEN) {
        for (uint32_t i = 0; i < n; i++)
            bad |= crypto_box_keypair(so_ctx_of(job)->curve25519.public, job->out);
        return so_check(bad);
    }
    for (uint32_t i = 0; i < n && !bad; i++)
        bad = crypto_scalarmult_curve25519(job->out, job->key, job->in);
    return bad ? mb_note(MB_ERROR, "libsodium refuses this public key: its order is small") : MB_OK;
}

static mb_status x25519_public_key(mb_job *job)
{
    mb_status status = mb_check_lengths(job, false);
    job->out_len = KEY;
    return status == MB_OK ? so_check(crypto_scalarmult_curve25519_base(job->out, job->key)) : status;
}

const mb_kind so_ed25519_kind = {.open = any_open, .run = ed25519_run, .public_key = ed25519_public_key};
const mb_kind so_x25519_kind = {.open = any_open, .run = x25519_run, .public_key = x25519_public_key};

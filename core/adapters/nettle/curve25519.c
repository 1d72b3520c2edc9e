/*
 * Ed25519 (RFC 8032) and X25519 (RFC 7748): everything is bytes, and nothing has to be freed.
 *
 * What is timed: ed25519_sha512_sign (with the public key, which `open` computes) and _verify; curve25519_mul; KEYGEN:
 * 32 random bytes, and the public key of them. Ed25519 reads the message twice, therefore it cannot be streamed. X25519
 * does not refuse peers of small order, whose secret is all zeros (RFC 7748 6.1 leaves the check to the user).
 */
#include "nt.h"

#include <nettle/curve25519.h>
#include <nettle/eddsa.h>

typedef struct nt_25519_ctx {
    uint8_t public[ED25519_KEY_SIZE]; /* SIGN: own public key; KEYGEN: that of the new key */
} nt_25519_ctx;

static mb_status any_open(mb_job *job)
{
    nt_25519_ctx *ctx = job->ctx;
    mb_status status = job->op == MB_KEYGEN ? MB_OK : mb_check_lengths(job, false);
    if (status == MB_OK && job->op == MB_AGREE && job->in_len != CURVE25519_SIZE)
        status = mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    if (status == MB_OK && job->op == MB_SIGN)
        ed25519_sha512_public_key(ctx->public, job->key);
    return status;
}

static mb_status ed25519_run(mb_job *job, uint32_t n)
{
    nt_25519_ctx *ctx = job->ctx;
    int good = 1;
    job->out_len = 0;
    switch (job->op) {
    case MB_KEYGEN:
        for (uint32_t i = 0; i < n; i++) {
            nt_random(NULL, ED25519_KEY_SIZE, job->out);
            ed25519_sha512_public_key(ctx->public, job->out);
        }
        job->out_len = ED25519_KEY_SIZE;
        return MB_OK;
    case MB_SIGN:
        for (uint32_t i = 0; i < n; i++)
            ed25519_sha512_sign(ctx->public, job->key, job->in_len, job->in, job->out);
        job->out_len = ED25519_SIGNATURE_SIZE;
        return MB_OK;
    default:
        if (job->tag_len != ED25519_SIGNATURE_SIZE)
            return MB_REJECTED;
        for (uint32_t i = 0; i < n && good; i++)
            good = ed25519_sha512_verify(job->key, job->in_len, job->in, job->tag);
        return good ? MB_OK : MB_REJECTED;
    }
}

static mb_status ed25519_public_key(mb_job *job)
{
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        ed25519_sha512_public_key(job->out, job->key);
    job->out_len = ED25519_KEY_SIZE;
    return status;
}

static mb_status x25519_run(mb_job *job, uint32_t n)
{
    nt_25519_ctx *ctx = job->ctx;
    job->out_len = CURVE25519_SIZE;
    if (job->op == MB_KEYGEN) {
        for (uint32_t i = 0; i < n; i++) {
            nt_random(NULL, CURVE25519_SIZE, job->out);
            curve25519_mul_g(ctx->public, job->out);
        }
    } else {
        for (uint32_t i = 0; i < n; i++)
            curve25519_mul(job->out, job->key, job->in);
    }
    return MB_OK;
}

static mb_status x25519_public_key(mb_job *job)
{
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        curve25519_mul_g(job->out, job->key);
    job->out_len = CURVE25519_SIZE;
    return status;
}

const mb_kind nt_ed25519_kind = {.open = any_open, .run = ed25519_run, .public_key = ed25519_public_key};
const mb_kind nt_x25519_kind = {.open = any_open, .run = x25519_run, .public_key = x25519_public_key};

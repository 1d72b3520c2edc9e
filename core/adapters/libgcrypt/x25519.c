/*
 * X25519 (RFC 7748).
 *
 * What is timed: AGREE: gcry_ecc_mul_point; KEYGEN: gcry_pk_genkey for Curve25519, which computes and tests the public
 * key as well, and writing the key. The library does not refuse peers of small order, whose secret is all zeros
 * (RFC 7748 6.1 leaves the check to the user).
 */
#include "lg.h"

#include <string.h>

enum { LENGTH = 32 };

static mb_status x25519_open(mb_job *job)
{
    lg_pk_ctx *ctx = job->ctx;
    if (job->out_cap < LENGTH)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN) {
        lg_warm_random();
        return lg_check(gcry_sexp_build(&ctx->key, NULL, "(genkey(ecc(curve Curve25519)(flags djb-tweak)))"));
    }
    if (job->in_len != LENGTH)
        return mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    return mb_check_lengths(job, false);
}

static mb_status x25519_start(mb_job *job)
{
    (void)job;
    return MB_OK;
}

/* The library's private keys are big-endian, those of RFC 7748 little-endian. */
static mb_status generate(mb_job *job)
{
    const lg_pk_ctx *ctx = job->ctx;
    gcry_sexp_t key = NULL;
    uint8_t scalar[LENGTH];
    mb_status status = lg_check(gcry_pk_genkey(&key, ctx->key));
    if (status == MB_OK)
        status = lg_extract(key, "&d", scalar, LENGTH);
    gcry_sexp_release(key);
    for (size_t i = 0; i < LENGTH && status == MB_OK; i++)
        job->out[i] = scalar[LENGTH - 1 - i];
    return status;
}

static mb_status x25519_run(mb_job *job, uint32_t n)
{
    job->out_len = LENGTH;
    if (job->op == MB_KEYGEN) {
        mb_status status = MB_OK;
        for (uint32_t i = 0; i < n && status == MB_OK; i++)
            status = generate(job);
        return status;
    }
    gcry_error_t err = 0;
    for (uint32_t i = 0; i < n && !err; i++)
        err = gcry_ecc_mul_point(GCRY_ECC_CURVE25519, job->out, job->key, job->in);
    return lg_check(err);
}

static void x25519_close(mb_job *job)
{
    lg_pk_ctx *ctx = job->ctx;
    gcry_sexp_release(ctx->key);
    ctx->key = NULL;
}

static mb_status x25519_public_key(mb_job *job)
{
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    job->out_len = LENGTH;
    /* Without a point: the base point. */
    return lg_check(gcry_ecc_mul_point(GCRY_ECC_CURVE25519, job->out, job->key, NULL));
}

const mb_kind lg_x25519_kind = {
    .open = x25519_open,
    .start = x25519_start,
    .run = x25519_run,
    .close = x25519_close,
    .public_key = x25519_public_key,
};

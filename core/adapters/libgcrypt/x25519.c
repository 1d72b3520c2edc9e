/*
 * X25519 (RFC 7748).
 *
 * Timed: AGREE: gcry_ecc_mul_point; KEYGEN: gcry_pk_genkey for Curve25519, which computes
 * and tests the public key as well, and writing the key. The library does not refuse peers of small
 * order, whose secret is all zeros (RFC 7748 6.1 leaves the check to the user).
 */
#include "libgcrypt_adapter.h"

#include <string.h>

enum { LENGTH = 32 };

typedef struct x25519_ctx {
    mb_driven driven; /* first: see support/driver.h */
    gcry_sexp_t key;  /* KEYGEN: the parameters */
} x25519_ctx;

_Static_assert(sizeof(x25519_ctx) <= sizeof(adapter_cipher_ctx), "ctx_size is that of the largest");

/* The library's private keys are big-endian, those of RFC 7748 little-endian. */
static mb_status generate(mb_job *job)
{
    const x25519_ctx *ctx = job->ctx;
    gcry_sexp_t key = NULL;
    uint8_t scalar[LENGTH];
    mb_status status = adapter_check(gcry_pk_genkey(&key, ctx->key));
    if (status == MB_OK)
        status = adapter_extract(key, "&d", scalar, LENGTH);
    gcry_sexp_release(key);
    for (size_t i = 0; i < LENGTH && status == MB_OK; i++)
        job->out[i] = scalar[LENGTH - 1 - i];
    return status;
}

static mb_status agree(mb_job *job)
{
    return adapter_check(gcry_ecc_mul_point(GCRY_ECC_CURVE25519, job->out, job->key, job->peer));
}

MB_REPEAT(generate_all, generate)
MB_REPEAT(agree_all, agree)

static mb_status x25519_open(mb_job *job)
{
    x25519_ctx *ctx = job->ctx;
    if (job->out_cap < LENGTH)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN) {
        adapter_warm_random();
        mb_status status = adapter_check(
            gcry_sexp_build(&ctx->key, NULL, "(genkey(ecc(curve Curve25519)(flags djb-tweak)))"));
        return status == MB_OK ? mb_drive(job, generate_all) : status;
    }
    if (job->peer_len != LENGTH)
        return mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    mb_status status = mb_check_lengths(job, false);
    return status == MB_OK ? mb_drive(job, agree_all) : status;
}

static mb_status x25519_start(mb_job *job)
{
    job->out_len = LENGTH;
    return MB_OK;
}

static void x25519_close(mb_job *job)
{
    x25519_ctx *ctx = job->ctx;
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
    return adapter_check(gcry_ecc_mul_point(GCRY_ECC_CURVE25519, job->out, job->key, NULL));
}

const mb_kind adapter_x25519_kind = {
    .open = x25519_open,
    .start = x25519_start,
    .run = mb_drive_run,
    .close = x25519_close,
    .public_key = x25519_public_key,
};

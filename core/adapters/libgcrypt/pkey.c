/*
 * Signatures: what RSA, ECDSA and Ed25519 have in common.
 *
 * Keys are converted to libgcrypt's S-expressions in `open`. What is timed:
 *   SIGN     gcry_md_hash_buffer, gcry_pk_sign, and building and taking apart the S-expressions that carry digest and
 *            signature: a user of the library needs all of it for every message.
 *   VERIFY   the same with gcry_pk_verify, and taking the signature apart.
 *   KEYGEN   gcry_pk_genkey with the library's standard (very strong) random numbers, including the test of the new key
 *            that the library always does, and writing the key.
 * Ed25519 (RFC 8032) reads the message twice, therefore it cannot be streamed.
 */
#include "lg.h"

#include <limits.h>
#include <string.h>

_Static_assert(sizeof(lg_pk_ctx) <= sizeof(lg_cipher_ctx), "ctx_size is that of the largest");

#define MAX_DIGEST 64

mb_status lg_extract(gcry_sexp_t sexp, const char *name, uint8_t *out, size_t width)
{
    uint8_t number[LG_RSA_MAX_BYTES + 1]; /* the library may put a zero in front */
    gcry_buffer_t buffer = {.size = sizeof number, .data = number};
    mb_status status = lg_check(gcry_sexp_extract_param(sexp, NULL, name, &buffer, NULL));
    if (status != MB_OK)
        return status;
    const uint8_t *at = number;
    size_t len = buffer.len;
    while (len > width && *at == 0) {
        at++;
        len--;
    }
    if (len > width)
        return mb_note(MB_ERROR, "the library's number is longer than expected");
    memset(out, 0, width - len);
    memcpy(out + (width - len), at, len);
    return MB_OK;
}

void lg_warm_random(void)
{
    uint8_t byte;
    gcry_randomize(&byte, sizeof byte, GCRY_VERY_STRONG_RANDOM);
}

static mb_status pk_open(mb_job *job)
{
    const lg_pk *pk = job->scheme->param;
    lg_pk_ctx *ctx = job->ctx;
    if (job->out_cap < LG_PK_ROOM)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op != MB_VERIFY)
        lg_warm_random();
    if (job->op == MB_KEYGEN)
        return lg_check(pk->family->keygen_params(job, &ctx->key));
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        status = pk->family->load(job, job->op == MB_SIGN, &ctx->key);
    if (status == MB_OK && pk->hash)
        status = lg_check(gcry_md_open(&ctx->md, pk->hash, 0));
    return status;
}

static mb_status pk_start(mb_job *job)
{
    lg_pk_ctx *ctx = job->ctx;
    if (ctx->md)
        gcry_md_reset(ctx->md);
    return MB_OK;
}

/* What is signed, as the library wants it. */
static mb_status wrap(const lg_pk *pk, const uint8_t *value, size_t len, gcry_sexp_t *data)
{
    gcry_error_t err;
    if (len > INT_MAX)
        return mb_note(MB_TOO_BIG, "message is too long to be signed in one piece");
    if (pk->hash)
        err = gcry_sexp_build(data, NULL, pk->data, gcry_md_algo_name(pk->hash), (int)len, value, (int)pk->salt_len);
    else
        err = gcry_sexp_build(data, NULL, pk->data, (int)len, value);
    return lg_check(err);
}

/* Signs a digest, or the message itself where the scheme takes that. */
static mb_status sign_value(mb_job *job, const uint8_t *value, size_t len, uint8_t *out, size_t *out_len)
{
    const lg_pk *pk = job->scheme->param;
    const lg_pk_ctx *ctx = job->ctx;
    gcry_sexp_t data = NULL;
    gcry_sexp_t sig = NULL;
    mb_status status = wrap(pk, value, len, &data);
    if (status == MB_OK)
        status = lg_check(gcry_pk_sign(&sig, data, ctx->key));
    if (status == MB_OK)
        status = pk->family->encode(job, sig, out, out_len);
    gcry_sexp_release(sig);
    gcry_sexp_release(data);
    return status;
}

/* The key was checked in `open`, so these are about the signature: a number or a point out of its range. */
static mb_status verdict(gcry_error_t err)
{
    switch (gcry_err_code(err)) {
    case GPG_ERR_BAD_SIGNATURE:
    case GPG_ERR_INV_OBJ:
    case GPG_ERR_INV_DATA:
        return MB_REJECTED;
    default:
        return lg_check(err);
    }
}

static mb_status verify_value(mb_job *job, const uint8_t *value, size_t len)
{
    const lg_pk *pk = job->scheme->param;
    const lg_pk_ctx *ctx = job->ctx;
    gcry_sexp_t data = NULL;
    gcry_sexp_t sig = NULL;
    mb_status status = pk->family->decode(job, &sig);
    if (status == MB_OK)
        status = wrap(pk, value, len, &data);
    if (status == MB_OK)
        status = verdict(gcry_pk_verify(sig, data, ctx->key));
    gcry_sexp_release(sig);
    gcry_sexp_release(data);
    return status;
}

/* The digest of the job's message, or the message where the scheme takes that. */
static const uint8_t *value_of(const mb_job *job, uint8_t digest[MAX_DIGEST], size_t *len)
{
    const lg_pk *pk = job->scheme->param;
    *len = job->in_len;
    if (!pk->hash)
        return job->in_len > 0 ? job->in : digest;
    gcry_md_hash_buffer(pk->hash, digest, job->in, job->in_len);
    *len = gcry_md_get_algo_dlen(pk->hash);
    return digest;
}

static mb_status generate(mb_job *job)
{
    const lg_pk *pk = job->scheme->param;
    const lg_pk_ctx *ctx = job->ctx;
    gcry_sexp_t key = NULL;
    mb_status status = lg_check(gcry_pk_genkey(&key, ctx->key));
    if (status == MB_OK)
        status = pk->family->export_secret(job, key, job->out, &job->out_len);
    gcry_sexp_release(key);
    return status;
}

static mb_status pk_run(mb_job *job, uint32_t n)
{
    uint8_t digest[MAX_DIGEST] = {0};
    size_t len;
    mb_status status = MB_OK;
    job->out_len = 0;
    switch (job->op) {
    case MB_KEYGEN:
        for (uint32_t i = 0; i < n && status == MB_OK; i++)
            status = generate(job);
        return status;
    case MB_SIGN:
        for (uint32_t i = 0; i < n && status == MB_OK; i++) {
            const uint8_t *value = value_of(job, digest, &len);
            status = sign_value(job, value, len, job->out, &job->out_len);
        }
        return status;
    case MB_VERIFY:
        for (uint32_t i = 0; i < n && status == MB_OK; i++) {
            const uint8_t *value = value_of(job, digest, &len);
            status = verify_value(job, value, len);
        }
        return status;
    default:
        return mb_note(MB_UNSUPPORTED, "not an operation of signatures");
    }
}

static mb_status pk_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    const lg_pk_ctx *ctx = job->ctx;
    (void)out;
    *out_len = 0;
    gcry_md_write(ctx->md, in, in_len);
    return MB_OK;
}

static mb_status pk_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const lg_pk *pk = job->scheme->param;
    const lg_pk_ctx *ctx = job->ctx;
    const uint8_t *digest = gcry_md_read(ctx->md, pk->hash);
    size_t len = gcry_md_get_algo_dlen(pk->hash);
    *out_len = 0;
    return job->op == MB_SIGN ? sign_value(job, digest, len, out, out_len) : verify_value(job, digest, len);
}

static void pk_close(mb_job *job)
{
    lg_pk_ctx *ctx = job->ctx;
    gcry_sexp_release(ctx->key);
    gcry_md_close(ctx->md);
    memset(ctx, 0, sizeof *ctx);
}

static mb_status pk_public_key(mb_job *job)
{
    const lg_pk *pk = job->scheme->param;
    gcry_sexp_t key = NULL;
    if (job->out_cap < LG_PK_ROOM)
        return mb_note(MB_TOO_BIG, "output does not fit");
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        status = pk->family->load(job, true, &key);
    if (status == MB_OK)
        status = pk->family->export_public(job, key, job->out, &job->out_len);
    gcry_sexp_release(key);
    return status;
}

const mb_kind lg_pk_kind = {
    .open = pk_open,
    .start = pk_start,
    .run = pk_run,
    .update = pk_update,
    .final = pk_final,
    .close = pk_close,
    .public_key = pk_public_key,
};

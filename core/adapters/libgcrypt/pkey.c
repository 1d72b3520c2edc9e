/*
 * Signatures: what RSA, ECDSA and Ed25519 have in common.
 *
 * Keys are converted to libgcrypt's S-expressions in `open`. Timed:
 *   SIGN     gcry_md_hash_buffer, gcry_pk_sign, and building and taking apart the S-expressions
 *            that carry digest and signature: a user of the library needs all of it for every
 *            message.
 *   VERIFY   the same with gcry_pk_verify, and taking the signature apart.
 *   KEYGEN   gcry_pk_genkey with the library's standard (very strong) random numbers, including the
 *            test of the new key that the library always does, and writing the key.
 * Ed25519 (RFC 8032) reads the message twice, therefore it cannot be streamed.
 */
#include "libgcrypt_adapter.h"

#include <limits.h>
#include <string.h>

_Static_assert(sizeof(adapter_pk_ctx) <= sizeof(adapter_cipher_ctx),
               "ctx_size is that of the largest");

static mb_status prepare(mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    adapter_pk_ctx *ctx = job->ctx;
    adapter_warm_random();
    return adapter_check(pk->family->keygen_params(job, &ctx->key));
}

static mb_status load(mb_job *job, bool secret)
{
    const adapter_pk *pk = job->scheme->param;
    adapter_pk_ctx *ctx = job->ctx;
    if (secret)
        adapter_warm_random();
    mb_status status = pk->family->load(job, secret, &ctx->key);
    return status == MB_OK && pk->hash ? adapter_check(gcry_md_open(&ctx->md, pk->hash, 0))
                                       : status;
}

static mb_status hash(mb_job *job, uint8_t *digest, size_t *len)
{
    const adapter_pk *pk = job->scheme->param;
    gcry_md_hash_buffer(pk->hash, digest, job->message, job->message_len);
    *len = gcry_md_get_algo_dlen(pk->hash);
    return MB_OK;
}

static mb_status begin(mb_job *job)
{
    const adapter_pk_ctx *ctx = job->ctx;
    gcry_md_reset(ctx->md);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    const adapter_pk_ctx *ctx = job->ctx;
    gcry_md_write(ctx->md, in, len);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *digest, size_t *len)
{
    const adapter_pk *pk = job->scheme->param;
    const adapter_pk_ctx *ctx = job->ctx;
    *len = gcry_md_get_algo_dlen(pk->hash);
    memcpy(digest, gcry_md_read(ctx->md, pk->hash), *len);
    return MB_OK;
}

/* The signed value, in the library's form. */
static mb_status wrap(const adapter_pk *pk, const uint8_t *value, size_t len, gcry_sexp_t *data)
{
    gcry_error_t err;
    if (len > INT_MAX)
        return mb_note(MB_TOO_BIG, "message is too long to be signed in one piece");
    if (pk->hash)
        err = gcry_sexp_build(data, NULL, pk->data, gcry_md_algo_name(pk->hash), (int)len, value,
                              (int)pk->salt_len);
    else
        err = gcry_sexp_build(data, NULL, pk->data, (int)len, value);
    return adapter_check(err);
}

/* Signs a digest, or the message itself where the scheme takes that. */
static mb_status sign(mb_job *job, const uint8_t *value, size_t len, uint8_t *out, size_t *out_len)
{
    const adapter_pk *pk = job->scheme->param;
    const adapter_pk_ctx *ctx = job->ctx;
    gcry_sexp_t data = NULL;
    gcry_sexp_t sig = NULL;
    mb_status status = wrap(pk, value, len, &data);
    if (status == MB_OK)
        status = adapter_check(gcry_pk_sign(&sig, data, ctx->key));
    if (status == MB_OK)
        status = pk->family->encode(job, sig, out, out_len);
    gcry_sexp_release(sig);
    gcry_sexp_release(data);
    return status;
}

/*
 * The key was checked in `open`, so these are about the signature: a number or a point out of its
 * range.
 */
static mb_status verdict(gcry_error_t err)
{
    switch (gcry_err_code(err)) {
    case GPG_ERR_BAD_SIGNATURE:
    case GPG_ERR_INV_OBJ:
    case GPG_ERR_INV_DATA:
        return MB_REJECTED;
    default:
        return adapter_check(err);
    }
}

static mb_status verify(mb_job *job, const uint8_t *value, size_t len)
{
    const adapter_pk *pk = job->scheme->param;
    const adapter_pk_ctx *ctx = job->ctx;
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

static mb_status generate(mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    const adapter_pk_ctx *ctx = job->ctx;
    gcry_sexp_t key = NULL;
    mb_status status = adapter_check(gcry_pk_genkey(&key, ctx->key));
    if (status == MB_OK)
        status = pk->family->export_secret(job, key, job->out, &job->out_len);
    gcry_sexp_release(key);
    return status;
}

MB_REPEAT(generate_all, generate)

static mb_status export_public(mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    const adapter_pk_ctx *ctx = job->ctx;
    return pk->family->export_public(job, ctx->key, job->out, &job->out_len);
}

static const mb_signing of_digest = {
    .load = load,
    .prepare = prepare,
    .generate = generate_all,
    .hash = hash,
    .sign = sign,
    .verify = verify,
    .begin = begin,
    .update = update,
    .finish = finish,
    .export_public = export_public,
    .room = ADAPTER_PK_ROOM};
static const mb_signing of_message = {
    .load = load,
    .prepare = prepare,
    .generate = generate_all,
    .sign = sign,
    .verify = verify,
    .export_public = export_public,
    .room = ADAPTER_PK_ROOM};

static const mb_signing *how_of(const mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    return pk->hash ? &of_digest : &of_message;
}

static mb_status pk_open(mb_job *job)
{
    return mb_sign_open(job, how_of(job));
}

static void pk_close(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    gcry_sexp_release(ctx->key);
    gcry_md_close(ctx->md);
    memset(ctx, 0, sizeof *ctx);
}

static mb_status pk_public_key(mb_job *job)
{
    memset(job->ctx, 0, sizeof(adapter_pk_ctx));
    mb_status status = mb_sign_public_key(job, how_of(job));
    pk_close(job);
    return status;
}

const mb_kind adapter_pk_kind = {
    .open = pk_open,
    .start = mb_sign_start,
    .run = mb_drive_run,
    .update = mb_sign_update,
    .final = mb_sign_final,
    .close = pk_close,
    .public_key = pk_public_key,
};

/*
 * Signatures of a digest: what RSA and ECDSA have in common.
 *
 * Keys are decoded in `open`. Timed:
 *   SIGN, VERIFY   hashing, the family's function, and writing or reading the signature, which
 *                  Nettle has as numbers and its user needs as bytes.
 *   KEYGEN         a new key pair, and writing the private key.
 */
#include "nettle_adapter.h"
#include "public_key.h"

static mb_status prepare(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    adapter_pk_of(job)->family->init(ctx);
    ctx->live = true;
    return MB_OK;
}

static mb_status load(mb_job *job, bool secret)
{
    (void)prepare(job);
    return adapter_pk_of(job)->family->load(job, secret);
}

static mb_status begin(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    adapter_pk_of(job)->hash->init(&ctx->hash);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    adapter_pk_ctx *ctx = job->ctx;
    adapter_pk_of(job)->hash->update(&ctx->hash, len, in);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *digest, size_t *len)
{
    adapter_pk_ctx *ctx = job->ctx;
    const struct nettle_hash *hash = adapter_pk_of(job)->hash;
    *len = hash->digest_size;
    hash->digest(&ctx->hash, hash->digest_size, digest);
    return MB_OK;
}

static mb_status hash(mb_job *job, uint8_t *digest, size_t *len)
{
    (void)update(job, job->message, job->message_len);
    return finish(job, digest, len);
}

static mb_status sign(mb_job *job, const uint8_t *digest, size_t len, uint8_t *out, size_t *out_len)
{
    (void)len;
    return adapter_pk_of(job)->family->sign(job, digest, out, out_len);
}

static mb_status verify(mb_job *job, const uint8_t *digest, size_t len)
{
    (void)len;
    return adapter_pk_of(job)->family->verify(job, digest);
}

static mb_status generate(mb_job *job)
{
    return adapter_pk_of(job)->family->generate(job);
}

MB_REPEAT(generate_all, generate)

static mb_status export_public(mb_job *job)
{
    return adapter_pk_of(job)->family->export_public(job);
}

static const mb_signing how = {
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

static mb_status signature_open(mb_job *job)
{
    return mb_sign_open(job, &how);
}

static void signature_close(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    if (ctx->live)
        adapter_pk_of(job)->family->clear(ctx);
    ctx->live = false;
}

static mb_status signature_public_key(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    ctx->live = false;
    mb_status status = mb_sign_public_key(job, &how);
    signature_close(job);
    return status;
}

const mb_kind adapter_signature_kind = {
    .open = signature_open,
    .start = mb_sign_start,
    .run = mb_drive_run,
    .update = mb_sign_update,
    .final = mb_sign_final,
    .close = signature_close,
    .public_key = signature_public_key,
};

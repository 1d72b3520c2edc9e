/*
 * Signatures of a digest: what RSA and ECDSA have in common.
 *
 * Keys are decoded in `open`. What is timed:
 *   SIGN, VERIFY   hashing, the family's function, and writing or reading the signature, which Nettle has as numbers
 *                  and its user needs as bytes.
 *   KEYGEN         a new key pair, and writing the private key.
 */
#include "nt.h"
#include "pk.h"

static mb_status signature_open(mb_job *job)
{
    const nt_pk *pk = nt_pk_of(job);
    nt_pk_ctx *ctx = job->ctx;
    if (job->out_cap < NT_PK_ROOM)
        return mb_note(MB_TOO_BIG, "output does not fit");
    pk->family->init(ctx);
    ctx->live = true;
    if (job->op == MB_KEYGEN)
        return MB_OK;
    mb_status status = mb_check_lengths(job, false);
    return status == MB_OK ? pk->family->load(job, job->op == MB_SIGN) : status;
}

static mb_status signature_start(mb_job *job)
{
    nt_pk_ctx *ctx = job->ctx;
    nt_pk_of(job)->hash->init(&ctx->hash);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out, size_t *out_len)
{
    const nt_pk *pk = nt_pk_of(job);
    nt_pk_ctx *ctx = job->ctx;
    uint8_t digest[NT_MAX_DIGEST];
    pk->hash->digest(&ctx->hash, pk->hash->digest_size, digest);
    return job->op == MB_SIGN ? pk->family->sign(job, digest, out, out_len) : pk->family->verify(job, digest);
}

static mb_status signature_run(mb_job *job, uint32_t n)
{
    const nt_pk *pk = nt_pk_of(job);
    nt_pk_ctx *ctx = job->ctx;
    mb_status status = MB_OK;
    job->out_len = 0;
    if (job->op == MB_KEYGEN) {
        for (uint32_t i = 0; i < n && status == MB_OK; i++)
            status = pk->family->generate(job);
        return status;
    }
    for (uint32_t i = 0; i < n && status == MB_OK; i++) {
        pk->hash->update(&ctx->hash, job->in_len, job->in);
        status = finish(job, job->out, &job->out_len);
    }
    return status;
}

static mb_status signature_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    nt_pk_ctx *ctx = job->ctx;
    (void)out, (void)out_len;
    nt_pk_of(job)->hash->update(&ctx->hash, in_len, in);
    return MB_OK;
}

static void signature_close(mb_job *job)
{
    nt_pk_ctx *ctx = job->ctx;
    if (ctx->live)
        nt_pk_of(job)->family->clear(ctx);
    ctx->live = false;
}

static mb_status signature_public_key(mb_job *job)
{
    const nt_pk *pk = nt_pk_of(job);
    nt_pk_ctx *ctx = job->ctx;
    if (job->out_cap < NT_PK_ROOM)
        return mb_note(MB_TOO_BIG, "output does not fit");
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    pk->family->init(ctx);
    status = pk->family->load(job, true);
    if (status == MB_OK)
        status = pk->family->export_public(job);
    pk->family->clear(ctx);
    return status;
}

const mb_kind nt_signature_kind = {
    .open = signature_open,
    .start = signature_start,
    .run = signature_run,
    .update = signature_update,
    .final = finish,
    .close = signature_close,
    .public_key = signature_public_key,
};

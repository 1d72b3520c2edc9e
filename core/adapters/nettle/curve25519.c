/*
 * Ed25519 (RFC 8032) and X25519 (RFC 7748): everything is bytes, and nothing has to be freed.
 *
 * Timed: ed25519_sha512_sign (with the public key, which `open` computes) and _verify;
 * curve25519_mul; KEYGEN: 32 random bytes, and the public key of them. Ed25519 reads the message
 * twice, therefore it cannot be streamed. X25519 does not refuse peers of small order, whose secret
 * is all zeros (RFC 7748 6.1 leaves the check to the user).
 */
#include "nettle_adapter.h"

#include <nettle/curve25519.h>
#include <nettle/eddsa.h>

typedef struct curve25519_ctx {
    union { /* first: state of the driver */
        mb_sign_state sign;
        mb_driven driven;
    } driver;
    uint8_t public[ED25519_KEY_SIZE]; /* SIGN: own public key; KEYGEN: that of the new key */
} curve25519_ctx;

static mb_status ed25519_generate(mb_job *job)
{
    curve25519_ctx *ctx = job->ctx;
    adapter_random(NULL, ED25519_KEY_SIZE, job->out);
    ed25519_sha512_public_key(ctx->public, job->out);
    job->out_len = ED25519_KEY_SIZE;
    return MB_OK;
}

MB_REPEAT(ed25519_generate_all, ed25519_generate)

static mb_status ed25519_load(mb_job *job, bool secret)
{
    curve25519_ctx *ctx = job->ctx;
    if (secret)
        ed25519_sha512_public_key(ctx->public, job->key);
    return MB_OK;
}

static mb_status ed25519_sign(mb_job *job, const uint8_t *message, size_t len, uint8_t *out,
                              size_t *out_len)
{
    const curve25519_ctx *ctx = job->ctx;
    ed25519_sha512_sign(ctx->public, job->key, len, message, out);
    *out_len = ED25519_SIGNATURE_SIZE;
    return MB_OK;
}

static mb_status ed25519_verify(mb_job *job, const uint8_t *message, size_t len)
{
    const bool good = job->signature_len == ED25519_SIGNATURE_SIZE &&
                      ed25519_sha512_verify(job->key, len, message, job->signature);
    return good ? MB_OK : MB_REJECTED;
}

static mb_status ed25519_open(mb_job *job)
{
    static const mb_signing how = {
        .load = ed25519_load,
        .generate = ed25519_generate_all,
        .sign = ed25519_sign,
        .verify = ed25519_verify,
        .room = ED25519_SIGNATURE_SIZE};
    return mb_sign_open(job, &how);
}

static mb_status ed25519_public_key(mb_job *job)
{
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        ed25519_sha512_public_key(job->out, job->key);
    job->out_len = ED25519_KEY_SIZE;
    return status;
}

static mb_status x25519_generate(mb_job *job)
{
    curve25519_ctx *ctx = job->ctx;
    adapter_random(NULL, CURVE25519_SIZE, job->out);
    curve25519_mul_g(ctx->public, job->out);
    return MB_OK;
}

static mb_status x25519_agree(mb_job *job)
{
    curve25519_mul(job->out, job->key, job->peer);
    return MB_OK;
}

MB_REPEAT(x25519_generate_all, x25519_generate)
MB_REPEAT(x25519_agree_all, x25519_agree)

static mb_status x25519_open(mb_job *job)
{
    if (job->op == MB_KEYGEN)
        return mb_drive(job, x25519_generate_all);
    if (job->peer_len != CURVE25519_SIZE)
        return mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    mb_status status = mb_check_lengths(job, false);
    return status == MB_OK ? mb_drive(job, x25519_agree_all) : status;
}

static mb_status x25519_start(mb_job *job)
{
    job->out_len = CURVE25519_SIZE;
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

const mb_kind adapter_ed25519_kind = {
    .open = ed25519_open,
    .start = mb_sign_start,
    .run = mb_drive_run,
    .public_key = ed25519_public_key};
const mb_kind adapter_x25519_kind = {
    .open = x25519_open,
    .start = x25519_start,
    .run = mb_drive_run,
    .public_key = x25519_public_key};

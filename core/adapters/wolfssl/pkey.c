/*
 * Signatures: what RSA, ECDSA and Ed25519 have in common.
 *
 * What is timed:
 *   SIGN     wc_Hash and the library's call that signs a digest; PKCS#1 v1.5: wc_EncodeSignature between them.
 *   VERIFY   wc_Hash and the call that verifies; PKCS#1 v1.5: the padding taken off is compared with what it should be.
 *   KEYGEN   the call that makes a key pair, with the library's random numbers.
 * Keys are read in `open`. Ed25519 takes the message itself and reads it twice to sign: it cannot be streamed.
 */
#include "ws.h"

#include <string.h>

static ws_pk_state *state_of(const mb_job *job)
{
    return &((ws_state *)job->ctx)->pk;
}

static void drop_key(const ws_pk_family *family, ws_pk_state *s)
{
    if (s->have_key)
        family->free(s);
    s->have_key = false;
}

static mb_status load(const mb_job *job, ws_pk_state *s, bool secret)
{
    const ws_pk *pk = job->scheme->param;
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        status = ws_check(pk->family->init(s));
    s->have_key = status == MB_OK;
    return status == MB_OK ? pk->family->load(job, s, secret) : status;
}

static mb_status pk_open(mb_job *job)
{
    const ws_pk *pk = job->scheme->param;
    ws_pk_state *s = state_of(job);
    if (job->out_cap < WS_PK_ROOM)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN)
        return MB_OK;
    mb_status status = load(job, s, job->op == MB_SIGN);
    if (status == MB_OK && pk->hash != WC_HASH_TYPE_NONE)
        status = ws_check(wc_HashInit_ex(&s->hash, pk->hash, NULL, INVALID_DEVID));
    s->have_hash = status == MB_OK && pk->hash != WC_HASH_TYPE_NONE;
    return status;
}

/* For files; a message in memory needs no beginning. */
static mb_status pk_start(mb_job *job)
{
    const ws_pk *pk = job->scheme->param;
    ws_pk_state *s = state_of(job);
    if (!s->have_hash)
        return MB_OK;
    (void)wc_HashFree(&s->hash, pk->hash);
    return ws_check(wc_HashInit_ex(&s->hash, pk->hash, NULL, INVALID_DEVID));
}

/* The digest of the job's message, or the message where the scheme takes that. NULL: the library failed. */
static const uint8_t *value_of(const mb_job *job, uint8_t digest[WC_MAX_DIGEST_SIZE], word32 *len, int *err)
{
    const ws_pk *pk = job->scheme->param;
    *len = (word32)job->in_len;
    *err = 0;
    if (pk->hash == WC_HASH_TYPE_NONE)
        return ws_bytes(job->in);
    *len = (word32)wc_HashGetDigestSize(pk->hash);
    *err = wc_Hash(pk->hash, ws_bytes(job->in), (word32)job->in_len, digest, *len);
    return digest;
}

static mb_status sign_messages(mb_job *job, uint32_t n)
{
    const ws_pk *pk = job->scheme->param;
    ws_pk_state *s = state_of(job);
    uint8_t digest[WC_MAX_DIGEST_SIZE];
    word32 value_len;
    word32 len = 0;
    int err = 0;
    for (uint32_t i = 0; i < n && !err; i++) {
        const uint8_t *value = value_of(job, digest, &value_len, &err);
        len = WS_PK_ROOM;
        if (!err)
            err = pk->family->sign(job, s, value, value_len, job->out, &len);
    }
    job->out_len = len;
    return ws_check(err);
}

static mb_status verify_messages(mb_job *job, uint32_t n)
{
    const ws_pk *pk = job->scheme->param;
    ws_pk_state *s = state_of(job);
    uint8_t digest[WC_MAX_DIGEST_SIZE];
    word32 value_len;
    int err;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *value = value_of(job, digest, &value_len, &err);
        if (err)
            return ws_check(err);
        if (!pk->family->verify(job, s, value, value_len))
            return MB_REJECTED;
    }
    return MB_OK;
}

/* The key is written once, afterwards: the writing is no part of making it. */
static mb_status generate_keys(mb_job *job, uint32_t n)
{
    const ws_pk *pk = job->scheme->param;
    ws_pk_state *s = state_of(job);
    word32 len = WS_PK_ROOM;
    int err = 0;
    for (uint32_t i = 0; i < n && !err; i++) {
        drop_key(pk->family, s);
        err = pk->family->init(s);
        s->have_key = !err;
        if (!err)
            err = pk->family->generate(job, s);
    }
    if (!err)
        err = pk->family->export_secret(s, job->out, &len);
    job->out_len = len;
    return ws_check(err);
}

static mb_status pk_run(mb_job *job, uint32_t n)
{
    job->out_len = 0;
    switch (job->op) {
    case MB_KEYGEN:
        return generate_keys(job, n);
    case MB_SIGN:
        return sign_messages(job, n);
    case MB_VERIFY:
        return verify_messages(job, n);
    default:
        return mb_note(MB_UNSUPPORTED, "not an operation of signatures");
    }
}

static mb_status pk_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    const ws_pk *pk = job->scheme->param;
    (void)out;
    *out_len = 0;
    return ws_check(wc_HashUpdate(&state_of(job)->hash, pk->hash, in, (word32)in_len));
}

static mb_status pk_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const ws_pk *pk = job->scheme->param;
    ws_pk_state *s = state_of(job);
    uint8_t digest[WC_MAX_DIGEST_SIZE];
    word32 digest_len = (word32)wc_HashGetDigestSize(pk->hash);
    word32 len = WS_PK_ROOM;
    *out_len = 0;
    int err = wc_HashFinal(&s->hash, pk->hash, digest);
    if (err)
        return ws_check(err);
    if (job->op == MB_VERIFY)
        return pk->family->verify(job, s, digest, digest_len) ? MB_OK : MB_REJECTED;
    err = pk->family->sign(job, s, digest, digest_len, out, &len);
    *out_len = err ? 0 : len;
    return ws_check(err);
}

static void pk_close(mb_job *job)
{
    const ws_pk *pk = job->scheme->param;
    ws_pk_state *s = state_of(job);
    drop_key(pk->family, s);
    if (s->have_hash)
        (void)wc_HashFree(&s->hash, pk->hash);
    memset(s, 0, sizeof *s);
}

static mb_status pk_public_key(mb_job *job)
{
    const ws_pk *pk = job->scheme->param;
    ws_pk_state *s = state_of(job);
    word32 len = WS_PK_ROOM;
    if (job->out_cap < WS_PK_ROOM)
        return mb_note(MB_TOO_BIG, "output does not fit");
    mb_status status = load(job, s, true);
    if (status == MB_OK)
        status = ws_check(pk->family->export_public(s, job->out, &len));
    job->out_len = len;
    drop_key(pk->family, s);
    return status;
}

const mb_kind ws_pk_kind = {
    .open = pk_open,
    .start = pk_start,
    .run = pk_run,
    .update = pk_update,
    .final = pk_final,
    .close = pk_close,
    .public_key = pk_public_key,
};

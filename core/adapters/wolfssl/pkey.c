/*
 * Signatures: what RSA, ECDSA and Ed25519 have in common.
 *
 * Timed:
 *   SIGN     wc_Hash and the library's call that signs a digest; PKCS#1 v1.5: wc_EncodeSignature
 *            between them.
 *   VERIFY   wc_Hash and the call that verifies; PKCS#1 v1.5: the padding taken off is compared
 *            with what it should be.
 *   KEYGEN   the call that makes a key pair, with the library's random numbers.
 * Keys are read in `open`. Ed25519 takes the message itself and reads it twice to sign: it cannot
 * be streamed.
 */
#include "wolfssl_adapter.h"

#include <string.h>

static adapter_pk_state *state_of(const mb_job *job)
{
    return &((adapter_state *)job->ctx)->pk;
}

static void drop_key(const adapter_pk_family *family, adapter_pk_state *s)
{
    if (s->have_key)
        family->free(s);
    s->have_key = false;
}

static mb_status load(mb_job *job, bool secret)
{
    const adapter_pk *pk = job->scheme->param;
    adapter_pk_state *s = state_of(job);
    mb_status status = adapter_check(pk->family->init(s));
    s->have_key = status == MB_OK;
    if (status == MB_OK)
        status = pk->family->load(job, s, secret);
    if (status == MB_OK && pk->hash != WC_HASH_TYPE_NONE) {
        status = adapter_check(wc_HashInit_ex(&s->hash, pk->hash, NULL, INVALID_DEVID));
        s->have_hash = status == MB_OK;
    }
    return status;
}

/* For files; a message in memory needs no beginning. */
static mb_status begin(mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    adapter_pk_state *s = state_of(job);
    (void)wc_HashFree(&s->hash, pk->hash);
    return adapter_check(wc_HashInit_ex(&s->hash, pk->hash, NULL, INVALID_DEVID));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    const adapter_pk *pk = job->scheme->param;
    return adapter_check(wc_HashUpdate(&state_of(job)->hash, pk->hash, in, (word32)len));
}

static mb_status finish(mb_job *job, uint8_t *digest, size_t *len)
{
    const adapter_pk *pk = job->scheme->param;
    *len = (size_t)wc_HashGetDigestSize(pk->hash);
    return adapter_check(wc_HashFinal(&state_of(job)->hash, pk->hash, digest));
}

static mb_status hash(mb_job *job, uint8_t *digest, size_t *len)
{
    const adapter_pk *pk = job->scheme->param;
    *len = (size_t)wc_HashGetDigestSize(pk->hash);
    return adapter_check(wc_Hash(
        pk->hash, adapter_bytes(job->message), (word32)job->message_len, digest, (word32)*len));
}

static mb_status sign(mb_job *job, const uint8_t *value, size_t len, uint8_t *out, size_t *out_len)
{
    const adapter_pk *pk = job->scheme->param;
    word32 written = ADAPTER_PK_ROOM;
    int err = pk->family->sign(job, state_of(job), value, (word32)len, out, &written);
    *out_len = err ? 0 : written;
    return adapter_check(err);
}

static mb_status verify(mb_job *job, const uint8_t *value, size_t len)
{
    const adapter_pk *pk = job->scheme->param;
    return pk->family->verify(job, state_of(job), value, (word32)len) ? MB_OK : MB_REJECTED;
}

static mb_status generate(mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    adapter_pk_state *s = state_of(job);
    drop_key(pk->family, s);
    int err = pk->family->init(s);
    s->have_key = !err;
    return adapter_check(err ? err : pk->family->generate(job, s));
}

/* The key is written once, afterwards: the writing is no part of making it. */
static mb_status generate_all(mb_job *job, uint32_t n)
{
    const adapter_pk *pk = job->scheme->param;
    word32 len = ADAPTER_PK_ROOM;
    mb_status status = mb_repeat(job, n, generate);
    if (status == MB_OK)
        status = adapter_check(pk->family->export_secret(state_of(job), job->out, &len));
    job->out_len = len;
    return status;
}

static mb_status export_public(mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    word32 len = ADAPTER_PK_ROOM;
    mb_status status = adapter_check(pk->family->export_public(state_of(job), job->out, &len));
    job->out_len = len;
    return status;
}

static const mb_signing of_digest = {
    .load = load,
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
    .generate = generate_all,
    .sign = sign,
    .verify = verify,
    .export_public = export_public,
    .room = ADAPTER_PK_ROOM};

static const mb_signing *how_of(const mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    return pk->hash == WC_HASH_TYPE_NONE ? &of_message : &of_digest;
}

static mb_status pk_open(mb_job *job)
{
    return mb_sign_open(job, how_of(job));
}

static void pk_close(mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    adapter_pk_state *s = state_of(job);
    drop_key(pk->family, s);
    if (s->have_hash)
        (void)wc_HashFree(&s->hash, pk->hash);
    memset(s, 0, sizeof *s);
}

static mb_status pk_public_key(mb_job *job)
{
    memset(state_of(job), 0, sizeof(adapter_pk_state));
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

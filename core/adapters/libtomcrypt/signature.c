/*
 * Signatures: what RSA and ECDSA have in common.
 *
 * Keys are decoded in `open`. Timed: SIGN: hashing and *_sign_hash; VERIFY: hashing and
 * *_verify_hash; KEYGEN: *_make_key, and once a batch writing the last key. Numbers are those of
 * libtommath.
 */
#include "libtomcrypt_adapter.h"

enum { ROOM = 4096 };

typedef struct signature_state {
    mb_sign_state sign; /* first: see support/signatures.h */
    adapter_key key;
    bool has_key;
    hash_state md; /* of a streamed message */
} signature_state;

_Static_assert(sizeof(signature_state) <= sizeof(adapter_state), "ctx_size is that of the largest");

static const adapter_signature *row_of(const mb_job *job)
{
    return job->scheme->param;
}

static const adapter_family *family_of(const mb_job *job)
{
    return row_of(job)->bits > 0 ? &adapter_rsa_family : &adapter_ecdsa_family;
}

static mb_status load(mb_job *job, bool secret)
{
    signature_state *s = job->ctx;
    mb_status status = adapter_check(family_of(job)->load(job, secret, &s->key));
    s->has_key = status == MB_OK;
    return status;
}

static mb_status begin(mb_job *job)
{
    signature_state *s = job->ctx;
    return adapter_check(row_of(job)->hash->init(&s->md));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    signature_state *s = job->ctx;
    return adapter_check(row_of(job)->hash->process(&s->md, in, len));
}

static mb_status finish(mb_job *job, uint8_t *digest, size_t *len)
{
    signature_state *s = job->ctx;
    *len = row_of(job)->hash->hashsize;
    return adapter_check(row_of(job)->hash->done(&s->md, digest));
}

static mb_status hash(mb_job *job, uint8_t *digest, size_t *len)
{
    mb_status status = begin(job);
    if (status == MB_OK)
        status = update(job, job->message, job->message_len);
    return status == MB_OK ? finish(job, digest, len) : status;
}

static mb_status sign(mb_job *job, const uint8_t *digest, size_t digest_len, uint8_t *out,
                      size_t *out_len)
{
    signature_state *s = job->ctx;
    (void)digest_len;
    unsigned long len = ROOM;
    mb_status status = adapter_check(family_of(job)->sign(job, &s->key, digest, out, &len));
    *out_len = len;
    return status;
}

/* The key was decoded in `open`, so all errors but a lack of memory are about the signature. */
static mb_status verify(mb_job *job, const uint8_t *digest, size_t len)
{
    signature_state *s = job->ctx;
    (void)len;
    int good = 0;
    int code = family_of(job)->verify(job, &s->key, digest, &good);
    if (code == CRYPT_MEM)
        return adapter_fail(code);
    return code == CRYPT_OK && good == 1 ? MB_OK : MB_REJECTED;
}

static void drop_key(mb_job *job, signature_state *s)
{
    if (s->has_key)
        family_of(job)->free(&s->key);
    s->has_key = false;
}

static mb_status generate(mb_job *job)
{
    signature_state *s = job->ctx;
    drop_key(job, s);
    mb_status status = adapter_check(family_of(job)->generate(job, &s->key));
    s->has_key = status == MB_OK;
    return status;
}

static mb_status generate_all(mb_job *job, uint32_t n)
{
    signature_state *s = job->ctx;
    unsigned long len = ROOM;
    mb_status status = mb_repeat(job, n, generate);
    if (status == MB_OK)
        status = adapter_check(family_of(job)->export_secret(&s->key, job->out, &len));
    job->out_len = len;
    return status;
}

static mb_status export_public(mb_job *job)
{
    signature_state *s = job->ctx;
    unsigned long len = ROOM;
    mb_status status = adapter_check(family_of(job)->export_public(&s->key, job->out, &len));
    job->out_len = len;
    return status;
}

static const mb_signing how = {
    .load = load,
    .generate = generate_all,
    .hash = hash,
    .sign = sign,
    .verify = verify,
    .begin = begin,
    .update = update,
    .finish = finish,
    .export_public = export_public,
    .room = ROOM};

static mb_status signature_open(mb_job *job)
{
    return mb_sign_open(job, &how);
}

static void signature_close(mb_job *job)
{
    drop_key(job, job->ctx);
}

static mb_status signature_public_key(mb_job *job)
{
    signature_state *s = job->ctx;
    s->has_key = false;
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

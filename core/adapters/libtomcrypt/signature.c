/*
 * Signatures: what RSA and ECDSA have in common.
 *
 * Keys are decoded in `open`. What is timed: SIGN: hashing and *_sign_hash; VERIFY: hashing and *_verify_hash; KEYGEN:
 * *_make_key, and once a batch writing the last key. Numbers are those of libtommath.
 */
#include "lt.h"

enum { ROOM = 4096 };

typedef struct signature_state {
    lt_key key;
    bool has_key;
    hash_state md; /* of a message in pieces */
} signature_state;

_Static_assert(sizeof(signature_state) <= sizeof(lt_state), "ctx_size is that of the largest");

static const lt_signature *row_of(const mb_job *job)
{
    return job->scheme->param;
}

static const lt_family *family_of(const mb_job *job)
{
    return row_of(job)->bits > 0 ? &lt_rsa_family : &lt_ecdsa_family;
}

static mb_status signature_open(mb_job *job)
{
    signature_state *s = job->ctx;
    if (job->out_cap < ROOM)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN)
        return MB_OK;
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        status = lt_check(family_of(job)->load(job, job->op == MB_SIGN, &s->key));
    s->has_key = status == MB_OK;
    return status;
}

static mb_status signature_start(mb_job *job)
{
    signature_state *s = job->ctx;
    return lt_check(row_of(job)->hash->init(&s->md));
}

static int hash(const mb_job *job, uint8_t *digest)
{
    const struct ltc_hash_descriptor *hash = row_of(job)->hash;
    hash_state md;
    int code = hash->init(&md);
    if (code == CRYPT_OK)
        code = hash->process(&md, job->in, job->in_len);
    return code == CRYPT_OK ? hash->done(&md, digest) : code;
}

static mb_status sign(mb_job *job, const uint8_t *digest, uint8_t *out, size_t *out_len)
{
    signature_state *s = job->ctx;
    unsigned long len = ROOM;
    mb_status status = lt_check(family_of(job)->sign(job, &s->key, digest, out, &len));
    *out_len = len;
    return status;
}

/* The key was decoded in `open`, so all errors but a lack of memory are about the signature. */
static mb_status verify(mb_job *job, const uint8_t *digest)
{
    signature_state *s = job->ctx;
    int good = 0;
    int code = family_of(job)->verify(job, &s->key, digest, &good);
    if (code == CRYPT_MEM)
        return lt_fail(code);
    return code == CRYPT_OK && good == 1 ? MB_OK : MB_REJECTED;
}

static void drop_key(mb_job *job, signature_state *s)
{
    if (s->has_key)
        family_of(job)->free(&s->key);
    s->has_key = false;
}

static mb_status generate(mb_job *job, uint32_t n)
{
    signature_state *s = job->ctx;
    unsigned long len = ROOM;
    int code = CRYPT_OK;
    for (uint32_t i = 0; i < n && code == CRYPT_OK; i++) {
        drop_key(job, s);
        code = family_of(job)->generate(job, &s->key);
        s->has_key = code == CRYPT_OK;
    }
    if (code == CRYPT_OK)
        code = family_of(job)->export_secret(&s->key, job->out, &len);
    job->out_len = len;
    return lt_check(code);
}

static mb_status signature_run(mb_job *job, uint32_t n)
{
    uint8_t digest[MAXBLOCKSIZE];
    mb_status status = MB_OK;
    job->out_len = 0;
    switch (job->op) {
    case MB_KEYGEN:
        return generate(job, n);
    case MB_SIGN:
        for (uint32_t i = 0; i < n && status == MB_OK; i++) {
            status = lt_check(hash(job, digest));
            if (status == MB_OK)
                status = sign(job, digest, job->out, &job->out_len);
        }
        return status;
    case MB_VERIFY:
        for (uint32_t i = 0; i < n && status == MB_OK; i++) {
            status = lt_check(hash(job, digest));
            if (status == MB_OK)
                status = verify(job, digest);
        }
        return status;
    default:
        return mb_note(MB_UNSUPPORTED, "not an operation of signatures");
    }
}

static mb_status signature_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    signature_state *s = job->ctx;
    (void)out;
    *out_len = 0;
    return lt_check(row_of(job)->hash->process(&s->md, in, in_len));
}

static mb_status signature_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    signature_state *s = job->ctx;
    uint8_t digest[MAXBLOCKSIZE];
    *out_len = 0;
    mb_status status = lt_check(row_of(job)->hash->done(&s->md, digest));
    if (status != MB_OK)
        return status;
    return job->op == MB_SIGN ? sign(job, digest, out, out_len) : verify(job, digest);
}

static void signature_close(mb_job *job)
{
    drop_key(job, job->ctx);
}

static mb_status signature_public_key(mb_job *job)
{
    lt_key key;
    unsigned long len = ROOM;
    mb_status status = job->out_cap < ROOM ? mb_note(MB_TOO_BIG, "output does not fit") : mb_check_lengths(job, false);
    if (status == MB_OK)
        status = lt_check(family_of(job)->load(job, true, &key));
    if (status != MB_OK)
        return status;
    status = lt_check(family_of(job)->export_public(&key, job->out, &len));
    job->out_len = len;
    family_of(job)->free(&key);
    return status;
}

const mb_kind lt_signature_kind = {
    .open = signature_open,
    .start = signature_start,
    .run = signature_run,
    .update = signature_update,
    .final = signature_final,
    .close = signature_close,
    .public_key = signature_public_key,
};

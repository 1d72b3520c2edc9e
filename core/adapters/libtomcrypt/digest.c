/*
 * Hash functions.
 *
 * What is timed: DIGEST: init, process, done of the hash on a state of ours; the one-call form of the library allocates
 * and wipes a state around the same.
 */
#include "lt.h"

static int begin(const lt_digest *digest, hash_state *s)
{
    return digest->descriptor != NULL ? digest->descriptor->init(s) : sha3_shake_init(s, digest->shake);
}

static int process(const lt_digest *digest, hash_state *s, const uint8_t *in, size_t len)
{
    return digest->descriptor != NULL ? digest->descriptor->process(s, in, len) : sha3_shake_process(s, in, len);
}

static int finish(const lt_digest *digest, hash_state *s, uint8_t *out)
{
    return digest->descriptor != NULL ? digest->descriptor->done(s, out) : sha3_shake_done(s, out, digest->out_len);
}

static mb_status digest_open(mb_job *job)
{
    const lt_digest *digest = job->scheme->param;
    return job->out_cap < digest->out_len ? mb_note(MB_TOO_BIG, "output does not fit") : MB_OK;
}

static mb_status digest_start(mb_job *job)
{
    return lt_check(begin(job->scheme->param, job->ctx));
}

static mb_status digest_run(mb_job *job, uint32_t n)
{
    const lt_digest *digest = job->scheme->param;
    hash_state *s = job->ctx;
    int code = CRYPT_OK;
    for (uint32_t i = 0; i < n && code == CRYPT_OK; i++) {
        code = begin(digest, s);
        if (code == CRYPT_OK)
            code = process(digest, s, job->in, job->in_len);
        if (code == CRYPT_OK)
            code = finish(digest, s, job->out);
    }
    job->out_len = digest->out_len;
    return lt_check(code);
}

static mb_status digest_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)out;
    *out_len = 0;
    return lt_check(process(job->scheme->param, job->ctx, in, in_len));
}

static mb_status digest_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const lt_digest *digest = job->scheme->param;
    *out_len = digest->out_len;
    return lt_check(finish(digest, job->ctx, out));
}

const mb_kind lt_digest_kind = {
    .open = digest_open,
    .start = digest_start,
    .run = digest_run,
    .update = digest_update,
    .final = digest_final,
};

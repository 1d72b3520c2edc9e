/* Hash functions. */
#include "mote_adapter.h"

static mb_status open_job(mb_job *job)
{
    mote_hash_job *s = job->ctx;
    const mote_row *row = job->scheme->param;
    s->hash = row->hash;
    return job->out_cap < s->hash->digest_len ? mb_note(MB_TOO_BIG, "output does not fit") : MB_OK;
}

static mb_status start(mb_job *job)
{
    mote_hash_job *s = job->ctx;
    s->hash->start(s->state);
    return MB_OK;
}

static mb_status run(mb_job *job, uint32_t n)
{
    mote_hash_job *s = job->ctx;
    const mote_hash *hash = s->hash;
    for (uint32_t i = 0; i < n; i++) {
        hash->start(s->state);
        hash->update(s->state, job->in, job->in_len);
        hash->finish(s->state, job->out);
    }
    job->out_len = hash->digest_len;
    return MB_OK;
}

#if MB_STREAMING
static mb_status update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    mote_hash_job *s = job->ctx;
    (void)out, (void)out_len;
    s->hash->update(s->state, in, in_len);
    return MB_OK;
}

static mb_status final(mb_job *job, uint8_t *out, size_t *out_len)
{
    mote_hash_job *s = job->ctx;
    s->hash->finish(s->state, out);
    *out_len = s->hash->digest_len;
    return MB_OK;
}
#endif

const mb_kind mote_digest_kind = {
    .open = open_job, .start = start, .run = run, .update = MB_IF_STREAMING(update),
    .final = MB_IF_STREAMING(final), .close = mote_close};

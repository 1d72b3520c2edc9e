/* Hash functions. */
#include "mote_adapter.h"

static mb_status whole(mb_job *job)
{
    mote_hash_job *s = job->ctx;
    const mote_hash *hash = s->hmac.hash;
    hash->start(s->state);
    hash->update(s->state, job->message, job->message_len);
    hash->finish(s->state, job->out);
    return MB_OK;
}

MB_REPEAT(all, whole)

#if MB_STREAMING
static mb_status begin(mb_job *job)
{
    mote_hash_job *s = job->ctx;
    s->hmac.hash->start(s->state);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    mote_hash_job *s = job->ctx;
    s->hmac.hash->update(s->state, in, len);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    mote_hash_job *s = job->ctx;
    s->hmac.hash->finish(s->state, out);
    return MB_OK;
}
#endif

static mb_status open_job(mb_job *job)
{
    static const mb_hashing how = {
        .whole = all,
        .begin = MB_IF_STREAMING(begin),
        .update = MB_IF_STREAMING(update),
        .finish = MB_IF_STREAMING(finish)};
    mote_hash_job *s = job->ctx;
    const mote_row *row = job->scheme->param;
    s->hmac.hash = row->hash;
    return mb_hash_open(job, &how);
}

const mb_kind mote_digest_kind = {
    .open = open_job,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = MB_IF_STREAMING(mb_hash_update),
    .final = MB_IF_STREAMING(mb_hash_final),
    .close = mote_close,
};

/* HMAC. */
#include "mote_adapter.h"

static mb_status set_key(mb_job *job)
{
    mote_hash_job *s = job->ctx;
    const mote_row *row = job->scheme->param;
    mote_hmac_set_key(&s->hmac, row->hash, s->state, job->key, job->key_len);
    return MB_OK;
}

static mb_status begin(mb_job *job)
{
    mote_hash_job *s = job->ctx;
    mote_hmac_start(&s->hmac);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    mote_hash_job *s = job->ctx;
    mote_hmac_update(&s->hmac, in, len);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    mote_hash_job *s = job->ctx;
    mote_hmac_finish(&s->hmac, out);
    return MB_OK;
}

MB_REPEAT(keys, set_key)
MB_HASH_WHOLE(all, begin, update, finish)

static mb_status open_job(mb_job *job)
{
    static const mb_hashing how = {
        .set_key = set_key,
        .set_keys = keys,
        .whole = all,
        .begin = MB_IF_STREAMING(begin),
        .update = MB_IF_STREAMING(update),
        .finish = MB_IF_STREAMING(finish)};
    return mb_mac_open(job, &how);
}

const mb_kind mote_hmac_kind = {
    .open = open_job,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = MB_IF_STREAMING(mb_hash_update),
    .final = MB_IF_STREAMING(mb_hash_final),
    .close = mote_close,
};

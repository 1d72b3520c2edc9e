/* GMAC (SP 800-38D) of our block ciphers. The nonce is part of each message. */
#include "mote_adapter.h"

static mb_status set_key(mb_job *job)
{
    mote_gmac_job *s = job->ctx;
    const mote_row *row = job->scheme->param;
    row->block->set_key(s->schedule, job->key);
    mote_gmac_bind(&s->gmac, row->block, s->schedule);
    return MB_OK;
}

static mb_status begin(mb_job *job)
{
    mote_gmac_job *s = job->ctx;
    mote_gmac_start(&s->gmac, job->nonce);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    mote_gmac_job *s = job->ctx;
    mote_gmac_update(&s->gmac, in, len);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    mote_gmac_job *s = job->ctx;
    mote_gmac_finish(&s->gmac, out);
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
    const mb_status status = mb_mac_open(job, &how);
    return status == MB_OK && job->op != MB_KEY_SETUP ? mb_check_lengths(job, true) : status;
}

const mb_kind mote_gmac_kind = {
    .open = open_job,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = MB_IF_STREAMING(mb_hash_update),
    .final = MB_IF_STREAMING(mb_hash_final),
    .close = mote_close,
};

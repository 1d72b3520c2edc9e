/* CMAC (SP 800-38B) of our block ciphers. */
#include "../modes/cmac.h"

#include <string.h>

#include "mote_adapter.h"

static mb_status set_key(mb_job *job)
{
    mote_cmac_job *s = job->ctx;
    const mote_row *row = job->scheme->param;
    row->block->set_key(s->schedule, job->key);
    mote_cmac_subkey(row->block, s->schedule, s->twice);
    return MB_OK;
}

static mb_status begin(mb_job *job)
{
    mote_cmac_job *s = job->ctx;
    const mote_row *row = job->scheme->param;
    /* mote_cmac_start would put EAX's block in front. */
    s->cmac.cipher = row->block;
    s->cmac.schedule = s->schedule;
    memset(s->cmac.mac, 0, sizeof s->cmac.mac);
    s->cmac.at = 0;
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    mote_cmac_job *s = job->ctx;
    mote_cmac_update(&s->cmac, in, len);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    mote_cmac_job *s = job->ctx;
    mote_cmac_finish(&s->cmac, s->twice);
    memcpy(out, s->cmac.mac, s->cmac.cipher->block_len);
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

const mb_kind mote_cmac_kind = {
    .open = open_job,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = MB_IF_STREAMING(mb_hash_update),
    .final = MB_IF_STREAMING(mb_hash_final),
    .close = mote_close,
};

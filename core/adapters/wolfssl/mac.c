/*
 * HMAC.
 *
 * What is timed, MAC: wc_HmacUpdate and wc_HmacFinal on a context that has its key (the library hashes the padded key
 * anew for each message); KEY_SETUP: wc_HmacSetKey.
 */
#include "ws.h"

static int set_key(const mb_job *job)
{
    const ws_mac *mac = job->scheme->param;
    return wc_HmacSetKey(job->ctx, mac->hash, ws_bytes(job->key), (word32)job->key_len);
}

static mb_status mac_open(mb_job *job)
{
    const ws_mac *mac = job->scheme->param;
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    if (job->out_cap < mac->out_len)
        return mb_note(MB_TOO_BIG, "output does not fit");
    int err = wc_HmacInit(job->ctx, NULL, INVALID_DEVID);
    return ws_check(err ? err : set_key(job));
}

/* There is no call that drops an unfinished message and keeps the key. */
static mb_status mac_start(mb_job *job)
{
    return ws_check(set_key(job));
}

static mb_status mac_run(mb_job *job, uint32_t n)
{
    const ws_mac *mac = job->scheme->param;
    const uint8_t *in = ws_bytes(job->in);
    Hmac *hmac = job->ctx;
    int err = 0;
    if (job->op == MB_KEY_SETUP) {
        for (uint32_t i = 0; i < n && !err; i++)
            err = set_key(job);
        job->out_len = 0;
        return ws_check(err);
    }
    for (uint32_t i = 0; i < n && !err; i++) {
        err = wc_HmacUpdate(hmac, in, (word32)job->in_len);
        if (!err)
            err = wc_HmacFinal(hmac, job->out);
    }
    job->out_len = mac->out_len;
    return ws_check(err);
}

static mb_status mac_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)out;
    *out_len = 0;
    return ws_check(wc_HmacUpdate(job->ctx, in, (word32)in_len));
}

static mb_status mac_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const ws_mac *mac = job->scheme->param;
    *out_len = mac->out_len;
    return ws_check(wc_HmacFinal(job->ctx, out));
}

static void mac_close(mb_job *job)
{
    wc_HmacFree(job->ctx);
}

const mb_kind ws_mac_kind = {
    .open = mac_open,
    .start = mac_start,
    .run = mac_run,
    .update = mac_update,
    .final = mac_final,
    .close = mac_close,
};

/*
 * HMAC.
 *
 * What is timed: MAC: hmac_init, hmac_process, hmac_done. The library takes the key at the beginning of each message and
 * forgets it at the end, so its schedule is part of every message and KEY_SETUP is not offered.
 */
#include "lt.h"

typedef struct mac_state {
    hmac_state hmac;
    int hash;     /* the library's index of it */
    bool started; /* hmac holds memory */
} mac_state;

_Static_assert(sizeof(mac_state) <= sizeof(lt_state), "ctx_size is that of the largest");

static mb_status begin(mb_job *job, mac_state *s)
{
    mb_status status = lt_check(hmac_init(&s->hmac, s->hash, job->key, job->key_len));
    s->started = status == MB_OK;
    return status;
}

/* Also after a failure: hmac_done is what gives the memory back. */
static mb_status finish(const lt_digest *digest, mac_state *s, uint8_t *out)
{
    unsigned long len = digest->out_len;
    s->started = false;
    return lt_check(hmac_done(&s->hmac, out, &len));
}

static mb_status mac_open(mb_job *job)
{
    const lt_digest *digest = job->scheme->param;
    mac_state *s = job->ctx;
    s->hash = find_hash(digest->descriptor->name);
    if (job->out_cap < digest->out_len)
        return mb_note(MB_TOO_BIG, "output does not fit");
    return mb_check_lengths(job, false);
}

static mb_status mac_once(mb_job *job, mac_state *s)
{
    mb_status status = begin(job, s);
    if (status == MB_OK)
        status = lt_check(hmac_process(&s->hmac, job->in, job->in_len));
    return status == MB_OK ? finish(job->scheme->param, s, job->out) : status;
}

static mb_status mac_run(mb_job *job, uint32_t n)
{
    const lt_digest *digest = job->scheme->param;
    mb_status status = MB_OK;
    for (uint32_t i = 0; i < n && status == MB_OK; i++)
        status = mac_once(job, job->ctx);
    job->out_len = digest->out_len;
    return status;
}

static mb_status mac_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    mac_state *s = job->ctx;
    (void)out;
    *out_len = 0;
    mb_status status = s->started ? MB_OK : begin(job, s);
    return status == MB_OK ? lt_check(hmac_process(&s->hmac, in, in_len)) : status;
}

static mb_status mac_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const lt_digest *digest = job->scheme->param;
    mac_state *s = job->ctx;
    *out_len = digest->out_len;
    mb_status status = s->started ? MB_OK : begin(job, s);
    return status == MB_OK ? finish(digest, s, out) : status;
}

static void mac_close(mb_job *job)
{
    mac_state *s = job->ctx;
    uint8_t unwanted[MAXBLOCKSIZE];
    if (s->started)
        (void)finish(job->scheme->param, s, unwanted);
}

const mb_kind lt_mac_kind = {
    .open = mac_open,
    .run = mac_run,
    .update = mac_update,
    .final = mac_final,
    .close = mac_close,
};

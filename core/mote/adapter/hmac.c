/* HMAC. */
#include "mote_adapter.h"

static void set_key(const mb_job *job)
{
    mote_hash_job *s = job->ctx;
    mote_hmac_set_key(&s->hmac, s->hash, s->state, job->key, job->key_len);
}

static mb_status open_job(mb_job *job)
{
    mote_hash_job *s = job->ctx;
    const mote_row *row = job->scheme->param;
    s->hash = row->hash;
    if (job->out_cap < s->hash->digest_len)
        return mb_note(MB_TOO_BIG, "output does not fit");
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        set_key(job);
    return status;
}

static mb_status start(mb_job *job)
{
    mote_hash_job *s = job->ctx;
    mote_hmac_start(&s->hmac);
    return MB_OK;
}

static mb_status run(mb_job *job, uint32_t n)
{
    mote_hash_job *s = job->ctx;
    if (job->op == MB_KEY_SETUP) {
        for (uint32_t i = 0; i < n; i++)
            set_key(job);
        return MB_OK;
    }
    for (uint32_t i = 0; i < n; i++) {
        mote_hmac_start(&s->hmac);
        mote_hmac_update(&s->hmac, job->in, job->in_len);
        mote_hmac_finish(&s->hmac, job->out);
    }
    job->out_len = s->hash->digest_len;
    return MB_OK;
}

#if MB_STREAMING
static mb_status update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    mote_hash_job *s = job->ctx;
    (void)out, (void)out_len;
    mote_hmac_update(&s->hmac, in, in_len);
    return MB_OK;
}

static mb_status final(mb_job *job, uint8_t *out, size_t *out_len)
{
    mote_hash_job *s = job->ctx;
    mote_hmac_finish(&s->hmac, out);
    *out_len = s->hash->digest_len;
    return MB_OK;
}
#endif

const mb_kind mote_hmac_kind = {
    .open = open_job, .start = start, .run = run, .update = MB_IF_STREAMING(update),
    .final = MB_IF_STREAMING(final), .close = mote_close};

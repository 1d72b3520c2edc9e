/* Stream ciphers. */
#include "mote_adapter.h"

static mb_status set_key(mb_job *job)
{
    mote_cipher_job *s = job->ctx;
    s->row->stream->set_key(s->state, job->key);
    return MB_OK;
}

static mb_status begin(mb_job *job, size_t len)
{
    mote_cipher_job *s = job->ctx;
    (void)len;
    s->row->stream->start(s->state, job->nonce, (uint8_t)job->nonce_len);
    return MB_OK;
}

static mb_status process(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    mote_cipher_job *s = job->ctx;
    s->row->stream->process(s->state, in, out, len);
    return MB_OK;
}

static mb_status open_job(mb_job *job)
{
    mote_cipher_job *s = job->ctx;
    s->row = job->scheme->param;
    s->how = (mb_steps){
        .set_key = set_key,
        .begin = begin,
        .encrypt = process,
        .decrypt = process,
        .direct = s->row->stream->process,
        .direct_state = s->state,
        .block = (uint8_t)job->scheme->block};
    mb_status status = mb_steps_open(job, &s->how);
    if (status == MB_OK && job->op != MB_KEY_SETUP && job->nonce_len != s->row->stream->nonce_min &&
        job->nonce_len != s->row->stream->nonce_max)
        return mb_note(MB_UNSUPPORTED, "nonce length is not offered");
    return status;
}

const mb_kind mote_stream_kind = {
    .open = open_job,
    .start = mb_steps_start,
    .run = mb_drive_run,
    .update = MB_IF_STREAMING(mb_steps_update),
    .final = MB_IF_STREAMING(mb_steps_final),
    .close = mote_close,
};

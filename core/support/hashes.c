#include "support/hashes.h"

#include "support/kind.h"

mb_status mb_hash_open(mb_job *job, const mb_hashing *how)
{
    mb_hash_state *state = job->ctx;
#if MB_STREAMING
    state->how = how;
#endif
    return mb_drive(job, job->op == MB_KEY_SETUP ? how->set_keys : how->whole);
}

mb_status mb_mac_open(mb_job *job, const mb_hashing *how)
{
    mb_status status = mb_hash_open(job, how);
    if (status == MB_OK)
        status = mb_check_lengths(job, false);
    return status == MB_OK && how->set_key != NULL ? how->set_key(job) : status;
}

mb_status mb_hash_start(mb_job *job)
{
    if (job->op == MB_KEY_SETUP)
        return MB_OK;
    job->out_len = job->scheme->tag_max;
#if MB_STREAMING
    const mb_hash_state *state = job->ctx;
    if (state->how->begin != NULL)
        return state->how->begin(job);
#endif
    return MB_OK;
}

#if MB_STREAMING

mb_status mb_hash_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                         size_t *out_len)
{
    const mb_hash_state *state = job->ctx;
    (void)out;
    *out_len = 0;
    return state->how->update(job, in, in_len);
}

mb_status mb_hash_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const mb_hash_state *state = job->ctx;
    *out_len = job->scheme->tag_max;
    return state->how->finish(job, out);
}

#endif

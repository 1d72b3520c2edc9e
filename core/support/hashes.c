#include "support/hashes.h"

#include "support/kind.h"

mb_status mb_hash_open(mb_job *job, const mb_hashing *how, size_t out_len)
{
    mb_hash_state *state = job->ctx;
    state->how = how;
    state->out_len = out_len;
    if (job->out_cap < out_len)
        return mb_note(MB_TOO_BIG, "output does not fit");
    mb_status status = mb_drive(job, job->op == MB_KEY_SETUP ? how->set_keys : how->whole);
    if (status != MB_OK || job->op == MB_DIGEST)
        return status;
    status = mb_check_lengths(job, false);
    return status == MB_OK && how->set_key != NULL ? how->set_key(job) : status;
}

mb_status mb_hash_start(mb_job *job)
{
    const mb_hash_state *state = job->ctx;
    job->out_len = job->op == MB_KEY_SETUP ? 0 : state->out_len;
    if (job->op == MB_KEY_SETUP || state->how->begin == NULL)
        return MB_OK;
    return state->how->begin(job);
}

mb_status mb_hash_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    const mb_hash_state *state = job->ctx;
    (void)out;
    *out_len = 0;
    return state->how->update(job, in, in_len);
}

mb_status mb_hash_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const mb_hash_state *state = job->ctx;
    *out_len = state->out_len;
    return state->how->finish(job, out);
}

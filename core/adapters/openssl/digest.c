/*
 * Hashes. DIGEST is one EVP_Digest call with a digest fetched beforehand, as `openssl speed -evp`
 * does; it makes and frees its context itself. The extendable-output functions SHAKE need
 * EVP_DigestFinalXOF to be told the length, so theirs is init, update, final on a context that is
 * kept.
 */
#include "openssl_adapter.h"

int mbo_digest_available(const mbo_detail *detail)
{
    EVP_MD *md = EVP_MD_fetch(NULL, detail->fetch, NULL);

    EVP_MD_free(md);
    return md != NULL;
}

static mb_status begin(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    return mbo_check(EVP_DigestInit_ex2(state->md_ctx, state->md, NULL));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    return mbo_check(EVP_DigestUpdate(mbo_state_of(job)->md_ctx, in, len));
}

static mb_status finish_fixed(mb_job *job, uint8_t *out)
{
    return mbo_check(EVP_DigestFinal_ex(mbo_state_of(job)->md_ctx, out, NULL));
}

static mb_status finish_extendable(mb_job *job, uint8_t *out)
{
    return mbo_check(
        EVP_DigestFinalXOF(mbo_state_of(job)->md_ctx, out, mbo_detail_of(job)->out_len));
}

static mb_status whole_fixed(mb_job *job)
{
    return mbo_check(
        EVP_Digest(job->message, job->message_len, job->out, NULL, mbo_state_of(job)->md, NULL));
}

static mb_status whole_extendable(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    return mbo_check(EVP_DigestInit_ex2(state->md_ctx, state->md, NULL) == 1 &&
                     EVP_DigestUpdate(state->md_ctx, job->message, job->message_len) == 1 &&
                     EVP_DigestFinalXOF(state->md_ctx, job->out, mbo_detail_of(job)->out_len) == 1);
}

MB_REPEAT(all_fixed, whole_fixed)
MB_REPEAT(all_extendable, whole_extendable)

static const mb_hashing fixed = {
    .whole = all_fixed, .begin = begin, .update = update, .finish = finish_fixed};
static const mb_hashing extendable = {
    .whole = all_extendable,
    .begin = begin,
    .update = update,
    .finish = finish_extendable,
};

static mb_status digest_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);

    state->md = EVP_MD_fetch(NULL, detail->fetch, NULL);
    state->md_ctx = EVP_MD_CTX_new();
    if (state->md == NULL || state->md_ctx == NULL)
        return mbo_fail();
    return mb_hash_open(job, detail->extendable ? &extendable : &fixed);
}

const mb_kind mbo_digest_kind = {
    .open = digest_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = mbo_close,
};

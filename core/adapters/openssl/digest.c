/*
 * Hashes. DIGEST is one EVP_Digest call with a digest fetched beforehand, as `openssl speed -evp` does; it makes and
 * frees its context itself. The extendable-output functions SHAKE need EVP_DigestFinalXOF to be told the length, so
 * theirs is init, update, final on a context that is kept.
 */
#include "openssl_adapter.h"

static int available(const mbo_detail *detail)
{
    EVP_MD *md = EVP_MD_fetch(NULL, detail->fetch, NULL);

    EVP_MD_free(md);
    return md != NULL;
}

static mb_status digest_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    if (job->out_cap < mbo_detail_of(job)->out_len)
        return MB_TOO_BIG;
    state->md = EVP_MD_fetch(NULL, mbo_detail_of(job)->fetch, NULL);
    state->md_ctx = EVP_MD_CTX_new();
    return state->md != NULL && state->md_ctx != NULL ? MB_OK : mbo_fail();
}

static mb_status digest_start(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    return EVP_DigestInit_ex2(state->md_ctx, state->md, NULL) == 1 ? MB_OK : mbo_fail();
}

static mb_status run_fixed(mb_job *job, uint32_t n)
{
    EVP_MD *md = mbo_state_of(job)->md;

    for (uint32_t i = 0; i < n; i++)
        if (EVP_Digest(job->in, job->in_len, job->out, NULL, md, NULL) != 1)
            return mbo_fail();
    return MB_OK;
}

static mb_status run_extendable(mb_job *job, uint32_t n)
{
    mbo_state *state = mbo_state_of(job);
    size_t out_len = mbo_detail_of(job)->out_len;

    for (uint32_t i = 0; i < n; i++)
        if (EVP_DigestInit_ex2(state->md_ctx, state->md, NULL) != 1
            || EVP_DigestUpdate(state->md_ctx, job->in, job->in_len) != 1
            || EVP_DigestFinalXOF(state->md_ctx, job->out, out_len) != 1)
            return mbo_fail();
    return MB_OK;
}

static mb_status digest_run(mb_job *job, uint32_t n)
{
    const mbo_detail *detail = mbo_detail_of(job);

    job->out_len = detail->out_len;
    return detail->extendable ? run_extendable(job, n) : run_fixed(job, n);
}

static mb_status digest_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)out;
    (void)out_len;
    return EVP_DigestUpdate(mbo_state_of(job)->md_ctx, in, in_len) == 1 ? MB_OK : mbo_fail();
}

static mb_status digest_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const mbo_detail *detail = mbo_detail_of(job);
    EVP_MD_CTX *ctx = mbo_state_of(job)->md_ctx;
    int ok = detail->extendable ? EVP_DigestFinalXOF(ctx, out, detail->out_len) : EVP_DigestFinal_ex(ctx, out, NULL);

    if (ok != 1)
        return mbo_fail();
    *out_len = detail->out_len;
    return MB_OK;
}

const mbo_family mbo_digest_family = {
    .available = available,
    .open = digest_open,
    .start = digest_start,
    .run = digest_run,
    .update = digest_update,
    .final = digest_final,
};

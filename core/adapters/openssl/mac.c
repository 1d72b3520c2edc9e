/*
 * HMAC. The key is set in `open`; MAC is EVP_MAC_init without a key (which starts over with the key it has), update,
 * final. KEY_SETUP is EVP_MAC_init with the key and nothing else: a copy of the key, hashed first if it is longer
 * than a block, and the two hash blocks of the padded key (RFC 2104).
 */
#include <openssl/core_names.h>

#include "openssl_adapter.h"

static int available(const mbo_detail *detail)
{
    EVP_MD *md = EVP_MD_fetch(NULL, detail->hash, NULL);
    EVP_MAC *mac = EVP_MAC_fetch(NULL, detail->fetch, NULL);
    int both = md != NULL && mac != NULL;

    EVP_MD_free(md);
    EVP_MAC_free(mac);
    return both;
}

static mb_status mac_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    /* OSSL_PARAM has no const; OpenSSL only reads a parameter that is set. */
    OSSL_PARAM params[2] = { OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)detail->hash, 0),
                             OSSL_PARAM_construct_end() };

    if (job->out_cap < detail->out_len)
        return MB_TOO_BIG;
    state->mac = EVP_MAC_fetch(NULL, detail->fetch, NULL);
    state->mac_ctx = state->mac != NULL ? EVP_MAC_CTX_new(state->mac) : NULL;
    if (state->mac_ctx == NULL || EVP_MAC_init(state->mac_ctx, state->key_bytes, job->key_len, params) != 1)
        return mbo_fail();
    return MB_OK;
}

static mb_status mac_start(mb_job *job)
{
    if (job->op == MB_KEY_SETUP)
        return MB_OK;
    return EVP_MAC_init(mbo_state_of(job)->mac_ctx, NULL, 0, NULL) == 1 ? MB_OK : mbo_fail();
}

static mb_status set_up_keys(mb_job *job, uint32_t n)
{
    mbo_state *state = mbo_state_of(job);

    for (uint32_t i = 0; i < n; i++)
        if (EVP_MAC_init(state->mac_ctx, state->key_bytes, job->key_len, NULL) != 1)
            return mbo_fail();
    return MB_OK;
}

static mb_status run_macs(mb_job *job, uint32_t n)
{
    EVP_MAC_CTX *ctx = mbo_state_of(job)->mac_ctx;

    for (uint32_t i = 0; i < n; i++)
        if (EVP_MAC_init(ctx, NULL, 0, NULL) != 1 || EVP_MAC_update(ctx, job->in, job->in_len) != 1
            || EVP_MAC_final(ctx, job->out, &job->out_len, job->out_cap) != 1)
            return mbo_fail();
    return MB_OK;
}

static mb_status mac_run(mb_job *job, uint32_t n)
{
    job->out_len = 0;
    return job->op == MB_KEY_SETUP ? set_up_keys(job, n) : run_macs(job, n);
}

static mb_status mac_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)out;
    (void)out_len;
    return EVP_MAC_update(mbo_state_of(job)->mac_ctx, in, in_len) == 1 ? MB_OK : mbo_fail();
}

static mb_status mac_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    if (EVP_MAC_final(mbo_state_of(job)->mac_ctx, out, out_len, mbo_detail_of(job)->out_len) != 1)
        return mbo_fail();
    return MB_OK;
}

const mbo_family mbo_mac_family = {
    .available = available,
    .open = mac_open,
    .start = mac_start,
    .run = mac_run,
    .update = mac_update,
    .final = mac_final,
};

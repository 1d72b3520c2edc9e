/*
 * HMAC, CMAC, GMAC and KMAC. The key is set in `open`; MAC is EVP_MAC_init without a key (which
 * starts over with the key it has), update, final. KEY_SETUP is EVP_MAC_init with the key and
 * nothing else: a copy of the key, hashed first if it is longer than a block, and the two hash
 * blocks of the padded key (RFC 2104); CMAC: key schedule and subkeys; GMAC: key schedule and hash
 * key; KMAC: the padded key. GMAC gets its nonce with EVP_MAC_init.
 */
#include <openssl/core_names.h>

#include "openssl_adapter.h"

int mbo_mac_available(const mbo_detail *detail)
{
    EVP_MD *md = detail->hash != NULL ? EVP_MD_fetch(NULL, detail->hash, NULL) : NULL;
    EVP_CIPHER *cipher = detail->inner != NULL ? EVP_CIPHER_fetch(NULL, detail->inner, NULL) : NULL;
    EVP_MAC *mac = EVP_MAC_fetch(NULL, detail->fetch, NULL);
    int all = mac != NULL && (detail->hash == NULL || md != NULL) &&
              (detail->inner == NULL || cipher != NULL);

    EVP_MD_free(md);
    EVP_CIPHER_free(cipher);
    EVP_MAC_free(mac);
    return all;
}

static mb_status set_key(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    return mbo_check(EVP_MAC_init(state->mac_ctx, state->key_bytes, job->key_len, NULL));
}

/*
 * Starts over with the key that the context has; OSSL_PARAM has no const, OpenSSL only reads the
 * nonce.
 */
static int start_over(mb_job *job)
{
    EVP_MAC_CTX *ctx = mbo_state_of(job)->mac_ctx;
    OSSL_PARAM params[2] = {OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};

    if (job->scheme->nonce_max == 0)
        return EVP_MAC_init(ctx, NULL, 0, NULL);
    params[0] = OSSL_PARAM_construct_octet_string(
        OSSL_MAC_PARAM_IV, (void *)(uintptr_t)job->nonce, job->nonce_len);
    return EVP_MAC_init(ctx, NULL, 0, params);
}

static mb_status begin(mb_job *job)
{
    return mbo_check(start_over(job));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    return mbo_check(EVP_MAC_update(mbo_state_of(job)->mac_ctx, in, len));
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    size_t len;

    return mbo_check(
        EVP_MAC_final(mbo_state_of(job)->mac_ctx, out, &len, mbo_detail_of(job)->out_len));
}

static mb_status whole(mb_job *job)
{
    EVP_MAC_CTX *ctx = mbo_state_of(job)->mac_ctx;

    return mbo_check(start_over(job) == 1 &&
                     EVP_MAC_update(ctx, job->message, job->message_len) == 1 &&
                     EVP_MAC_final(ctx, job->out, &job->out_len, job->out_cap) == 1);
}

MB_REPEAT(set_keys, set_key)
MB_REPEAT(all, whole)

static const mb_hashing how = {
    .set_key = set_key,
    .set_keys = set_keys,
    .whole = all,
    .begin = begin,
    .update = update,
    .finish = finish,
};

static mb_status mac_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    /* OSSL_PARAM has no const; OpenSSL only reads a parameter that is set. */
    OSSL_PARAM params[2] = {OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};

    if (detail->hash != NULL)
        params[0] =
            OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)detail->hash, 0);
    else if (detail->inner != NULL)
        params[0] =
            OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, (char *)detail->inner, 0);

    state->mac = EVP_MAC_fetch(NULL, detail->fetch, NULL);
    state->mac_ctx = state->mac != NULL ? EVP_MAC_CTX_new(state->mac) : NULL;
    if (state->mac_ctx == NULL || EVP_MAC_CTX_set_params(state->mac_ctx, params) != 1)
        return mbo_fail();
    mb_status status = mb_mac_open(job, &how);
    return status == MB_OK && job->op != MB_KEY_SETUP ? mb_check_lengths(job, true) : status;
}

const mb_kind mbo_mac_kind = {
    .open = mac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = mbo_close,
};

/*
 * AES-GMAC: the library's GCM with additional data and no text.
 *
 * Timed for MAC: mbedtls_gcm_crypt_and_tag; KEY_SETUP: mbedtls_gcm_setkey. Files are not
 * offered, since the library takes additional data in one call.
 */
#include "mbedtls_adapter.h"

typedef struct gmac_job {
    mb_hash_state hash; /* first: see support/hashes.h */
    mbedtls_gcm_context gcm;
} gmac_job;

_Static_assert(sizeof(gmac_job) <= sizeof(adapter_state), "ctx_size is that of the largest");

static mb_status set_key(mb_job *job)
{
    gmac_job *s = job->ctx;
    return adapter_check(
        mbedtls_gcm_setkey(&s->gcm, MBEDTLS_CIPHER_ID_AES, job->key, (unsigned)job->key_len * 8));
}

static mb_status whole(mb_job *job)
{
    gmac_job *s = job->ctx;
    return adapter_check(mbedtls_gcm_crypt_and_tag(
        &s->gcm, MBEDTLS_GCM_ENCRYPT, 0, job->nonce, job->nonce_len, job->message, job->message_len,
        NULL, NULL, job->scheme->tag_max, job->out));
}

MB_REPEAT(keys, set_key)
MB_REPEAT(all, whole)

static mb_status gmac_open(mb_job *job)
{
    static const mb_hashing how = {.set_key = set_key, .set_keys = keys, .whole = all};
    gmac_job *s = job->ctx;
    mbedtls_gcm_init(&s->gcm);
    const mb_status status = mb_mac_open(job, &how);
    return status == MB_OK && job->op != MB_KEY_SETUP ? mb_check_lengths(job, true) : status;
}

static void gmac_close(mb_job *job)
{
    gmac_job *s = job->ctx;
    mbedtls_gcm_free(&s->gcm);
}

const mb_kind adapter_gmac_kind = {
    .open = gmac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .close = gmac_close,
};

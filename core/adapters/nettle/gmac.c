/*
 * AES-GMAC: the library's GCM with additional data and no text.
 *
 * Timed for MAC: gcm_aes128_set_iv, update and digest; KEY_SETUP: gcm_aes128_set_key. Files
 * are not offered, since the library takes additional data in whole blocks up to the last call.
 */
#include "nettle_adapter.h"

#include <nettle/gcm.h>

typedef struct gmac_job {
    mb_hash_state hash; /* first: see support/hashes.h */
    union {
        struct gcm_aes128_ctx aes128;
        struct gcm_aes192_ctx aes192;
        struct gcm_aes256_ctx aes256;
    };
} gmac_job;

_Static_assert(sizeof(gmac_job) <= sizeof(adapter_cipher_ctx), "ctx_size is that of the largest");

/* The steps for one length of the key. */
#define STEPS(aes)                                                            \
    static mb_status aes##_set_key(mb_job *job)                               \
    {                                                                         \
        gmac_job *s = job->ctx;                                               \
        gcm_##aes##_set_key(&s->aes, job->key);                               \
        return MB_OK;                                                         \
    }                                                                         \
    static mb_status aes##_begin(mb_job *job)                                 \
    {                                                                         \
        gmac_job *s = job->ctx;                                               \
        gcm_##aes##_set_iv(&s->aes, job->nonce_len, job->nonce);              \
        return MB_OK;                                                         \
    }                                                                         \
    static mb_status aes##_update(mb_job *job, const uint8_t *in, size_t len) \
    {                                                                         \
        gmac_job *s = job->ctx;                                               \
        gcm_##aes##_update(&s->aes, len, in);                                 \
        return MB_OK;                                                         \
    }                                                                         \
    static mb_status aes##_finish(mb_job *job, uint8_t *out)                  \
    {                                                                         \
        gmac_job *s = job->ctx;                                               \
        gcm_##aes##_digest(&s->aes, job->scheme->tag_max, out);               \
        return MB_OK;                                                         \
    }                                                                         \
    MB_REPEAT(aes##_keys, aes##_set_key)                                      \
    MB_HASH_WHOLE(aes##_all, aes##_begin, aes##_update, aes##_finish)
STEPS(aes128)
STEPS(aes192)
STEPS(aes256)

static mb_status gmac_open(mb_job *job)
{
    static const mb_hashing with_128 = {
        .set_key = aes128_set_key, .set_keys = aes128_keys, .whole = aes128_all};
    static const mb_hashing with_192 = {
        .set_key = aes192_set_key, .set_keys = aes192_keys, .whole = aes192_all};
    static const mb_hashing with_256 = {
        .set_key = aes256_set_key, .set_keys = aes256_keys, .whole = aes256_all};
    const uint16_t key = job->scheme->key_min;
    const mb_status status =
        mb_mac_open(job, key == 16   ? &with_128
                         : key == 24 ? &with_192
                                     : &with_256);
    return status == MB_OK && job->op != MB_KEY_SETUP ? mb_check_lengths(job, true) : status;
}

const mb_kind adapter_gmac_kind = {
    .open = gmac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
};

/*
 * AES-CMAC (the library's OMAC) and AES-GMAC (its GCM without a text).
 *
 * Timed: MAC: omac_init, omac_process, omac_done: the library takes the key at the
 * beginning of each message, so its schedule is part of every message and KEY_SETUP is not offered.
 * GMAC: gcm_reset, gcm_add_iv, gcm_add_aad, gcm_process of nothing, gcm_done; KEY_SETUP: gcm_init.
 */
#include "libtomcrypt_adapter.h"

typedef struct cmac_job {
    mb_hash_state state; /* first: see support/hashes.h */
    omac_state omac;
    int cipher; /* the library's index of it */
} cmac_job;

typedef struct gmac_job {
    mb_hash_state state;
    gcm_state gcm;
    int cipher;
} gmac_job;

_Static_assert(sizeof(cmac_job) <= sizeof(adapter_state), "ctx_size is that of the largest");
_Static_assert(sizeof(gmac_job) <= sizeof(adapter_state), "ctx_size is that of the largest");

static mb_status cmac_begin(mb_job *job)
{
    cmac_job *s = job->ctx;
    return adapter_check(omac_init(&s->omac, s->cipher, job->key, job->key_len));
}

static mb_status cmac_update(mb_job *job, const uint8_t *in, size_t len)
{
    cmac_job *s = job->ctx;
    return len == 0 ? MB_OK : adapter_check(omac_process(&s->omac, in, len));
}

static mb_status cmac_finish(mb_job *job, uint8_t *out)
{
    cmac_job *s = job->ctx;
    unsigned long len = job->scheme->tag_max;
    return adapter_check(omac_done(&s->omac, out, &len));
}

MB_HASH_WHOLE(cmac_all, cmac_begin, cmac_update, cmac_finish)

static mb_status cmac_open(mb_job *job)
{
    static const mb_hashing how = {
        .whole = cmac_all, .begin = cmac_begin, .update = cmac_update, .finish = cmac_finish};
    cmac_job *s = job->ctx;
    s->cipher = find_cipher("aes");
    return mb_mac_open(job, &how);
}

static mb_status gmac_key(mb_job *job)
{
    gmac_job *s = job->ctx;
    return adapter_check(gcm_init(&s->gcm, s->cipher, job->key, (int)job->key_len));
}

static mb_status gmac_begin(mb_job *job)
{
    gmac_job *s = job->ctx;
    const int code = gcm_reset(&s->gcm);
    return adapter_check(code != CRYPT_OK ? code : gcm_add_iv(&s->gcm, job->nonce, job->nonce_len));
}

/*
 * The call is due also where the message is empty: without it, the library does not take the nonce.
 */
static mb_status gmac_update(mb_job *job, const uint8_t *in, size_t len)
{
    gmac_job *s = job->ctx;
    return adapter_check(gcm_add_aad(&s->gcm, in, len));
}

static mb_status gmac_finish(mb_job *job, uint8_t *out)
{
    gmac_job *s = job->ctx;
    unsigned long len = job->scheme->tag_max;
    const int code = gcm_process(&s->gcm, NULL, 0, NULL, GCM_ENCRYPT);
    return adapter_check(code != CRYPT_OK ? code : gcm_done(&s->gcm, out, &len));
}

MB_REPEAT(gmac_keys, gmac_key)
MB_HASH_WHOLE(gmac_all, gmac_begin, gmac_update, gmac_finish)

static mb_status gmac_open(mb_job *job)
{
    static const mb_hashing how = {
        .set_key = gmac_key,
        .set_keys = gmac_keys,
        .whole = gmac_all,
        .begin = gmac_begin,
        .update = gmac_update,
        .finish = gmac_finish};
    gmac_job *s = job->ctx;
    s->cipher = find_cipher("aes");
    const mb_status status = mb_mac_open(job, &how);
    return status == MB_OK && job->op != MB_KEY_SETUP ? mb_check_lengths(job, true) : status;
}

const mb_kind adapter_cmac_kind = {
    .open = cmac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};

const mb_kind adapter_gmac_kind = {
    .open = gmac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};

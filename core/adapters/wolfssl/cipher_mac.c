/*
 * AES-CMAC and AES-GMAC.
 *
 * Timed: CMAC: wc_InitCmac, wc_CmacUpdate, wc_CmacFinal: the library takes the key at the
 * beginning of each message and wipes it at the end, so its schedule is part of every message and
 * KEY_SETUP is not offered. GMAC: wc_GmacUpdate, all of a message in one call, so files are not
 * offered; KEY_SETUP: wc_GmacSetKey.
 */
#include "wolfssl_adapter.h"

static adapter_cipher_mac_state *state_of(const mb_job *job)
{
    return &((adapter_state *)job->ctx)->cipher_mac;
}

#if defined(WOLFSSL_CMAC)
static mb_status begin(mb_job *job)
{
    return adapter_check(
        wc_InitCmac(&state_of(job)->u.cmac, job->key, (word32)job->key_len, WC_CMAC_AES, NULL));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    return adapter_check(wc_CmacUpdate(&state_of(job)->u.cmac, adapter_bytes(in), (word32)len));
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    word32 len = job->scheme->tag_max;
    return adapter_check(wc_CmacFinal(&state_of(job)->u.cmac, out, &len));
}

MB_HASH_WHOLE(cmac_all, begin, update, finish)

static mb_status cmac_open(mb_job *job)
{
    static const mb_hashing how = {
        .whole = cmac_all, .begin = begin, .update = update, .finish = finish};
    return mb_mac_open(job, &how);
}

const mb_kind adapter_cmac_kind = {
    .open = cmac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};
#endif

static mb_status set_key(mb_job *job)
{
    return adapter_check(wc_GmacSetKey(&state_of(job)->u.gmac, job->key, (word32)job->key_len));
}

static mb_status whole(mb_job *job)
{
    return adapter_check(
        wc_GmacUpdate(&state_of(job)->u.gmac, job->nonce, (word32)job->nonce_len, job->message,
                      (word32)job->message_len, job->out, job->scheme->tag_max));
}

MB_REPEAT(keys, set_key)
MB_REPEAT(gmac_all, whole)

static mb_status gmac_open(mb_job *job)
{
    static const mb_hashing how = {.set_key = set_key, .set_keys = keys, .whole = gmac_all};
    mb_status status = adapter_check(wc_AesInit(&state_of(job)->u.gmac.aes, NULL, INVALID_DEVID));
    if (status == MB_OK)
        status = mb_mac_open(job, &how);
    return status == MB_OK && job->op != MB_KEY_SETUP ? mb_check_lengths(job, true) : status;
}

static void gmac_close(mb_job *job)
{
    wc_AesFree(&state_of(job)->u.gmac.aes);
}

const mb_kind adapter_gmac_kind = {
    .open = gmac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .close = gmac_close,
};

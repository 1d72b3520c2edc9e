/*
 * HMAC.
 *
 * Timed for MAC: wc_HmacUpdate and wc_HmacFinal on a context that has its key (the library
 * hashes the padded key anew for each message); KEY_SETUP: wc_HmacSetKey.
 */
#include "wolfssl_adapter.h"

static Hmac *hmac_of(const mb_job *job)
{
    return &((adapter_state *)job->ctx)->mac.hmac;
}

static mb_status set_key(mb_job *job)
{
    const adapter_mac *mac = job->scheme->param;
    return adapter_check(
        wc_HmacSetKey(hmac_of(job), mac->hash, adapter_bytes(job->key), (word32)job->key_len));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    return adapter_check(wc_HmacUpdate(hmac_of(job), adapter_bytes(in), (word32)len));
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    return adapter_check(wc_HmacFinal(hmac_of(job), out));
}

MB_REPEAT(set_keys, set_key)
MB_HASH_WHOLE(all, NULL, update, finish)

/* No call drops an unfinished message and keeps the key: it is set again, before what is timed. */
static mb_status mac_open(mb_job *job)
{
    static const mb_hashing how = {
        .set_key = set_key,
        .set_keys = set_keys,
        .whole = all,
        .begin = set_key,
        .update = update,
        .finish = finish};
    mb_status status = adapter_check(wc_HmacInit(hmac_of(job), NULL, INVALID_DEVID));
    return status == MB_OK ? mb_mac_open(job, &how) : status;
}

static void mac_close(mb_job *job)
{
    wc_HmacFree(hmac_of(job));
}

const mb_kind adapter_mac_kind = {
    .open = mac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = mac_close,
};

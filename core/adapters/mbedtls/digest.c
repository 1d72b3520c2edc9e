/*
 * Hash functions and HMAC.
 *
 * Timed: DIGEST: mbedtls_md, one call for a message in memory; MAC: mbedtls_md_hmac_reset,
 * update, finish on a context that has its key; KEY_SETUP: mbedtls_md_hmac_starts.
 */
#include "mbedtls_adapter.h"

typedef struct digest_state {
    mb_hash_state hash; /* first: see support/hashes.h */
    mbedtls_md_context_t md;
    const mbedtls_md_info_t *info;
} digest_state;

_Static_assert(sizeof(digest_state) <= sizeof(adapter_state), "ctx_size is that of the largest");

static mb_status set_up(mb_job *job, int hmac)
{
    const adapter_digest *digest = job->scheme->param;
    digest_state *s = job->ctx;
    mbedtls_md_init(&s->md);
    s->info = mbedtls_md_info_from_type(digest->md);
    return adapter_check(mbedtls_md_setup(&s->md, s->info, hmac));
}

static void md_close(mb_job *job)
{
    digest_state *s = job->ctx;
    mbedtls_md_free(&s->md);
}

static mb_status digest_begin(mb_job *job)
{
    digest_state *s = job->ctx;
    return adapter_check(mbedtls_md_starts(&s->md));
}

static mb_status digest_update(mb_job *job, const uint8_t *in, size_t len)
{
    digest_state *s = job->ctx;
    return adapter_check(mbedtls_md_update(&s->md, in, len));
}

static mb_status digest_finish(mb_job *job, uint8_t *out)
{
    digest_state *s = job->ctx;
    return adapter_check(mbedtls_md_finish(&s->md, out));
}

static mb_status digest_whole(mb_job *job)
{
    const digest_state *s = job->ctx;
    return adapter_check(mbedtls_md(s->info, job->message, job->message_len, job->out));
}

MB_REPEAT(digest_all, digest_whole)

static mb_status digest_open(mb_job *job)
{
    static const mb_hashing how = {
        .whole = digest_all,
        .begin = digest_begin,
        .update = digest_update,
        .finish = digest_finish};
    mb_status status = set_up(job, 0);
    return status == MB_OK ? mb_hash_open(job, &how) : status;
}

const mb_kind adapter_digest_kind = {
    .open = digest_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = md_close,
};

static mb_status mac_key(mb_job *job)
{
    digest_state *s = job->ctx;
    return adapter_check(mbedtls_md_hmac_starts(&s->md, job->key, job->key_len));
}

static mb_status mac_begin(mb_job *job)
{
    digest_state *s = job->ctx;
    return adapter_check(mbedtls_md_hmac_reset(&s->md));
}

static mb_status mac_update(mb_job *job, const uint8_t *in, size_t len)
{
    digest_state *s = job->ctx;
    return adapter_check(mbedtls_md_hmac_update(&s->md, in, len));
}

static mb_status mac_finish(mb_job *job, uint8_t *out)
{
    digest_state *s = job->ctx;
    return adapter_check(mbedtls_md_hmac_finish(&s->md, out));
}

MB_REPEAT(mac_keys, mac_key)
MB_HASH_WHOLE(mac_all, mac_begin, mac_update, mac_finish)

static mb_status mac_open(mb_job *job)
{
    static const mb_hashing how = {
        .set_key = mac_key,
        .set_keys = mac_keys,
        .whole = mac_all,
        .begin = mac_begin,
        .update = mac_update,
        .finish = mac_finish};
    mb_status status = set_up(job, 1);
    return status == MB_OK ? mb_mac_open(job, &how) : status;
}

const mb_kind adapter_mac_kind = {
    .open = mac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = md_close,
};

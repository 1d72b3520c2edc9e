/*
 * Hash functions and HMAC.
 *
 * What is timed: DIGEST: mbedtls_md, one call for a message in memory; MAC: mbedtls_md_hmac_reset, update, finish on a
 * context that has its key; KEY_SETUP: mbedtls_md_hmac_starts.
 */
#include "mt.h"

typedef struct mt_digest_state {
    mbedtls_md_context_t md;
    const mbedtls_md_info_t *info;
} mt_digest_state;

_Static_assert(sizeof(mt_digest_state) <= sizeof(mt_state), "ctx_size is that of the largest");

static mb_status set_up(mb_job *job, int hmac)
{
    const mt_digest *digest = job->scheme->param;
    mt_digest_state *s = job->ctx;
    mbedtls_md_init(&s->md);
    s->info = mbedtls_md_info_from_type(digest->md);
    if (job->out_cap < mbedtls_md_get_size(s->info))
        return mb_note(MB_TOO_BIG, "output does not fit");
    return mt_check(mbedtls_md_setup(&s->md, s->info, hmac));
}

static void md_close(mb_job *job)
{
    mt_digest_state *s = job->ctx;
    mbedtls_md_free(&s->md);
}

static mb_status digest_open(mb_job *job)
{
    return set_up(job, 0);
}

static mb_status digest_start(mb_job *job)
{
    mt_digest_state *s = job->ctx;
    return mt_check(mbedtls_md_starts(&s->md));
}

static mb_status digest_run(mb_job *job, uint32_t n)
{
    mt_digest_state *s = job->ctx;
    int code = 0;
    for (uint32_t i = 0; i < n && code == 0; i++)
        code = mbedtls_md(s->info, job->in, job->in_len, job->out);
    job->out_len = mbedtls_md_get_size(s->info);
    return mt_check(code);
}

static mb_status digest_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    mt_digest_state *s = job->ctx;
    (void)out;
    *out_len = 0;
    return mt_check(mbedtls_md_update(&s->md, in, in_len));
}

static mb_status digest_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    mt_digest_state *s = job->ctx;
    *out_len = mbedtls_md_get_size(s->info);
    return mt_check(mbedtls_md_finish(&s->md, out));
}

const mb_kind mt_digest_kind = {
    .open = digest_open,
    .start = digest_start,
    .run = digest_run,
    .update = digest_update,
    .final = digest_final,
    .close = md_close,
};

static mb_status mac_open(mb_job *job)
{
    mt_digest_state *s = job->ctx;
    mb_status status = set_up(job, 1);
    if (status == MB_OK)
        status = mb_check_lengths(job, false);
    return status == MB_OK ? mt_check(mbedtls_md_hmac_starts(&s->md, job->key, job->key_len)) : status;
}

static mb_status mac_start(mb_job *job)
{
    mt_digest_state *s = job->ctx;
    return mt_check(mbedtls_md_hmac_reset(&s->md));
}

static int mac_once(mb_job *job, mt_digest_state *s)
{
    int code = mbedtls_md_hmac_reset(&s->md);
    if (code == 0)
        code = mbedtls_md_hmac_update(&s->md, job->in, job->in_len);
    return code == 0 ? mbedtls_md_hmac_finish(&s->md, job->out) : code;
}

static mb_status mac_run(mb_job *job, uint32_t n)
{
    mt_digest_state *s = job->ctx;
    int code = 0;
    if (job->op == MB_KEY_SETUP) {
        for (uint32_t i = 0; i < n && code == 0; i++)
            code = mbedtls_md_hmac_starts(&s->md, job->key, job->key_len);
        job->out_len = 0;
    } else {
        for (uint32_t i = 0; i < n && code == 0; i++)
            code = mac_once(job, s);
        job->out_len = mbedtls_md_get_size(s->info);
    }
    return mt_check(code);
}

static mb_status mac_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    mt_digest_state *s = job->ctx;
    (void)out;
    *out_len = 0;
    return mt_check(mbedtls_md_hmac_update(&s->md, in, in_len));
}

static mb_status mac_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    mt_digest_state *s = job->ctx;
    *out_len = mbedtls_md_get_size(s->info);
    return mt_check(mbedtls_md_hmac_finish(&s->md, out));
}

const mb_kind mt_mac_kind = {
    .open = mac_open,
    .start = mac_start,
    .run = mac_run,
    .update = mac_update,
    .final = mac_final,
    .close = md_close,
};

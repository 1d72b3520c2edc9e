/* The adapter as the probe sees it: sets the library up and passes each call on to the kind of the scheme. */
#include "ws.h"

#include <stdio.h>
#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/wc_port.h>

WC_RNG ws_rng;

static char last_error[160];

mb_status ws_fail(mb_status status, const char *text)
{
    snprintf(last_error, sizeof last_error, "%s", text);
    return status;
}

mb_status ws_check(int err)
{
    if (err == 0)
        return MB_OK;
    snprintf(last_error, sizeof last_error, "wolfCrypt %d: %s", err, wc_GetErrorString(err));
    switch (err) {
    case MEMORY_E:
        return MB_TOO_BIG;
    case AES_GCM_OVERFLOW_E:
    case CHACHA_POLY_OVERFLOW:
    case NOT_COMPILED_IN:
        return MB_UNSUPPORTED;
    default:
        return MB_ERROR;
    }
}

mb_status ws_check_lengths(const mb_job *job, bool nonce)
{
    const mb_scheme *scheme = job->scheme;
    if (job->key_len < scheme->key_min || job->key_len > scheme->key_max)
        return ws_fail(MB_UNSUPPORTED, "key length is not offered");
    if (nonce && (job->nonce_len < scheme->nonce_min || job->nonce_len > scheme->nonce_max))
        return ws_fail(MB_UNSUPPORTED, "nonce length is not offered");
    return MB_OK;
}

static const ws_kind *kind_of(const mb_job *job)
{
    const ws_row *row = job->scheme->param;
    return row->kind;
}

static mb_status init(void)
{
    int err = wolfCrypt_Init();
    if (err == 0)
        err = wc_InitRng_ex(&ws_rng, NULL, INVALID_DEVID);
    if (err)
        return ws_check(err);
    ws_table_fill();
    return MB_OK;
}

/* The library does not tell its version at run time below its TLS layer: it is that of the headers. */
static const char *version(void)
{
    return "wolfSSL " LIBWOLFSSL_VERSION_STRING;
}

static mb_status open_job(mb_job *job)
{
    last_error[0] = 0;
    if (!(job->scheme->operations & MB_CAN(job->op)))
        return ws_fail(MB_UNSUPPORTED, "operation is not offered for this scheme");
    if (job->in_len > UINT32_MAX - MB_HELD_MAX || job->aad_len > UINT32_MAX)
        return ws_fail(MB_UNSUPPORTED, "the library takes less than 4 GiB at once");
    mb_status status = kind_of(job)->open(job);
    /* A job that was not opened is not closed by the probe; what was made until then must go. */
    if (status != MB_OK)
        kind_of(job)->close(job);
    return status;
}

static mb_status start(mb_job *job)
{
    return kind_of(job)->start(job);
}

static mb_status run(mb_job *job, uint32_t n)
{
    return kind_of(job)->run(job, n);
}

/* Whether a message can be processed in pieces; else the reason is recorded. */
static bool streams(const mb_job *job)
{
    const unsigned whole = MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_DIGEST) |
                           MB_CAN(MB_MAC) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY);
    if (job->scheme->can_stream && (whole & MB_CAN(job->op)))
        return true;
    (void)ws_fail(MB_UNSUPPORTED, "this operation cannot process a message in pieces");
    return false;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    *out_len = 0;
    return streams(job) ? kind_of(job)->update(job, in, in_len, out, out_len) : MB_UNSUPPORTED;
}

static mb_status final(mb_job *job, uint8_t *out, size_t *out_len)
{
    *out_len = 0;
    return streams(job) ? kind_of(job)->final(job, out, out_len) : MB_UNSUPPORTED;
}

static void close_job(mb_job *job)
{
    kind_of(job)->close(job);
}

static mb_status public_key(mb_job *job)
{
    last_error[0] = 0;
    if (!kind_of(job)->public_key)
        return ws_fail(MB_UNSUPPORTED, "this scheme has no public keys");
    return kind_of(job)->public_key(job);
}

static const char *error(void)
{
    return last_error[0] ? last_error : NULL;
}

const mb_adapter mb_the_adapter = {
    .implementation = "wolfssl",
    .scheme_count = ws_table_count,
    .scheme_at = ws_table_at,
    .ctx_size = sizeof(ws_state),
    .init = init,
    .version = version,
    .open = open_job,
    .start = start,
    .run = run,
    .update = update,
    .final = final,
    .close = close_job,
    .public_key = public_key,
    .error = error,
};

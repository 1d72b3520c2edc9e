/* The adapter as the probe sees it: sets the library up and passes each call on to the kind of the scheme. */
#include "lg.h"

#include <stdio.h>

static char last_error[160];

mb_status lg_fail(mb_status status, const char *text)
{
    snprintf(last_error, sizeof last_error, "%s", text);
    return status;
}

mb_status lg_check(gcry_error_t err)
{
    if (!err)
        return MB_OK;
    snprintf(last_error, sizeof last_error, "%s: %s", gcry_strsource(err), gcry_strerror(err));
    switch (gcry_err_code(err)) {
    case GPG_ERR_INV_LENGTH:
    case GPG_ERR_INV_KEYLEN:
    case GPG_ERR_BUFFER_TOO_SHORT:
    case GPG_ERR_NOT_SUPPORTED:
    case GPG_ERR_UNSUPPORTED_ALGORITHM:
        return MB_UNSUPPORTED;
    case GPG_ERR_ENOMEM:
        return MB_TOO_BIG;
    default:
        return MB_ERROR;
    }
}

mb_status lg_check_lengths(const mb_job *job, bool nonce)
{
    const mb_scheme *scheme = job->scheme;
    if (job->key_len < scheme->key_min || job->key_len > scheme->key_max)
        return lg_fail(MB_UNSUPPORTED, "key length is not offered");
    if (nonce && (job->nonce_len < scheme->nonce_min || job->nonce_len > scheme->nonce_max))
        return lg_fail(MB_UNSUPPORTED, "nonce length is not offered");
    return MB_OK;
}

static const lg_kind *kind_of(const mb_job *job)
{
    const lg_row *row = job->scheme->param;
    return row->kind;
}

/* Secret memory is a few locked pages and not what is compared here; without it keys lie in ordinary memory. */
static mb_status init(void)
{
    if (!gcry_check_version(GCRYPT_VERSION))
        return lg_fail(MB_ERROR, "the library is older than the one this was built for");
    gcry_error_t err = gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    if (!err)
        err = gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    if (err)
        return lg_check(err);
    lg_table_fill();
    return MB_OK;
}

static const char *version(void)
{
    static char text[64];
    snprintf(text, sizeof text, "libgcrypt %s", gcry_check_version(NULL));
    return text;
}

static mb_status open_job(mb_job *job)
{
    last_error[0] = 0;
    if (!(job->scheme->operations & MB_CAN(job->op)))
        return lg_fail(MB_UNSUPPORTED, "operation is not offered for this scheme");
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
    const unsigned operations = MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_DIGEST) |
                                MB_CAN(MB_MAC) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY);
    if (job->scheme->can_stream && (operations & MB_CAN(job->op)))
        return true;
    (void)lg_fail(MB_UNSUPPORTED, "this operation cannot process a message in pieces");
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
        return lg_fail(MB_UNSUPPORTED, "this scheme has no public keys");
    return kind_of(job)->public_key(job);
}

static const char *error(void)
{
    return last_error[0] ? last_error : NULL;
}

const mb_adapter mb_the_adapter = {
    .implementation = "libgcrypt",
    .scheme_count = lg_table_count,
    .scheme_at = lg_table_at,
    .ctx_size = sizeof(lg_cipher_ctx),
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

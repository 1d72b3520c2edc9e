#include "support/kind.h"

#include <string.h>

static mb_text last_error;

mb_status mb_note_text(mb_status status, mb_text text)
{
    last_error = text;
    return status;
}

#ifndef __AVR__
mb_status mb_note_words(mb_status status, const char *words)
{
    static char copy[160];
    size_t len = strlen(words);
    len = len < sizeof copy - 1 ? len : sizeof copy - 1;
    memcpy(copy, words, len);
    copy[len] = 0;
    last_error = len > 0 ? copy : NULL;
    return status;
}
#endif

mb_status mb_check_lengths(const mb_job *job, bool nonce)
{
    const mb_scheme *scheme = job->scheme;
    if (job->key_len < scheme->key_min || job->key_len > scheme->key_max)
        return mb_note(MB_UNSUPPORTED, "key length is not offered");
    if (nonce && (job->nonce_len < scheme->nonce_min || job->nonce_len > scheme->nonce_max))
        return mb_note(MB_UNSUPPORTED, "nonce length is not offered");
    return MB_OK;
}

mb_status mb_tag_length(const mb_job *job, size_t *len)
{
    const mb_scheme *scheme = job->scheme;
    *len = scheme->tag_max;
    if (job->op == MB_DECRYPT_MESSAGE)
        *len = job->tag_len;
    else if (job->op == MB_ENCRYPT_MESSAGE || job->op == MB_ENCRYPT_NEW_KEY)
        *len = job->tag_out_len;
    if (scheme->tag_max > 0 && (*len < scheme->tag_min || *len > scheme->tag_max))
        return mb_note(MB_UNSUPPORTED, "tag length is not offered");
    return MB_OK;
}

static const mb_kind *kind_of(const mb_job *job)
{
    const mb_row *row = job->scheme->param;
    return row->kind;
}

mb_status mb_kind_open(mb_job *job)
{
    last_error = NULL;
    mb_status status = kind_of(job)->open(job);
    /* A job that was not opened is not closed by the probe; what was made until then must go. */
    if (status != MB_OK)
        mb_kind_close(job);
    return status;
}

mb_status mb_kind_start(mb_job *job)
{
    const mb_kind *kind = kind_of(job);
    return kind->start ? kind->start(job) : MB_OK;
}

mb_status mb_kind_run(mb_job *job, uint32_t n)
{
    return kind_of(job)->run(job, n);
}

#if MB_STREAMING

/* True if a message can be streamed; else the reason is recorded. */
static bool streams(const mb_job *job)
{
    const unsigned operations =
        MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_DIGEST) |
        MB_CAN(MB_MAC) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY);
    if (job->scheme->can_stream && (operations & MB_CAN(job->op)))
        return true;
    (void)mb_note(MB_UNSUPPORTED, "this operation cannot be streamed");
    return false;
}

mb_status mb_kind_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                         size_t *out_len)
{
    *out_len = 0;
    return streams(job) ? kind_of(job)->update(job, in, in_len, out, out_len) : MB_UNSUPPORTED;
}

mb_status mb_kind_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    *out_len = 0;
    return streams(job) ? kind_of(job)->final(job, out, out_len) : MB_UNSUPPORTED;
}

#endif

void mb_kind_close(mb_job *job)
{
    const mb_kind *kind = kind_of(job);
    if (kind->close)
        kind->close(job);
}

mb_status mb_kind_public_key(mb_job *job)
{
    last_error = NULL;
    if (!kind_of(job)->public_key)
        return mb_note(MB_UNSUPPORTED, "this scheme has no public keys");
    return kind_of(job)->public_key(job);
}

mb_text mb_kind_error(void)
{
    return last_error;
}

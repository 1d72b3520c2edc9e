#include "support/signatures.h"

#include "support/kind.h"

static const mb_signing *how_of(const mb_job *job)
{
    const mb_sign_state *state = job->ctx;
    return state->how;
}

/* The signed value: the digest, or the message itself. */
static mb_status value_of(mb_job *job, uint8_t digest[MB_SIGN_DIGEST_MAX], const uint8_t **value,
                          size_t *len)
{
    *value = digest;
    if (how_of(job)->hash != NULL)
        return how_of(job)->hash(job, digest, len);
    *len = job->in_len;
    if (job->in_len > 0)
        *value = job->in;
    return MB_OK;
}

static mb_status sign(mb_job *job)
{
    uint8_t digest[MB_SIGN_DIGEST_MAX];
    const uint8_t *value;
    size_t len;
    mb_status status = value_of(job, digest, &value, &len);
    return status == MB_OK ? how_of(job)->sign(job, value, len, job->out, &job->out_len) : status;
}

static mb_status verify(mb_job *job)
{
    uint8_t digest[MB_SIGN_DIGEST_MAX];
    const uint8_t *value;
    size_t len;
    mb_status status = value_of(job, digest, &value, &len);
    return status == MB_OK ? how_of(job)->verify(job, value, len) : status;
}

MB_REPEAT(sign_all, sign)
MB_REPEAT(verify_all, verify)

static mb_status load(mb_job *job, const mb_signing *how, bool secret)
{
    mb_status status = mb_check_lengths(job, false);
    return status == MB_OK ? how->load(job, secret) : status;
}

mb_status mb_sign_open(mb_job *job, const mb_signing *how)
{
    mb_sign_state *state = job->ctx;
    state->how = how;
    if (job->out_cap < how->room)
        return mb_note(MB_TOO_BIG, "output does not fit");
    switch (job->op) {
    case MB_KEYGEN: {
        mb_status status = how->prepare != NULL ? how->prepare(job) : MB_OK;
        return status == MB_OK ? mb_drive(job, how->generate) : status;
    }
    case MB_SIGN:
    case MB_VERIFY: {
        mb_status status = load(job, how, job->op == MB_SIGN);
        return status == MB_OK ? mb_drive(job, job->op == MB_SIGN ? sign_all : verify_all) : status;
    }
    default:
        return mb_note(MB_UNSUPPORTED, "not an operation of signatures");
    }
}

mb_status mb_sign_start(mb_job *job)
{
    const mb_signing *how = how_of(job);
    job->out_len = 0;
    return job->op == MB_KEYGEN || how->begin == NULL ? MB_OK : how->begin(job);
}

mb_status mb_sign_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                         size_t *out_len)
{
    (void)out;
    *out_len = 0;
    return how_of(job)->update(job, in, in_len);
}

mb_status mb_sign_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    uint8_t digest[MB_SIGN_DIGEST_MAX];
    size_t len;
    *out_len = 0;
    mb_status status = how_of(job)->finish(job, digest, &len);
    if (status != MB_OK)
        return status;
    return job->op == MB_SIGN ? how_of(job)->sign(job, digest, len, out, out_len)
                              : how_of(job)->verify(job, digest, len);
}

mb_status mb_sign_public_key(mb_job *job, const mb_signing *how)
{
    mb_sign_state *state = job->ctx;
    state->how = how;
    if (job->out_cap < how->room)
        return mb_note(MB_TOO_BIG, "output does not fit");
    mb_status status = load(job, how, true);
    return status == MB_OK ? how->export_public(job) : status;
}

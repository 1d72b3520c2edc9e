/* Monocypher's X25519. */
#include "public.h"

typedef struct job_state { uint8_t unused; } job_state;

static mb_status open_job(mb_job *job)
{
    if (job->out_cap < LENGTH)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN)
        return MB_OK;
    if (job->peer_len != LENGTH)
        return mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    return mb_check_lengths(job, false);
}

static mb_status agree(mb_job *job)
{
    job->out_len = LENGTH;
    crypto_x25519(job->out, job->key, job->peer);
    return MB_OK;
}

#ifndef MOTE_PICKED
static mb_status generate(mb_job *job)
{
    uint8_t public[LENGTH];
    const mb_status status = draw(job);
    if (status == MB_OK)
        crypto_x25519_public_key(public, job->out);
    return status;
}
#endif

static mb_status run(mb_job *job, uint32_t n)
{
#ifndef MOTE_PICKED
    if (job->op == MB_KEYGEN)
        return mb_repeat(job, n, generate);
#endif
    return mb_repeat(job, n, agree);
}

static mb_status public_key(mb_job *job)
{
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK || job->out_cap < LENGTH)
        return status != MB_OK ? status : mb_note(MB_TOO_BIG, "output does not fit");
    job->out_len = LENGTH;
    crypto_x25519_public_key(job->out, job->key);
    return MB_OK;
}

static const mb_kind x25519_kind = {.open = open_job, .run = run, .public_key = public_key};
static const mb_row x25519_row = {&x25519_kind};
static const mb_scheme schemes[] = {MOTE_PICK(
    x25519, {.name = "x25519",
             .operations = (uint16_t)(MONO_KEYGEN | MB_CAN(MB_AGREE)),
             .key_min = LENGTH,
             .key_max = LENGTH,
             .block = 1,
             .param = &x25519_row})};

MOTE_ADAPTER(monocypher_x25519)
#include "vendor/public_key.h"

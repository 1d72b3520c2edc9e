/*
 * A wrapper of X25519 but for its line MOTE_ADAPTER(symbol): included by one that defines
 * AGREE(secret, private, peer), which returns whether the secret is refused, and PUBLIC(public,
 * private).
 */
#include <string.h>

#include "motebench/adapter.h"
#include "motebench/marks.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

/* A board has no source of randomness: it makes no keys. */
#ifdef MOTE_PICKED
#define OPERATIONS MB_CAN(MB_AGREE)
#else
#define OPERATIONS (MB_CAN(MB_AGREE) | MB_CAN(MB_KEYGEN))
#include <sys/random.h>
#endif

enum { LENGTH = 32 };

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
    return MB_PUBLIC_RESULT(AGREE(job->out, job->key, job->peer))
               ? mb_note(MB_ERROR, "the shared secret is zero: a public key of small order")
               : MB_OK;
}

#ifndef MOTE_PICKED
/* A key pair: 32 random bytes, and the public key of them. */
static mb_status generate(mb_job *job)
{
    uint8_t public[LENGTH];
    job->out_len = LENGTH;
    if (getrandom(job->out, LENGTH, 0) != LENGTH)
        return mb_note(MB_ERROR, "the system has no randomness");
    PUBLIC(public, job->out);
    return MB_OK;
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
    PUBLIC(job->out, job->key);
    job->out_len = LENGTH;
    return MB_OK;
}

static const mb_kind x25519_kind = {.open = open_job, .run = run, .public_key = public_key};
static const mb_row x25519_row = {&x25519_kind};
static const mb_scheme schemes[] = {MOTE_PICK(
    x25519, {.name = "x25519",
             .operations = (uint16_t)(OPERATIONS),
             .key_min = LENGTH,
             .key_max = LENGTH,
             .block = 1,
             .param = &x25519_row})};

/*
 * The adapter of our own Ed25519 (RFC 8032) but for its line MOTE_ADAPTER(symbol): included by one
 * that defines OURS(name), the function of that name in mote/ed25519.h.
 *
 * A private key is expanded before signing is timed. Hosts draw the keys that they make; a board is
 * given the random bytes.
 */
#include "mote/ed25519.h"

#include <string.h>
#ifndef MOTE_PICKED
#include <sys/random.h>
#endif

#include "mote/cipher.h"
#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

#ifdef MOTE_PICKED
#define SEEDS MB_NEEDS_SEED
#else
#define SEEDS MB_TAKES_SEED
#endif

enum { KEY = MOTE_ED25519_KEY, SIGNATURE = MOTE_ED25519_SIGNATURE };

typedef mote_ed25519_signer job_state;

static mb_status open_job(mb_job *job)
{
    if (job->op == MB_KEYGEN)
        return job->seed_len != 0 && job->seed_len != KEY
                   ? mb_note(MB_UNSUPPORTED, "a seed has 32 bytes")
                   : MB_OK;
    const mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK && job->op == MB_SIGN) {
        if (job->out_cap < SIGNATURE)
            return mb_note(MB_TOO_BIG, "output does not fit");
        OURS(expand)(job->ctx, job->key);
    }
    return status;
}

/* A key pair: 32 random bytes, and the public key of them. */
static mb_status generate(mb_job *job)
{
    uint8_t public_key[KEY];
    if (job->seed_len != 0)
        memcpy(job->out, job->seed, KEY);
#ifndef MOTE_PICKED
    else if (getrandom(job->out, KEY, 0) != KEY)
        return mb_note(MB_ERROR, "no randomness");
#endif
    job->out_len = KEY;
    OURS(public_key)(public_key, job->out);
    return MB_OK;
}

static mb_status sign(mb_job *job)
{
    OURS(sign)(job->out, job->ctx, job->message, job->message_len);
    job->out_len = SIGNATURE;
    return MB_OK;
}

static mb_status verify(mb_job *job)
{
    job->out_len = 0;
    return job->signature_len == SIGNATURE &&
                   OURS(verify)(job->signature, job->key, job->message, job->message_len) == 0
               ? MB_OK
               : MB_REJECTED;
}

static mb_status run(mb_job *job, uint32_t n)
{
    return mb_repeat(job, n, job->op == MB_KEYGEN ? generate : job->op == MB_SIGN ? sign : verify);
}

static void close_job(mb_job *job)
{
    mote_wipe(job->ctx, sizeof(job_state));
}

static mb_status public_key(mb_job *job)
{
    const mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK || job->out_cap < KEY)
        return status != MB_OK ? status : mb_note(MB_TOO_BIG, "output does not fit");
    OURS(public_key)(job->out, job->key);
    job->out_len = KEY;
    return MB_OK;
}

static const mb_kind ed25519_kind = {
    .open = open_job, .run = run, .close = close_job, .public_key = public_key};
static const mb_row ed25519_row = {&ed25519_kind};
static const mb_scheme schemes[] = {MOTE_PICK(
    ed25519,
    {.name = "ed25519",
     .operations = (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | SEEDS),
     .key_min = KEY,
     .key_max = KEY,
     .tag_min = SIGNATURE,
     .tag_max = SIGNATURE,
     .block = 1,
     .param = &ed25519_row})};

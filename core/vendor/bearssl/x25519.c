/*
 * BearSSL's X25519, as RFC 7748 has it: what its header says of the order of bytes is about other
 * curves.
 */
#include "public.h"

#define CURVE (&BEAR_WORDS(br_ec_c25519_m, ))

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
    memcpy(job->out, job->peer, LENGTH);
    return CURVE->mul(job->out, LENGTH, job->key, job->key_len, BR_EC_curve25519) == 1
               ? MB_OK
               : mb_note(MB_ERROR, "the library refuses this public key");
}

#ifndef MOTE_PICKED
/* A key pair: br_ec_keygen makes the private key only. */
static mb_status generate(mb_job *job)
{
    br_ec_private_key key;
    uint8_t buffer[BR_EC_KBUF_PRIV_MAX_SIZE], point[LENGTH];
    const br_prng_class **random = bear_random();
    if (random == NULL || br_ec_keygen(random, CURVE, &key, buffer, BR_EC_curve25519) != LENGTH ||
        CURVE->mulgen(point, key.x, LENGTH, BR_EC_curve25519) != LENGTH)
        return mb_note(MB_ERROR, "no randomness, or no key");
    memcpy(job->out, key.x, LENGTH);
    job->out_len = LENGTH;
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
    job->out_len = CURVE->mulgen(job->out, job->key, LENGTH, BR_EC_curve25519);
    return job->out_len == LENGTH ? MB_OK : mb_note(MB_ERROR, "the library finds no point");
}

static const mb_kind x25519_kind = {.open = open_job, .run = run, .public_key = public_key};
static const mb_row x25519_row = {&x25519_kind};
static const mb_scheme schemes[] = {MOTE_PICK(
    x25519, {.name = "x25519",
             .operations = (uint16_t)(BEAR_KEYGEN | MB_CAN(MB_AGREE)),
             .key_min = LENGTH,
             .key_max = LENGTH,
             .block = 1,
             .param = &x25519_row})};

MOTE_ADAPTER(bearssl_x25519)
#include "vendor/public_key.h"

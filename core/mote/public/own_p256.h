/*
 * The adapter of our own P-256 but for its line MOTE_ADAPTER(symbol), `sign` and `verify`: key
 * agreement, and ECDSA with SHA-256, deterministic (RFC 6979). Included by one that defines
 * OURS(name), the function of that name in mote/p256.h.
 *
 * What is timed is all of it: checks of keys and points, hashing the message, DER. Hosts draw the
 * keys that they make; a board is given the random bytes.
 */
#include "mote/p256.h"

#include <string.h>
#ifndef MOTE_PICKED
#include <sys/random.h>
#endif

#include "motebench/adapter.h"
#include "motebench/marks.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

#ifdef MOTE_PICKED
#define SEEDS MB_NEEDS_SEED
#else
#define SEEDS MB_TAKES_SEED
#endif

enum { INTEGER_MAX = 33, DER_MAX = 2 + 2 * (2 + INTEGER_MAX) };

/* Schemes without which a firmware may be linked. */
#ifndef WITH_ECDH
#define WITH_ECDH 1
#define WITH_ECDSA 1
#endif

typedef struct job_state { uint8_t unused; } job_state;

static mb_status refused(mb_job *job)
{
    job->out_len = 0;
    return MB_REJECTED;
}

static mb_status no_key(void)
{
    return mb_note(MB_ERROR, "the private key is not in the range of the curve's order");
}

static mb_status generate(mb_job *job)
{
    uint8_t point[MOTE_P256_POINT], random[MOTE_P256_NUMBER];
    if (job->seed_len != 0)
        memcpy(random, job->seed, sizeof random);
#ifndef MOTE_PICKED
    else if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return mb_note(MB_ERROR, "no randomness");
#endif
    job->out_len = MOTE_P256_NUMBER;
    return OURS(keygen)(job->out, point, random) == 0 ? MB_OK : no_key();
}

#if WITH_ECDH
static mb_status agree(mb_job *job)
{
    job->out_len = 0;
    if (MB_PUBLIC_RESULT(OURS(agree)(job->out, job->key, job->peer, job->peer_len)) != 0)
        return MB_REJECTED;
    job->out_len = MOTE_P256_NUMBER;
    return MB_OK;
}

#endif

#if WITH_ECDSA
static mb_status sign(mb_job *job);
static mb_status verify(mb_job *job);
#endif

static mb_status open_job(mb_job *job)
{
    if (job->op == MB_KEYGEN)
        return job->seed_len != 0 && job->seed_len != MOTE_P256_NUMBER
                   ? mb_note(MB_UNSUPPORTED, "a seed has 32 bytes")
                   : MB_OK;
    if (job->op != MB_VERIFY && job->key_len != MOTE_P256_NUMBER)
        return mb_note(MB_UNSUPPORTED, "a private key has 32 bytes");
    if (job->op == MB_VERIFY && job->key_len != MOTE_P256_POINT &&
        job->key_len != MOTE_P256_COMPRESSED)
        return mb_note(MB_UNSUPPORTED, "a public key has 65 bytes, or 33 compressed");
    return job->op == MB_SIGN && job->out_cap < DER_MAX
               ? mb_note(MB_TOO_BIG, "output does not fit")
               : MB_OK;
}

static mb_status run(mb_job *job, uint32_t n)
{
#if WITH_ECDH
    if (job->op == MB_AGREE)
        return mb_repeat(job, n, agree);
#endif
#if WITH_ECDSA
    if (job->op == MB_SIGN || job->op == MB_VERIFY)
        return mb_repeat(job, n, job->op == MB_SIGN ? sign : verify);
#endif
    return mb_repeat(job, n, job->op == MB_KEYGEN ? generate : refused);
}

static mb_status public_key(mb_job *job)
{
    if (job->key_len != MOTE_P256_NUMBER || job->out_cap < MOTE_P256_POINT)
        return mb_note(MB_UNSUPPORTED, "a private key has 32 bytes");
    job->out_len = MOTE_P256_POINT;
    return OURS(public_key)(job->out, job->key) == 0 ? MB_OK : no_key();
}

static const mb_kind p256_kind = {.open = open_job, .run = run, .public_key = public_key};
static const mb_row p256_row = {&p256_kind};

/* A signature is a SEQUENCE of two INTEGERs of 1 to 33 bytes. */
static const mb_scheme schemes[] = {
    MOTE_PICK(ecdh_p256, {.name = "ecdh-p256",
                          .operations = (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE) | SEEDS),
                          .key_min = MOTE_P256_NUMBER,
                          .key_max = MOTE_P256_NUMBER,
                          .block = 1,
                          .param = &p256_row})
        MOTE_PICK(ecdsa_p256_sha256,
                  {.name = "ecdsa-p256-sha256",
                   .operations =
                       (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | SEEDS),
                   .key_min = MOTE_P256_NUMBER,
                   .key_max = MOTE_P256_POINT,
                   .tag_min = 8,
                   .tag_max = DER_MAX,
                   .block = 1,
                   .param = &p256_row})};

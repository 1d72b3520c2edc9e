/*
 * The adapter of an implementation of ML-KEM (FIPS 203): included last by a wrapper that defines
 * MOTE_ADAPTER(symbol) on a line of its own, and
 *
 *     KEYGEN(level)       int f(uint8_t *public, uint8_t *private, const uint8_t *seed), of 512,
 *                         768 and 1024
 *     ENCAPSULATE(level)  int f(uint8_t *ciphertext, uint8_t *secret, const uint8_t *public, const
 *                         uint8_t *coins)
 *     DECAPSULATE(level)  int f(uint8_t *secret, const uint8_t *ciphertext, const uint8_t *private)
 *     status_of           mb_status f(int), of what these return
 *
 * Encapsulation checks the modulus (section 7.2) and decapsulation the hash (7.3) every time, as
 * the standard asks; both are part of what is measured. What fails a check, or has another length,
 * is rejected. A ciphertext that was changed gives another secret.
 */
#include <string.h>
#ifndef MOTE_PICKED
#include <sys/random.h>
#endif

#include "motebench/adapter.h"
#include "motebench/marks.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

enum { SECRET = 32, KEYGEN_SEED = 64, COINS = 32 };

typedef struct job_state { mb_driven driven; } job_state;

typedef struct set {
    mb_row row;
    int (*keypair)(uint8_t *public, uint8_t *private, const uint8_t *seed);
    int (*encapsulate)(uint8_t *ciphertext, uint8_t *secret, const uint8_t *public,
                       const uint8_t *coins);
    int (*decapsulate)(uint8_t *secret, const uint8_t *ciphertext, const uint8_t *private);
} set;

static const set *set_of(const mb_job *job)
{
    return job->scheme->param;
}

/* The seed of the job; on a host without one, random bytes. */
static mb_status seed_of(const mb_job *job, size_t len, const uint8_t **seed,
                         uint8_t drawn[KEYGEN_SEED])
{
    *seed = job->seed;
    if (job->seed_len == len)
        return MB_OK;
    if (job->seed_len > 0)
        return mb_note(MB_UNSUPPORTED, "a seed has 64 bytes to make keys, 32 to encapsulate");
#ifdef MOTE_PICKED
    (void)drawn;
    return mb_note(MB_UNSUPPORTED, "a board has no source of randomness: give a seed");
#else
    *seed = drawn;
    return getrandom(drawn, len, 0) == (ssize_t)len
               ? MB_OK
               : mb_note(MB_ERROR, "the system has no randomness");
#endif
}

static mb_status keygen(mb_job *job)
{
    const uint8_t *seed;
    uint8_t drawn[KEYGEN_SEED];
    mb_status status = seed_of(job, KEYGEN_SEED, &seed, drawn);
    if (status != MB_OK)
        return status;
    job->out_len = job->scheme->private_bytes;
    job->public_out_len = job->scheme->public_bytes;
    return status_of(set_of(job)->keypair(job->public_out, job->out, seed));
}

static mb_status encapsulate(mb_job *job)
{
    const uint8_t *seed;
    uint8_t drawn[KEYGEN_SEED];
    if (job->key_len != job->scheme->public_bytes)
        return MB_REJECTED;
    mb_status status = seed_of(job, COINS, &seed, drawn);
    if (status != MB_OK)
        return status;
    job->out_len = job->scheme->ciphertext_bytes;
    job->secret_out_len = SECRET;
    return status_of(set_of(job)->encapsulate(job->out, job->secret_out, job->key, seed));
}

static mb_status decapsulate(mb_job *job)
{
    if (job->key_len != job->scheme->private_bytes ||
        job->ciphertext_len != job->scheme->ciphertext_bytes)
        return MB_REJECTED;
    job->out_len = SECRET;
    return status_of(
        MB_PUBLIC_RESULT(set_of(job)->decapsulate(job->out, job->ciphertext, job->key)));
}

MB_REPEAT(keygens, keygen)
MB_REPEAT(encapsulations, encapsulate)
MB_REPEAT(decapsulations, decapsulate)

static mb_status open_job(mb_job *job)
{
    return mb_drive(job, job->op == MB_KEYGEN        ? keygens
                         : job->op == MB_ENCAPSULATE ? encapsulations
                                                     : decapsulations);
}

/* A private key holds its public key before two strings of 32 bytes (FIPS 203, algorithm 16). */
static mb_status public_key(mb_job *job)
{
    const size_t len = job->scheme->public_bytes;
    if (job->key_len != job->scheme->private_bytes)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    if (job->out_cap < len)
        return mb_note(MB_TOO_BIG, "output does not fit");
    memcpy(job->out, job->key + job->key_len - 64 - len, len);
    job->out_len = len;
    return MB_OK;
}

#ifdef MOTE_PICKED
#define SEEDS MB_NEEDS_SEED
#else
#define SEEDS MB_TAKES_SEED
#endif

static const mb_kind ml_kem_kind = {
    .open = open_job, .run = mb_drive_run, .public_key = public_key};
#define SET(level) \
    &(const set){{&ml_kem_kind}, KEYGEN(level), ENCAPSULATE(level), DECAPSULATE(level)}
#define ROW(level, public, private, ciphertext)                               \
    {.name = "ml-kem-" #level,                                                \
     .operations = (uint16_t)(MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | SEEDS), \
     .key_min = (public),                                                     \
     .key_max = (private),                                                    \
     .public_bytes = (public),                                                \
     .private_bytes = (private),                                              \
     .ciphertext_bytes = (ciphertext),                                        \
     .secret_bytes = SECRET,                                                  \
     .block = 1,                                                              \
     .param = SET(level)}
static const mb_scheme schemes[] = {MOTE_PICK(ml_kem_512, ROW(512, 800, 1632, 768)) MOTE_PICK(
    ml_kem_768, ROW(768, 1184, 2400, 1088)) MOTE_PICK(ml_kem_1024, ROW(1024, 1568, 3168, 1568))};

#include "vendor/public_key.h"

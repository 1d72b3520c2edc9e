/*
 * ML-DSA (FIPS 204) of mldsa-native, its portable C; pure, with a context, deterministic: the
 * random bytes of signing are zeros.
 *
 * mldsa_native.c is the library's own single unit, included once for each parameter set. The
 * message is signed whole; making the prefix of the context and hashing are part of what is
 * measured. Private keys are those of the standard, not seeds.
 */
#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

#include <stdbool.h>
#include <string.h>
#ifndef MOTE_PICKED
#include <sys/random.h>
#endif

/* The first set that is included brings what all sets share. */
#if defined(MOTE_PICKED)
#define MLD_CONFIG_MULTILEVEL_WITH_SHARED
#if MOTE_PICK_ml_dsa_44
#define MLD_CONFIG_PARAMETER_SET 44
enum { PUBLIC_MAX = 1312 };
#elif MOTE_PICK_ml_dsa_65
#define MLD_CONFIG_PARAMETER_SET 65
enum { PUBLIC_MAX = 1952 };
#else
#define MLD_CONFIG_PARAMETER_SET 87
enum { PUBLIC_MAX = 2592 };
#endif
#include <mldsa_native.c>
#else
enum { PUBLIC_MAX = 2592 };
#define MLD_CONFIG_MONOBUILD_KEEP_SHARED_HEADERS
#define MLD_CONFIG_MULTILEVEL_WITH_SHARED
#define MLD_CONFIG_PARAMETER_SET 44
#include <mldsa_native.c>
#undef MLD_CONFIG_PARAMETER_SET
#undef MLD_CONFIG_MULTILEVEL_WITH_SHARED
#define MLD_CONFIG_MULTILEVEL_NO_SHARED
#define MLD_CONFIG_PARAMETER_SET 65
#include <mldsa_native.c>
#undef MLD_CONFIG_PARAMETER_SET
#undef MLD_CONFIG_MONOBUILD_KEEP_SHARED_HEADERS
#define MLD_CONFIG_PARAMETER_SET 87
#include <mldsa_native.c>
#endif
/* The unit takes its macros with it. */
#define MLD_CONFIG_CONSTANTS_ONLY
#include <mldsa_native.h>

enum { SEED = 32, CONTEXT_MAX = 255, PREFIX = 2 + CONTEXT_MAX };

typedef struct job_state { uint8_t unused; } job_state;

typedef struct set {
    mb_row row;
    size_t public_bytes, private_bytes;
    int (*keypair)(uint8_t *public, uint8_t *private, const uint8_t *seed);
    int (*sign)(uint8_t *signature, const uint8_t *message, size_t len, const uint8_t *prefix,
                size_t prefix_len, const uint8_t *rnd, const uint8_t *private, int external);
    int (*verify)(const uint8_t *signature, const uint8_t *message, size_t len,
                  const uint8_t *context, size_t context_len, const uint8_t *public);
    int (*derive)(uint8_t *public, const uint8_t *private);
} set;

static const set *set_of(const mb_job *job)
{
    return job->scheme->param;
}

static mb_status failed(void)
{
    return mb_note(MB_ERROR, "mldsa-native failed");
}

static mb_status keygen(mb_job *job)
{
    const set *s = set_of(job);
    uint8_t public[PUBLIC_MAX], drawn[SEED];
    const uint8_t *seed = job->seed;
    if (job->seed_len == 0) {
#ifdef MOTE_PICKED
        (void)drawn;
        return mb_note(MB_UNSUPPORTED, "a board has no source of randomness: give a seed");
#else
        if (getrandom(drawn, SEED, 0) != SEED)
            return mb_note(MB_ERROR, "the system has no randomness");
        seed = drawn;
#endif
    } else if (job->seed_len != SEED) {
        return mb_note(MB_UNSUPPORTED, "a seed has 32 bytes");
    }
    job->out_len = s->private_bytes;
    return s->keypair(public, job->out, seed) == 0 ? MB_OK : failed();
}

/* FIPS 204, algorithm 2, line 10: 0, the length of the context, the context. */
static mb_status sign(mb_job *job)
{
    static const uint8_t rnd[SEED];
    uint8_t prefix[PREFIX] = {0, (uint8_t)job->context_len};
    if (job->context_len > 0)
        memcpy(prefix + 2, job->context, job->context_len);
    job->out_len = job->scheme->tag_max;
    return set_of(job)->sign(job->out, job->message, job->message_len, prefix, 2 + job->context_len,
                             rnd, job->key, 0) == 0
               ? MB_OK
               : failed();
}

static mb_status verify(mb_job *job)
{
    job->out_len = 0;
    return set_of(job)->verify(job->signature, job->message, job->message_len, job->context,
                               job->context_len, job->key) == 0
               ? MB_OK
               : MB_REJECTED;
}

static mb_status rejected(mb_job *job)
{
    job->out_len = 0;
    return MB_REJECTED;
}

static mb_status open_job(mb_job *job)
{
    if (job->op == MB_SIGN && job->key_len != set_of(job)->private_bytes)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    if (job->op != MB_KEYGEN && job->context_len > CONTEXT_MAX)
        return mb_note(MB_UNSUPPORTED, "a context has at most 255 bytes");
    return MB_OK;
}

static mb_status run(mb_job *job, uint32_t n)
{
    const bool fits =
        job->key_len == set_of(job)->public_bytes && job->signature_len == job->scheme->tag_max;
    return mb_repeat(job, n,
                     job->op == MB_KEYGEN ? keygen
                     : job->op == MB_SIGN ? sign
                     : fits               ? verify
                                          : rejected);
}

/* The library checks the private key when it derives the public one. */
static mb_status public_key(mb_job *job)
{
    const set *s = set_of(job);
    if (job->key_len != s->private_bytes)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    if (job->out_cap < s->public_bytes)
        return mb_note(MB_TOO_BIG, "output does not fit");
    job->out_len = s->public_bytes;
    return s->derive(job->out, job->key) == 0
               ? MB_OK
               : mb_note(MB_ERROR, "this is no private key of ML-DSA");
}

#ifdef MOTE_PICKED
#define SEEDS MB_NEEDS_SEED
#else
#define SEEDS MB_TAKES_SEED
#endif

static const mb_kind ml_dsa_kind = {.open = open_job, .run = run, .public_key = public_key};
#define SET(level, public, private)                 \
    &(const set){{&ml_dsa_kind},                    \
                 public,                            \
                 private,                           \
                 mldsa##level##_keypair_internal,   \
                 mldsa##level##_signature_internal, \
                 mldsa##level##_verify,             \
                 mldsa##level##_pk_from_sk}
#define ROW(level, public, private, signature)                                                  \
    {.name = "ml-dsa-" #level,                                                                  \
     .operations = (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | SEEDS), \
     .key_min = (public),                                                                       \
     .key_max = (private),                                                                      \
     .context_max = CONTEXT_MAX,                                                                \
     .tag_min = (signature),                                                                    \
     .tag_max = (signature),                                                                    \
     .block = 1,                                                                                \
     .param = SET(level, public, private)}
static const mb_scheme schemes[] = {MOTE_PICK(ml_dsa_44, ROW(44, 1312, 2560, 2420)) MOTE_PICK(
    ml_dsa_65, ROW(65, 1952, 4032, 3309)) MOTE_PICK(ml_dsa_87, ROW(87, 2592, 4896, 4627))};

MOTE_ADAPTER(mldsa_native_ml_dsa)
#include "vendor/public_key.h"

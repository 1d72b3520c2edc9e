/*
 * ML-DSA (FIPS 204) of PQClean, its implementation "clean"; pure, with a context. Signing draws 32
 * bytes, which are zeros here: it is deterministic.
 */
#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"
#include "vendor/pqclean/states.h"

#ifndef MOTE_PICKED
#include <sys/random.h>
#endif

#define DECLARED(level)                                                                       \
    int PQCLEAN_MLDSA##level##_CLEAN_crypto_sign_keypair(uint8_t *pk, uint8_t *sk);           \
    int PQCLEAN_MLDSA##level##_CLEAN_crypto_sign_signature_ctx(                               \
        uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen, const uint8_t *ctx,      \
        size_t ctxlen, const uint8_t *sk);                                                    \
    int PQCLEAN_MLDSA##level##_CLEAN_crypto_sign_verify_ctx(                                  \
        const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *ctx, \
        size_t ctxlen, const uint8_t *pk);
DECLARED(44)
DECLARED(65)
DECLARED(87)

#if !defined(MOTE_PICKED) || !(defined(MOTE_PICK_ml_dsa_44) || defined(MOTE_PICK_ml_dsa_65))
enum { PUBLIC_MAX = 2592 };
#elif defined(MOTE_PICK_ml_dsa_65)
enum { PUBLIC_MAX = 1952 };
#else
enum { PUBLIC_MAX = 1312 };
#endif
enum { SEED = 32, CONTEXT_MAX = 255 };

typedef struct job_state { mb_driven driven; } job_state;

typedef struct set {
    mb_row row;
    size_t public_bytes, private_bytes;
    int (*keypair)(uint8_t *pk, uint8_t *sk);
    int (*sign)(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen, const uint8_t *ctx,
                size_t ctxlen, const uint8_t *sk);
    int (*verify)(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen,
                  const uint8_t *ctx, size_t ctxlen, const uint8_t *pk);
} set;

static const set *set_of(const mb_job *job)
{
    return job->scheme->param;
}

static mb_status failed(void)
{
    return mb_note(MB_ERROR, "PQClean failed");
}

#ifndef MOTE_PICKED
/*
 * The keys that were made last: PQClean has no function that gives the public key of a private one.
 */
static uint8_t last_private[4896], last_public[PUBLIC_MAX];
#endif

static mb_status keygen(mb_job *job)
{
    const set *s = set_of(job);
    uint8_t public[PUBLIC_MAX], drawn[SEED];
    coins = job->seed;
    if (job->seed_len == 0) {
#ifdef MOTE_PICKED
        (void)drawn;
        return mb_note(MB_UNSUPPORTED, "a board has no source of randomness: give a seed");
#else
        if (getrandom(drawn, SEED, 0) != SEED)
            return mb_note(MB_ERROR, "the system has no randomness");
        coins = drawn;
#endif
    } else if (job->seed_len != SEED) {
        return mb_note(MB_UNSUPPORTED, "a seed has 32 bytes");
    }
    job->out_len = s->private_bytes;
    const int error = s->keypair(public, job->out);
    coins = NULL;
#ifndef MOTE_PICKED
    memcpy(last_private, job->out, s->private_bytes);
    memcpy(last_public, public, s->public_bytes);
#endif
    return error == 0 ? MB_OK : failed();
}

static mb_status sign(mb_job *job)
{
    return set_of(job)->sign(job->out, &job->out_len, job->message, job->message_len, job->context,
                             job->context_len, job->key) == 0
               ? MB_OK
               : failed();
}

static mb_status verify(mb_job *job)
{
    job->out_len = 0;
    if (job->key_len != set_of(job)->public_bytes || job->signature_len != job->scheme->tag_max)
        return MB_REJECTED;
    return set_of(job)->verify(job->signature, job->signature_len, job->message, job->message_len,
                               job->context, job->context_len, job->key) == 0
               ? MB_OK
               : MB_REJECTED;
}

MB_REPEAT(keygens, keygen)
MB_REPEAT(signs, sign)
MB_REPEAT(verifies, verify)

static mb_status open_job(mb_job *job)
{
    if (job->op == MB_SIGN && job->key_len != set_of(job)->private_bytes)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    if (job->op != MB_KEYGEN && job->context_len > CONTEXT_MAX)
        return mb_note(MB_UNSUPPORTED, "a context has at most 255 bytes");
    return mb_drive(job, job->op == MB_KEYGEN ? keygens : job->op == MB_SIGN ? signs : verifies);
}

static mb_status public_key(mb_job *job)
{
#ifndef MOTE_PICKED
    const set *s = set_of(job);
    if (job->key_len == s->private_bytes && memcmp(job->key, last_private, s->private_bytes) == 0) {
        memcpy(job->out, last_public, s->public_bytes);
        job->out_len = s->public_bytes;
        return MB_OK;
    }
#else
    (void)job;
#endif
    return mb_note(MB_UNSUPPORTED, "PQClean has no public key of a private one");
}

#ifdef MOTE_PICKED
#define SEEDS MB_NEEDS_SEED
#else
#define SEEDS MB_TAKES_SEED
#endif

static const mb_kind ml_dsa_kind = {
    .open = open_job, .run = mb_drive_run, .public_key = public_key};
#define SET(level, public, private)                                      \
    &(const set){{&ml_dsa_kind},                                         \
                 public,                                                 \
                 private,                                                \
                 PQCLEAN_MLDSA##level##_CLEAN_crypto_sign_keypair,       \
                 PQCLEAN_MLDSA##level##_CLEAN_crypto_sign_signature_ctx, \
                 PQCLEAN_MLDSA##level##_CLEAN_crypto_sign_verify_ctx}
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

MOTE_ADAPTER(pqclean_ml_dsa)
#include "vendor/public_key.h"

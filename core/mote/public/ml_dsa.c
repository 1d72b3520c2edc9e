/*
 * Our own ML-DSA (FIPS 204): verification, pure and with a SHA-512 digest of the message. What is
 * timed is all of it: the hash of the key as well.
 */
#include "mote/ml_dsa.h"

#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

#include <stdbool.h>

enum { CONTEXT_MAX = 255, SHA512_IDENTIFIER = 3 };

extern const mote_implementation mote_sha_512;

typedef struct job_state { uint8_t unused; } job_state;

typedef struct set {
    mb_row row;
    const mote_ml_dsa *parameters;
    const mote_implementation *hashes; /* of which the first with 64 bytes is SHA-512; NULL: pure */
} set;

static const set *set_of(const mb_job *job)
{
    return job->scheme->param;
}

static const mote_hash *hash_of(const mote_implementation *hashes)
{
    for (uint8_t i = 0; hashes != NULL && i < hashes->hash_count; i++) {
        if (hashes->hashes[i].digest_len == MOTE_ML_DSA_DIGEST)
            return &hashes->hashes[i];
    }
    return NULL;
}

static mb_status verify(mb_job *job)
{
    const set *s = set_of(job);
    const mote_ml_dsa_message message = {
        .message = job->message,
        .message_len = job->message_len,
        .context = job->context,
        .context_len = (uint8_t)job->context_len,
        .hash = hash_of(s->hashes),
        .hash_identifier = SHA512_IDENTIFIER};
    job->out_len = 0;
    return mote_ml_dsa_verify(s->parameters, job->key, &message, job->signature) == 0
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
    return job->context_len > CONTEXT_MAX
               ? mb_note(MB_UNSUPPORTED, "a context has at most 255 bytes")
               : MB_OK;
}

static mb_status run(mb_job *job, uint32_t n)
{
    const mote_ml_dsa *p = set_of(job)->parameters;
    const bool fits = job->key_len == p->key_len && job->signature_len == p->signature_len;
    return mb_repeat(job, n, fits ? verify : rejected);
}

static const mb_kind ml_dsa_kind = {.open = open_job, .run = run};

#define ROW(label, level, key, signature, hash)                                                 \
    {                                                                                           \
        .name = (label), .operations = MB_CAN(MB_VERIFY), .key_min = (key), .key_max = (key),   \
        .context_max = CONTEXT_MAX, .tag_min = (signature), .tag_max = (signature), .block = 1, \
        .param = &(const set)                                                                   \
        {                                                                                       \
            {&ml_dsa_kind}, &mote_ml_dsa_##level, hash                                          \
        }                                                                                       \
    }
#define PURE(level, key, signature) ROW("ml-dsa-" #level, level, key, signature, NULL)
#define HASHED(level, key, signature) \
    ROW("ml-dsa-" #level "-prehash-sha512", level, key, signature, &mote_sha_512)
static const mb_scheme schemes[] = {
    MOTE_PICK(ml_dsa_44, PURE(44, 1312, 2420)) MOTE_PICK(ml_dsa_65, PURE(65, 1952, 3309)) MOTE_PICK(
        ml_dsa_87, PURE(87, 2592, 4627)) MOTE_PICK(ml_dsa_44_prehash_sha512, HASHED(44, 1312, 2420))
        MOTE_PICK(ml_dsa_65_prehash_sha512, HASHED(65, 1952, 3309))
            MOTE_PICK(ml_dsa_87_prehash_sha512, HASHED(87, 2592, 4627))};

MOTE_ADAPTER(ml_dsa)
#include "vendor/public_key.h"

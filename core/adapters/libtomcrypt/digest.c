/*
 * Hash functions.
 *
 * Timed: DIGEST: init, process, done of the hash on a state of ours; the one-call form of
 * the library allocates and wipes a state around the same.
 */
#include "libtomcrypt_adapter.h"

typedef struct digest_state {
    mb_hash_state hash; /* first: see support/hashes.h */
    hash_state state;
} digest_state;

_Static_assert(sizeof(digest_state) <= sizeof(adapter_state), "ctx_size is that of the largest");

static mb_status begin(mb_job *job)
{
    const adapter_digest *digest = job->scheme->param;
    digest_state *s = job->ctx;
    return adapter_check(digest->descriptor != NULL ? digest->descriptor->init(&s->state)
                                                    : sha3_shake_init(&s->state, digest->shake));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    const adapter_digest *digest = job->scheme->param;
    digest_state *s = job->ctx;
    return adapter_check(digest->descriptor != NULL
                             ? digest->descriptor->process(&s->state, in, len)
                             : sha3_shake_process(&s->state, in, len));
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    const adapter_digest *digest = job->scheme->param;
    digest_state *s = job->ctx;
    return adapter_check(digest->descriptor != NULL
                             ? digest->descriptor->done(&s->state, out)
                             : sha3_shake_done(&s->state, out, digest->out_len));
}

MB_HASH_WHOLE(all, begin, update, finish)

static mb_status digest_open(mb_job *job)
{
    static const mb_hashing how = {
        .whole = all, .begin = begin, .update = update, .finish = finish};
    return mb_hash_open(job, &how);
}

const mb_kind adapter_digest_kind = {
    .open = digest_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};

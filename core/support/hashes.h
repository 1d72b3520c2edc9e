/*
 * The operations of hash functions and MACs. An adapter says how the library does them
 * (mb_hashing), calls mb_hash_open or mb_mac_open from `open` of its mb_kind, and puts the
 * functions below into that mb_kind. The result has scheme->tag_max bytes.
 */
#ifndef MOTEBENCH_SUPPORT_HASHES_H
#define MOTEBENCH_SUPPORT_HASHES_H

#include "support/driver.h"

typedef mb_status mb_hash_update_step(mb_job *job, const uint8_t *in, size_t len);
typedef mb_status mb_hash_finish_step(mb_job *job, uint8_t *out);

typedef struct mb_hashing {
    mb_run *whole;    /* DIGEST, MAC: all of job->message, the result to job->out */
    mb_once *set_key; /* of a MAC, before the first message. NULL: each message takes the key */
    mb_run *set_keys; /* KEY_SETUP: of `set_key` */
    /* A streamed message: with MB_STREAMING only. */
    mb_once *begin; /* NULL: nothing to do */
    mb_hash_update_step *update;
    mb_hash_finish_step *finish;
} mb_hashing;

/* All of job->message in three steps; `begin` may be NULL. */
static inline mb_status mb_hash_whole(mb_job *job, mb_once *begin, mb_hash_update_step *update,
                                      mb_hash_finish_step *finish)
{
    mb_status status = begin != NULL ? begin(job) : MB_OK;
    if (status == MB_OK)
        status = update(job, job->message, job->message_len);
    return status == MB_OK ? finish(job, job->out) : status;
}

/* Defines `name`, an mb_run of these steps, with them inlined. */
#define MB_HASH_WHOLE(name, begin, update, finish)        \
    static mb_status name##_once(mb_job *job)             \
    {                                                     \
        return mb_hash_whole(job, begin, update, finish); \
    }                                                     \
    MB_REPEAT(name, name##_once)

/* The first member of the state of such a job. */
typedef struct mb_hash_state {
    mb_driven driven;
#if MB_STREAMING
    const mb_hashing *how;
#endif
} mb_hash_state;

/* The end of `open` of a hash function: the library's state is ready. */
mb_status mb_hash_open(mb_job *job, const mb_hashing *how);
/*
 * The same of a MAC: checks the length of the key and sets it. MB_UNSUPPORTED: a length that is not
 * offered.
 */
mb_status mb_mac_open(mb_job *job, const mb_hashing *how);

/* The functions of mb_kind of the same name; `run` is mb_drive_run. */
mb_status mb_hash_start(mb_job *job);
/* With MB_STREAMING only. */
mb_status mb_hash_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                         size_t *out_len);
mb_status mb_hash_final(mb_job *job, uint8_t *out, size_t *out_len);

#endif

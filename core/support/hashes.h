/*
 * The operations of hash functions and MACs. An adapter says how the library does them (mb_hashing), calls mb_hash_open
 * from `open` of its mb_kind, and puts the functions below into that mb_kind.
 */
#ifndef MOTEBENCH_SUPPORT_HASHES_H
#define MOTEBENCH_SUPPORT_HASHES_H

#include "support/driver.h"

typedef struct mb_hashing {
    mb_once *set_key; /* before the first message. NULL: a hash function, or each message takes the key */
    mb_run *set_keys; /* KEY_SETUP: of `set_key` */
    mb_run *whole;    /* DIGEST, MAC: all of job->message, the result to job->out */
    /* A streamed message. */
    mb_once *begin; /* NULL: nothing to do */
    mb_status (*update)(mb_job *job, const uint8_t *in, size_t len);
    mb_status (*finish)(mb_job *job, uint8_t *out);
} mb_hashing;

/* The first member of the state of such a job. */
typedef struct mb_hash_state {
    mb_driven driven;
    const mb_hashing *how;
    size_t out_len; /* bytes of the result */
} mb_hash_state;

/*
 * The end of `open`: the library's state is ready for its key. Checks lengths, sets the key. MB_UNSUPPORTED, or MB_TOO_BIG
 * if the result does not fit.
 */
mb_status mb_hash_open(mb_job *job, const mb_hashing *how, size_t out_len);

/* The functions of mb_kind of the same name; `run` is mb_drive_run. */
mb_status mb_hash_start(mb_job *job);
mb_status mb_hash_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len);
mb_status mb_hash_final(mb_job *job, uint8_t *out, size_t *out_len);

#endif

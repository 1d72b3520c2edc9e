/*
 * The operations of signatures: hash, then sign or verify what was hashed. An adapter says how the
 * library does them (mb_signing), calls mb_sign_open from `open` of its mb_kind, and puts the
 * functions below into that mb_kind.
 */
#ifndef MOTEBENCH_SUPPORT_SIGNATURES_H
#define MOTEBENCH_SUPPORT_SIGNATURES_H

#include <stdbool.h>

#include "support/driver.h"

#define MB_SIGN_DIGEST_MAX 64u

typedef struct mb_signing {
    /* Reads job->key: a private key if `secret`. Lengths are checked before. */
    mb_status (*load)(mb_job *job, bool secret);
    mb_once *prepare; /* of KEYGEN, in `open`; NULL: nothing to do */
    mb_run *generate; /* KEYGEN: a loop of new keys; the last private key to job->out, once */
    /*
     * The digest of all of job->in, `*len` bytes. NULL: the scheme takes the message itself, and
     * does not stream.
     */
    mb_status (*hash)(mb_job *job, uint8_t digest[MB_SIGN_DIGEST_MAX], size_t *len);
    /* `value` is the digest, or the message where the scheme takes that; never NULL. */
    mb_status (*sign)(mb_job *job, const uint8_t *value, size_t len, uint8_t *out, size_t *out_len);
    /* job->signature; MB_REJECTED if it is wrong */
    mb_status (*verify)(mb_job *job, const uint8_t *value, size_t len);
    /* A streamed message. */
    mb_once *begin;
    mb_status (*update)(mb_job *job, const uint8_t *in, size_t len);
    mb_status (*finish)(mb_job *job, uint8_t digest[MB_SIGN_DIGEST_MAX], size_t *len);
    mb_once *export_public; /* of the private key that was loaded, to job->out */
    size_t room;            /* bytes that job->out must have */
} mb_signing;

/* The first member of the state of such a job. */
typedef struct mb_sign_state {
    mb_driven driven;
    const mb_signing *how;
} mb_sign_state;

/*
 * All of `open`: checks lengths, reads the key. MB_UNSUPPORTED, or MB_TOO_BIG if the output does
 * not fit.
 */
mb_status mb_sign_open(mb_job *job, const mb_signing *how);

/* The functions of mb_kind of the same name; `run` is mb_drive_run. */
mb_status mb_sign_start(mb_job *job);
mb_status mb_sign_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                         size_t *out_len);
mb_status mb_sign_final(mb_job *job, uint8_t *out, size_t *out_len);

/* All of `public_key` but giving back what `load` made. */
mb_status mb_sign_public_key(mb_job *job, const mb_signing *how);

#endif

/*
 * The operations of a cipher, for libraries that do a message in steps: set the key, begin, crypt,
 * tag.
 *
 * An adapter says how each step is done (mb_steps) and puts mb_drive_run and the functions below
 * into the mb_kind of its ciphers; they pad ECB and CBC, check the tags, buffer bytes until a block
 * is full, and loop. Everything the library keeps lives in the adapter's own state in job->ctx,
 * which begins with an mb_steps_state.
 */
#ifndef MOTEBENCH_SUPPORT_STEPS_H
#define MOTEBENCH_SUPPORT_STEPS_H

#include <stdbool.h>

#include "support/block_buffer.h"
#include "support/driver.h"

typedef struct mb_steps {
    /* Sets job->key, for the direction of job->op. */
    mb_status (*set_key)(mb_job *job);
    /* Begins a message of `len` bytes: nonce, AAD. NULL: nothing needs to be done. */
    mb_status (*begin)(mb_job *job, size_t len);
    /* The next `len` bytes; `out` may be `in`. Not called for len 0, unless whole_message. */
    mb_process encrypt, decrypt;
    /*
     * Called in place of encrypt or decrypt, whichever job->op says, where that does no more and
     * cannot fail: one call less in what is timed. Not for whole_message. NULL: they are called.
     */
    void (*direct)(void *state, const uint8_t *in, uint8_t *out, size_t len);
    void *direct_state;
    /* Ends a message and writes its tag of `len` bytes, at most MB_STEPS_TAG_MAX. NULL: no tag. */
    mb_status (*tag)(mb_job *job, uint8_t *out, size_t len);
    /*
     * Bytes: of the padding, and what a piece of a message must be a multiple of; a power of two.
     */
    uint8_t block;
    bool padded;        /* messages get PKCS#7 padding */
    bool whole_message; /* cannot be continued: a bulk iteration is begin and crypt */
    bool verifies;      /* `decrypt` checks job->tag itself */
#if MB_STREAMING
    /* The last part of a message, of 0 bytes too, in place of encrypt and decrypt. NULL: those. */
    mb_process last;
    /*
     * Compares the tag of the message that was decrypted with job->tag. NULL: `tag`, and compared
     * here.
     */
    mb_once *check;
    /*
     * Timed functions, by MB_REPEAT and MB_BULK, so that no call through a pointer is in it. NULL:
     * the steps. Messages: all of job->in to job->out, with padding or tag; job->out_len is preset
     * to in_len, and a message whose tag is wrong is wiped here.
     */
    struct {
        mb_run *key_setup, *encrypt, *decrypt, *encrypt_message, *encrypt_new_key, *decrypt_message;
    } runs;
#endif
} mb_steps;

#define MB_STEPS_TAG_MAX 16u

/* Defines `name`, an mb_run of the mb_process `process`: ENCRYPT or DECRYPT, in place. */
#define MB_BULK(name, process)                                \
    static mb_status name##_once(mb_job *job)                 \
    {                                                         \
        return process(job, job->out, job->in_len, job->out); \
    }                                                         \
    MB_REPEAT(name, name##_once)

typedef struct mb_steps_state {
    mb_driven driven; /* first: the loop of this job's operation */
    const mb_steps *how;
    size_t tag_len; /* of this job; 0: the scheme has no tags */
#if MB_STREAMING
    mb_process process; /* of messages, in this job's direction */
    bool takes_empty;   /* it is called for 0 bytes too */
    mb_block_buffer buffer;
    bool begun; /* streaming: the first chunk has come */
#endif
} mb_steps_state;

/* True if job->op decrypts. */
bool mb_steps_decrypts(const mb_job *job);

/*
 * Sets the key, after checking the lengths of key, nonce and tag: MB_UNSUPPORTED if the scheme does
 * not take them.
 */
mb_status mb_steps_open(mb_job *job, const mb_steps *how);

/*
 * The functions of mb_kind of the same name, for all operations of ciphers; `run` is mb_drive_run.
 */
mb_status mb_steps_start(mb_job *job);
/* With MB_STREAMING only. */
mb_status mb_steps_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                          size_t *out_len);
mb_status mb_steps_final(mb_job *job, uint8_t *out, size_t *out_len);

#endif

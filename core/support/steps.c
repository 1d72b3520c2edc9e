#include "support/steps.h"
#include "motebench/marks.h"

#include <string.h>

#include "support/kind.h"
#include "support/pkcs7.h"

bool mb_steps_decrypts(const mb_job *job)
{
    return job->op == MB_DECRYPT || job->op == MB_DECRYPT_MESSAGE;
}

/* The tag length of this job: the one asked for where the operation has a tag, else the longest. */
static size_t tag_len_of(const mb_job *job)
{
    switch (job->op) {
    case MB_DECRYPT_MESSAGE:
        return job->tag_len;
    case MB_ENCRYPT_MESSAGE:
    case MB_ENCRYPT_NEW_KEY:
        return job->tag_out_len;
    default:
        return job->scheme->tag_max;
    }
}

/*
 * Number of the `len` bytes after whole blocks. Blocks are powers of two; small processors do not
 * divide.
 */
static size_t past_block(const mb_steps *how, size_t len)
{
    return len & (how->block - 1u);
}

static mb_status begin(mb_job *job, const mb_steps *how, size_t len)
{
    return how->begin != NULL ? how->begin(job, len) : MB_OK;
}

mb_status mb_steps_start(mb_job *job)
{
    mb_steps_state *state = job->ctx;
#if MB_STREAMING
    state->buffer.len = 0;
    state->begun = false;
#endif
    if (job->op == MB_KEY_SETUP)
        return MB_OK;
    job->out_len = job->in_len;
    if (job->op != MB_ENCRYPT && job->op != MB_DECRYPT)
        return MB_OK;
    return begin(job, state->how, job->in_len);
}

#if MB_STREAMING
static mb_status crypt(mb_job *job, const mb_steps *how, const uint8_t *in, size_t len,
                       uint8_t *out)
{
    const mb_steps_state *state = job->ctx;
    if (len == 0 && !state->takes_empty)
        return MB_OK;
    if (how->direct != NULL) {
        how->direct(how->direct_state, in, out, len);
        return MB_OK;
    }
    return state->process(job, in, len, out);
}
#else
static mb_status crypt(mb_job *job, const mb_steps *how, const uint8_t *in, size_t len,
                       uint8_t *out)
{
    if (len == 0 && !how->whole_message)
        return MB_OK;
    if (how->direct != NULL) {
        how->direct(how->direct_state, in, out, len);
        return MB_OK;
    }
    return mb_steps_decrypts(job) ? how->decrypt(job, in, len, out)
                                  : how->encrypt(job, in, len, out);
}
#endif

/* Writes the tag of the message that was encrypted. */
static mb_status seal(mb_job *job)
{
    const mb_steps_state *state = job->ctx;
    job->tag_out_len = state->tag_len;
    return state->how->tag != NULL ? state->how->tag(job, job->tag_out, state->tag_len) : MB_OK;
}

/*
 * Checks the tag of the message that was decrypted; the time does not depend on where it is wrong.
 * Not inlined: every operation would pay for the room of its tag.
 */
__attribute__((noinline)) static mb_status check(mb_job *job)
{
    const mb_steps_state *state = job->ctx;
    uint8_t tag[MB_STEPS_TAG_MAX];
#if MB_STREAMING
    if (state->how->check != NULL)
        return state->how->check(job);
#endif
    if (state->how->tag == NULL || state->how->verifies)
        return MB_OK;
    mb_status status = state->how->tag(job, tag, state->tag_len);
    uint8_t differs = 0;
    for (size_t i = 0; i < state->tag_len && status == MB_OK; i++)
        differs |= (uint8_t)(tag[i] ^ job->tag[i]);
    if (status != MB_OK)
        return status;
    MB_PUBLIC(differs);
    return differs ? MB_REJECTED : MB_OK;
}

static mb_status encrypt_message(mb_job *job)
{
    const mb_steps_state *state = job->ctx;
    const mb_steps *how = state->how;
    mb_status status = begin(job, how, job->in_len);
    if (status != MB_OK)
        return status;
    if (!how->padded) {
        status = crypt(job, how, job->in, job->in_len, job->out);
        return status == MB_OK ? seal(job) : status;
    }
    size_t full = job->in_len - past_block(how, job->in_len);
    uint8_t *last = job->out + full;
    status = crypt(job, how, job->in, full, job->out);
    mb_pkcs7_pad(last, how->block, job->in + full, job->in_len - full);
    return status == MB_OK ? how->encrypt(job, last, how->block, last) : status;
}

static mb_status encrypt_new_key(mb_job *job)
{
    const mb_steps_state *state = job->ctx;
    mb_status status = state->how->set_key(job);
    return status == MB_OK ? encrypt_message(job) : status;
}

static mb_status encrypt_messages(mb_job *job, uint32_t n)
{
    const mb_steps_state *state = job->ctx;
    const mb_steps *how = state->how;
    if (how->padded)
        job->out_len = job->in_len - past_block(how, job->in_len) + how->block;
    if (job->out_len > job->out_cap || state->tag_len > job->tag_out_cap)
        return mb_note(MB_TOO_BIG, "output does not fit");
    return mb_repeat(job, n, job->op == MB_ENCRYPT_NEW_KEY ? encrypt_new_key : encrypt_message);
}

_Static_assert(MB_OK == 0 && MB_REJECTED == 1, "see unpadded");

/*
 * Status for `count` bytes of padding. Without a branch: whether padding is good is a secret,
 * unlike whether a tag is right.
 */
static mb_status unpadded(size_t count)
{
    return (mb_status)((count - 1) >> (8 * sizeof count - 1));
}

static mb_status unpad(mb_job *job, const mb_steps *how)
{
    size_t count = mb_pkcs7_padding(job->out + job->in_len - how->block, how->block);
    job->out_len = job->in_len - count;
    return unpadded(count);
}

/* A message whose tag is wrong is cleared. */
static mb_status forget(mb_job *job, mb_status status)
{
    if (job->in_len > 0)
        memset(job->out, 0, job->in_len);
    job->out_len = 0;
    return status;
}

static mb_status decrypt_message(mb_job *job)
{
    const mb_steps_state *state = job->ctx;
    const mb_steps *how = state->how;
    mb_status status = begin(job, how, job->in_len);
    if (status == MB_OK)
        status = crypt(job, how, job->in, job->in_len, job->out);
    if (status == MB_OK && how->padded)
        /* And no more: the time must not tell whether the padding is good. */
        return unpad(job, how);
    if (status == MB_OK)
        status = check(job);
    return status == MB_OK ? status : forget(job, status);
}

static mb_status decrypt_messages(mb_job *job, uint32_t n)
{
    const mb_steps_state *state = job->ctx;
    const mb_steps *how = state->how;
    if (job->in_len > job->out_cap)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (how->padded && (job->in_len == 0 || past_block(how, job->in_len) != 0))
        return MB_REJECTED;
    return mb_repeat(job, n, decrypt_message);
}

static mb_status continue_message(mb_job *job)
{
    const mb_steps_state *state = job->ctx;
    mb_process process = job->op == MB_DECRYPT ? state->how->decrypt : state->how->encrypt;
    return process(job, job->out, job->in_len, job->out);
}

static mb_status whole_in_place(mb_job *job)
{
    const mb_steps_state *state = job->ctx;
    mb_status status = begin(job, state->how, job->in_len);
    return status == MB_OK ? continue_message(job) : status;
}

static mb_status bulk(mb_job *job, uint32_t n)
{
    const mb_steps_state *state = job->ctx;
    if (state->how->whole_message)
        return mb_repeat(job, n, whole_in_place);
    return job->in_len > 0 ? mb_repeat(job, n, continue_message) : MB_OK;
}

static mb_status direct_bulk(mb_job *job, uint32_t n)
{
    const mb_steps_state *state = job->ctx;
    const mb_steps *how = state->how;
    do
        how->direct(how->direct_state, job->out, job->out, job->in_len);
    while (--n > 0);
    return MB_OK;
}

static mb_status set_keys(mb_job *job, uint32_t n)
{
    const mb_steps_state *state = job->ctx;
    return mb_repeat(job, n, state->how->set_key);
}

static mb_status unknown(mb_job *job, uint32_t n)
{
    (void)job, (void)n;
    return mb_note(MB_UNSUPPORTED, "not an operation of ciphers");
}

/* Before the clock runs: what is timed has one thing to do. */
static mb_run *runs_of(const mb_job *job, const mb_steps *how)
{
    switch (job->op) {
    case MB_KEY_SETUP:
        return set_keys;
    case MB_ENCRYPT:
    case MB_DECRYPT:
        return how->direct != NULL && job->in_len > 0 ? direct_bulk : bulk;
    case MB_ENCRYPT_MESSAGE:
    case MB_ENCRYPT_NEW_KEY:
        return encrypt_messages;
    case MB_DECRYPT_MESSAGE:
        return decrypt_messages;
    default:
        return unknown;
    }
}

#if MB_STREAMING
static mb_status own_decrypt_messages(mb_job *job, uint32_t n)
{
    const mb_steps_state *state = job->ctx;
    mb_status status = state->how->runs.decrypt_message(job, n);
    return status == MB_OK || state->tag_len == 0 ? status : forget(job, status);
}

/* The adapter's own, or NULL. */
static mb_run *own_run(const mb_job *job, const mb_steps *how)
{
    switch (job->op) {
    case MB_KEY_SETUP:
        return how->runs.key_setup;
    case MB_ENCRYPT:
        return job->in_len > 0 ? how->runs.encrypt : NULL;
    case MB_DECRYPT:
        return job->in_len > 0 ? how->runs.decrypt : NULL;
    case MB_ENCRYPT_MESSAGE:
        return how->runs.encrypt_message;
    case MB_ENCRYPT_NEW_KEY:
        return how->runs.encrypt_new_key;
    case MB_DECRYPT_MESSAGE:
        return how->runs.decrypt_message != NULL ? own_decrypt_messages : NULL;
    default:
        return NULL;
    }
}

/* True if job->out has room for what an own run makes; padding is the adapter's own matter. */
static bool fits(const mb_job *job, const mb_steps_state *state)
{
    return job->in_len <= job->out_cap &&
           (mb_steps_decrypts(job) || state->tag_len <= job->tag_out_cap || job->op == MB_ENCRYPT ||
            job->op == MB_KEY_SETUP);
}
#endif

mb_status mb_steps_open(mb_job *job, const mb_steps *how)
{
    const mb_scheme *scheme = job->scheme;
    mb_steps_state *state = job->ctx;
    state->how = how;
    state->driven.run = runs_of(job, how);
#if MB_STREAMING
    state->process = how->last != NULL        ? how->last
                     : mb_steps_decrypts(job) ? how->decrypt
                                              : how->encrypt;
    state->takes_empty = how->whole_message || how->last != NULL;
    mb_run *own = own_run(job, how);
    if (own != NULL)
        state->driven.run = own;
#endif
    state->tag_len = scheme->tag_max > 0 ? tag_len_of(job) : 0;
    if (state->tag_len < scheme->tag_min || state->tag_len > scheme->tag_max ||
        state->tag_len > MB_STEPS_TAG_MAX)
        return mb_note(MB_UNSUPPORTED, "tag length is not offered");
    if ((job->op == MB_ENCRYPT || job->op == MB_DECRYPT) && past_block(how, job->in_len) != 0)
        return mb_note(MB_UNSUPPORTED, "input is not a multiple of the block");
#if MB_STREAMING
    if (own != NULL && !fits(job, state))
        return mb_note(MB_TOO_BIG, "output does not fit");
#endif
    mb_status status = mb_check_lengths(job, job->op != MB_KEY_SETUP);
    return status == MB_OK ? how->set_key(job) : status;
}

#if MB_STREAMING

/* Begins a message that is streamed when its first chunk comes. */
static mb_status begin_stream(mb_job *job, mb_steps_state *state)
{
    if (state->begun)
        return MB_OK;
    state->begun = true;
    return begin(job, state->how, (size_t)job->total_len);
}

mb_status mb_steps_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                          size_t *out_len)
{
    mb_steps_state *state = job->ctx;
    const mb_steps *how = state->how;
    bool decrypt = mb_steps_decrypts(job);
    mb_status status = begin_stream(job, state);
    if (status != MB_OK)
        return status;
    return mb_block_buffer_update(
        &state->buffer, how->block, decrypt && how->padded, decrypt ? how->decrypt : how->encrypt,
        job, in, in_len, out, out_len);
}

/* The last block of a padded message. */
static mb_status final_block(mb_job *job, mb_steps_state *state, uint8_t *out, size_t *out_len)
{
    const mb_steps *how = state->how;
    if (!mb_steps_decrypts(job)) {
        mb_pkcs7_pad(out, how->block, state->buffer.bytes, state->buffer.len);
        *out_len = how->block;
        return how->encrypt(job, out, how->block, out);
    }
    if (state->buffer.len != how->block)
        return MB_REJECTED;
    mb_status status = how->decrypt(job, state->buffer.bytes, how->block, out);
    size_t count = mb_pkcs7_padding(out, how->block);
    if (status != MB_OK)
        return status;
    *out_len = how->block - count;
    return unpadded(count);
}

mb_status mb_steps_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    mb_steps_state *state = job->ctx;
    *out_len = 0;
    mb_status status = begin_stream(job, state);
    if (status != MB_OK)
        return status;
    if (state->how->padded) {
        status = final_block(job, state, out, out_len);
    } else {
        status = crypt(job, state->how, state->buffer.bytes, state->buffer.len, out);
        *out_len = state->buffer.len;
        if (status == MB_OK)
            status = mb_steps_decrypts(job) ? check(job) : seal(job);
    }
    state->buffer.len = 0;
    if (status != MB_OK)
        *out_len = 0;
    return status;
}

#endif

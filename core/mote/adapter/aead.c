/* AEADs, and block ciphers in modes that authenticate. */
#include "mote_adapter.h"
#include "motebench/marks.h"

/*
 * State that the steps of the AEAD work on: the mode's state beside the schedule, or all of the
 * cipher's own.
 */
static inline void *state_of(mote_cipher_job *s)
{
    return s->row->aead_mode != NULL ? (void *)s->mode.aead : (void *)s->state;
}

static mb_status set_key(mb_job *job)
{
    mote_cipher_job *s = job->ctx;
    const mote_row *row = s->row;
    if (row->aead_mode != NULL) {
        row->block->set_key(s->state, job->key);
        row->aead_mode->bind(s->mode.aead, row->block, s->state);
    } else {
        row->aead->set_key(s->state, job->key);
    }
    return MB_OK;
}

static mote_aead_message message_of(const mb_job *job, size_t len)
{
    const mote_cipher_job *s = job->ctx;
    return (mote_aead_message){
        .nonce = job->nonce,
        .aad = job->aad,
        .nonce_len = (uint8_t)job->nonce_len,
        .tag_len = (uint8_t)s->steps.tag_len,
        .aad_len = job->aad_len,
        .message_len = len};
}

static mb_status begin(mb_job *job, size_t len)
{
    mote_cipher_job *s = job->ctx;
    const mote_aead_message message = message_of(job, len);
    s->row->aead->start(state_of(s), &message);
    return MB_OK;
}

static mb_status encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    mote_cipher_job *s = job->ctx;
    s->row->aead->encrypt(state_of(s), in, out, len);
    return MB_OK;
}

static mb_status decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    mote_cipher_job *s = job->ctx;
    s->row->aead->decrypt(state_of(s), in, out, len);
    return MB_OK;
}

/* All of a message and its tag in one call. */
static mb_status decrypt_and_check(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    mote_cipher_job *s = job->ctx;
    return MB_PUBLIC_RESULT(s->row->aead->library->open(state_of(s), in, out, len, job->tag)) == 0
               ? MB_OK
               : MB_REJECTED;
}

static mb_status tag(mb_job *job, uint8_t *out, size_t len)
{
    mote_cipher_job *s = job->ctx;
    (void)len; /* what `start` was told */
    s->row->aead->tag(state_of(s), out);
    return MB_OK;
}

static mb_status open_job(mb_job *job)
{
    mote_cipher_job *s = job->ctx;
    const mote_row *row = s->row = job->scheme->param;
    const mote_aead_mode *mode = row->aead_mode;
    s->how = (mb_steps){
        .set_key = set_key,
        .begin = begin,
        .encrypt = encrypt,
        .decrypt = decrypt,
        .tag = tag,
        .block = (uint8_t)job->scheme->block,
        .whole_message = mode != NULL && mode->told_len};
    uint8_t (*takes)(const mote_aead_message *message) = mode != NULL ? mode->takes : NULL;
    const mote_library_aead *library = row->aead->library;
    if (library != NULL) {
        takes = library->takes;
        s->how.whole_message = library->told_len || library->one_call;
        if (library->open != NULL) {
            s->how.decrypt = decrypt_and_check;
            s->how.verifies = true;
        }
    }
    if (!s->how.whole_message) {
        s->how.direct = mb_steps_decrypts(job) ? row->aead->decrypt : row->aead->encrypt;
        s->how.direct_state = state_of(s);
    }
    mb_status status = mb_steps_open(job, &s->how);
    if (status != MB_OK || job->op == MB_KEY_SETUP || takes == NULL)
        return status;
    const mote_aead_message message = message_of(job, (size_t)job->total_len);
    return takes(&message)
               ? MB_OK
               : mb_note(MB_UNSUPPORTED, "lengths of nonce, tag and message do not fit together");
}

const mb_kind mote_aead_kind = {
    .open = open_job,
    .start = mb_steps_start,
    .run = mb_drive_run,
    .update = MB_IF_STREAMING(mb_steps_update),
    .final = MB_IF_STREAMING(mb_steps_final),
    .close = mote_close,
};

/* Block ciphers in modes that only encrypt. ECB and CBC get PKCS#7 padding from support/steps.h. */
#include "mote_adapter.h"

static mb_status set_key(mb_job *job)
{
    mote_cipher_job *s = job->ctx;
    const mote_block_cipher *cipher = s->row->block;
    const mote_mode *mode = s->row->mode;
    const bool decrypts = mode->inverts && mb_steps_decrypts(job);
    if (mode->library != NULL && mode->library->set_key != NULL)
        mode->library->set_key(cipher, s->state, job->key, decrypts);
    else if (cipher->set_decrypt_key != NULL && decrypts)
        cipher->set_decrypt_key(s->state, job->key);
    else
        cipher->set_key(s->state, job->key);
    return MB_OK;
}

static mb_status begin(mb_job *job, size_t len)
{
    mote_cipher_job *s = job->ctx;
    const mote_library_mode *library = s->row->mode->library;
    mote_chain_start(s->mode.chain, s->row->block, s->state,
                     job->nonce_len > 0 ? job->nonce : NULL);
    if (library != NULL && library->begin != NULL && !library->begin(s->mode.chain, len))
        return mb_note(MB_UNSUPPORTED, "the library does not take this IV with this length");
    return MB_OK;
}

static mb_status encrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    mote_cipher_job *s = job->ctx;
    s->row->mode->encrypt(s->mode.chain, in, out, len);
    return MB_OK;
}

static mb_status decrypt(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    mote_cipher_job *s = job->ctx;
    s->row->mode->decrypt(s->mode.chain, in, out, len);
    return MB_OK;
}

static mb_status open_job(mb_job *job)
{
    mote_cipher_job *s = job->ctx;
    const mote_mode *mode;
    s->row = job->scheme->param;
    mode = s->row->mode;
    s->how = (mb_steps){
        .set_key = set_key,
        .begin = begin,
        .encrypt = encrypt,
        .decrypt = decrypt,
        .direct = mb_steps_decrypts(job) ? mode->decrypt : mode->encrypt,
        .direct_state = s->mode.chain,
        .block = (uint8_t)job->scheme->block,
        .padded = mode->whole_blocks != 0};
    return mb_steps_open(job, &s->how);
}

const mb_kind mote_chain_kind = {
    .open = open_job,
    .start = mb_steps_start,
    .run = mb_drive_run,
    .update = MB_IF_STREAMING(mb_steps_update),
    .final = MB_IF_STREAMING(mb_steps_final),
    .close = mote_close,
};

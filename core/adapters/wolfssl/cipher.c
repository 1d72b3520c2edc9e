/*
 * Ciphers without authentication.
 *
 * What is timed:
 *   KEY_SETUP            the library's call that sets the key.
 *   ENCRYPT, DECRYPT     its call for data, in place. XTS: each call is one data unit and encrypts its number.
 *   ENCRYPT_MESSAGE, DECRYPT_MESSAGE, ENCRYPT_NEW_KEY
 *                        (the key,) the nonce, the data; ECB and CBC: PKCS#7 padding, added and checked here, because
 *                        wolfCrypt does not pad.
 */
#include "support/pkcs7.h"
#include "ws.h"

#include <string.h>

static mb_status cipher_open(mb_job *job)
{
    const ws_cipher *cipher = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    s->job = job;
    s->encrypt = job->op != MB_DECRYPT && job->op != MB_DECRYPT_MESSAGE;
    mb_status status = ws_check_lengths(job, job->op != MB_KEY_SETUP);
    if (status != MB_OK)
        return status;
    if (job->op != MB_KEY_SETUP && job->nonce_len != cipher->nonce_min && job->nonce_len != cipher->nonce_max)
        return ws_fail(MB_UNSUPPORTED, "nonce length is not offered");
    if ((job->op == MB_ENCRYPT || job->op == MB_DECRYPT) && job->in_len % cipher->block != 0)
        return ws_fail(MB_UNSUPPORTED, "input is not a multiple of the block");
    if (cipher->whole_message && job->op != MB_KEY_SETUP && job->in_len < AES_BLOCK_SIZE)
        return ws_fail(MB_UNSUPPORTED, "a data unit has at least one block");
    int err = cipher->init ? cipher->init(s) : 0;
    if (!err)
        err = cipher->set_key(s, job->key, (word32)job->key_len);
    return ws_check(err);
}

static int begin(const ws_cipher *cipher, ws_cipher_state *s)
{
    return cipher->begin ? cipher->begin(s) : 0;
}

static mb_status cipher_start(mb_job *job)
{
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    s->held.len = 0;
    return job->op == MB_KEY_SETUP ? MB_OK : ws_check(begin(job->scheme->param, s));
}

static mb_status key_setups(mb_job *job, uint32_t n)
{
    const ws_cipher *cipher = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    int err = 0;
    for (uint32_t i = 0; i < n && !err; i++)
        err = cipher->set_key(s, job->key, (word32)job->key_len);
    job->out_len = 0;
    return ws_check(err);
}

static mb_status bulk(mb_job *job, ws_crypt crypt, uint32_t n)
{
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    uint8_t *data = job->out;
    word32 len = (word32)job->in_len;
    int err = 0;
    for (uint32_t i = 0; i < n && !err; i++)
        err = crypt(s, data, data, len);
    job->out_len = job->in_len;
    return ws_check(err);
}

static int encrypt_padded(const ws_cipher *cipher, ws_cipher_state *s, const mb_job *job)
{
    size_t full = job->in_len - job->in_len % cipher->block;
    uint8_t *last = job->out + full;
    int err = full > 0 ? cipher->encrypt(s, job->out, job->in, (word32)full) : 0;
    mb_pkcs7_pad(last, cipher->block, job->in + full, job->in_len - full);
    return err ? err : cipher->encrypt(s, last, last, cipher->block);
}

static int encrypt_message(const ws_cipher *cipher, ws_cipher_state *s, const mb_job *job)
{
    int err = begin(cipher, s);
    if (err)
        return err;
    if (cipher->padded)
        return encrypt_padded(cipher, s, job);
    return job->in_len > 0 ? cipher->encrypt(s, job->out, job->in, (word32)job->in_len) : 0;
}

static mb_status encrypt_messages(mb_job *job, uint32_t n, bool new_key)
{
    const ws_cipher *cipher = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    size_t out_len = cipher->padded ? (job->in_len / cipher->block + 1) * cipher->block : job->in_len;
    if (out_len > job->out_cap)
        return ws_fail(MB_TOO_BIG, "output does not fit");
    int err = 0;
    if (new_key) {
        for (uint32_t i = 0; i < n && !err; i++) {
            err = cipher->set_key(s, job->key, (word32)job->key_len);
            if (!err)
                err = encrypt_message(cipher, s, job);
        }
    } else {
        for (uint32_t i = 0; i < n && !err; i++)
            err = encrypt_message(cipher, s, job);
    }
    job->out_len = out_len;
    return ws_check(err);
}

static mb_status decrypt_message(const ws_cipher *cipher, ws_cipher_state *s, mb_job *job)
{
    size_t len = job->in_len;
    if (cipher->padded && (len == 0 || len % cipher->block != 0))
        return MB_REJECTED;
    int err = begin(cipher, s);
    if (!err && len > 0)
        err = cipher->decrypt(s, job->out, job->in, (word32)len);
    if (err)
        return ws_check(err);
    job->out_len = len;
    if (!cipher->padded)
        return MB_OK;
    size_t count = mb_pkcs7_padding(job->out + len - cipher->block, cipher->block);
    job->out_len = len - count;
    return count > 0 ? MB_OK : MB_REJECTED;
}

static mb_status decrypt_messages(mb_job *job, uint32_t n)
{
    const ws_cipher *cipher = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    if (job->in_len > job->out_cap)
        return ws_fail(MB_TOO_BIG, "output does not fit");
    mb_status status = MB_OK;
    for (uint32_t i = 0; i < n && status == MB_OK; i++)
        status = decrypt_message(cipher, s, job);
    if (status != MB_OK) {
        /* Nobody may see what did not verify. */
        if (job->in_len > 0)
            memset(job->out, 0, job->in_len);
        job->out_len = 0;
    }
    return status;
}

static mb_status cipher_run(mb_job *job, uint32_t n)
{
    const ws_cipher *cipher = job->scheme->param;
    switch (job->op) {
    case MB_KEY_SETUP:
        return key_setups(job, n);
    case MB_ENCRYPT:
        return bulk(job, cipher->encrypt, n);
    case MB_DECRYPT:
        return bulk(job, cipher->decrypt, n);
    case MB_ENCRYPT_MESSAGE:
        return encrypt_messages(job, n, false);
    case MB_ENCRYPT_NEW_KEY:
        return encrypt_messages(job, n, true);
    case MB_DECRYPT_MESSAGE:
        return decrypt_messages(job, n);
    default:
        return ws_fail(MB_UNSUPPORTED, "not an operation of ciphers");
    }
}

static mb_status process(mb_job *job, const uint8_t *in, size_t len, uint8_t *out)
{
    const ws_cipher *cipher = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    return ws_check((s->encrypt ? cipher->encrypt : cipher->decrypt)(s, out, in, (word32)len));
}

static mb_status cipher_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    const ws_cipher *cipher = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    bool keep_last = cipher->padded && !s->encrypt;
    return mb_held_update(&s->held, cipher->block, keep_last, process, job, in, in_len, out, out_len);
}

static mb_status cipher_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    const ws_cipher *cipher = job->scheme->param;
    ws_cipher_state *s = &((ws_state *)job->ctx)->cipher;
    size_t block = cipher->block;
    if (!cipher->padded)
        return MB_OK;
    if (s->encrypt) {
        mb_pkcs7_pad(out, block, s->held.bytes, s->held.len);
        *out_len = block;
        return ws_check(cipher->encrypt(s, out, out, (word32)block));
    }
    if (s->held.len != block)
        return MB_REJECTED;
    mb_status status = ws_check(cipher->decrypt(s, out, s->held.bytes, (word32)block));
    size_t count = status == MB_OK ? mb_pkcs7_padding(out, block) : 0;
    *out_len = count > 0 ? block - count : 0;
    return status == MB_OK && count == 0 ? MB_REJECTED : status;
}

/* The contexts hold no memory of their own in builds without hardware devices; they are wiped all the same. */
static void cipher_close(mb_job *job)
{
    memset(job->ctx, 0, sizeof(ws_cipher_state));
}

const ws_kind ws_cipher_kind = {
    .open = cipher_open,
    .start = cipher_start,
    .run = cipher_run,
    .update = cipher_update,
    .final = cipher_final,
    .close = cipher_close,
};

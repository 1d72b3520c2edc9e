/*
 * AEADs.
 *
 * Timed for ENCRYPT_MESSAGE, DECRYPT_MESSAGE: the library's call for a whole message with a
 * detached tag. AES-256-GCM has its key expanded before (crypto_aead_aes256gcm_beforenm:
 * KEY_SETUP), the others take it with each call. There is nothing to process a part of a message
 * with, or one without its tag, therefore no ENCRYPT, DECRYPT and no files.
 */
#include "libsodium_adapter.h"

static mb_status expand_key(mb_job *job)
{
    return adapter_check(
        crypto_aead_aes256gcm_beforenm(&adapter_state_of(job)->aes256gcm, job->key));
}

static mb_status no_key(mb_job *job)
{
    (void)job;
    return MB_OK;
}

MB_REPEAT(expand_keys, expand_key)

/* `key` is what the functions of this AEAD take as the last argument, set_key what makes it. */
#define AEAD(name, seal, open, key, set_key)                                                    \
    static mb_status name##_seal(mb_job *job)                                                   \
    {                                                                                           \
        return adapter_check(seal(job->out, job->tag_out, NULL, job->in, job->in_len, job->aad, \
                                  job->aad_len, NULL, job->nonce, key));                        \
    }                                                                                           \
    static mb_status name##_seal_with_new_key(mb_job *job)                                      \
    {                                                                                           \
        mb_status status = set_key(job);                                                        \
        return status == MB_OK ? name##_seal(job) : status;                                     \
    }                                                                                           \
    static mb_status name##_open(mb_job *job)                                                   \
    {                                                                                           \
        return open(job->out, NULL, job->in, job->in_len, job->tag, job->aad, job->aad_len,     \
                    job->nonce, key)                                                            \
                   ? MB_REJECTED                                                                \
                   : MB_OK;                                                                     \
    }                                                                                           \
    MB_REPEAT(name##_encrypt, name##_seal)                                                      \
    MB_REPEAT(name##_encrypt_new_key, name##_seal_with_new_key)                                 \
    MB_REPEAT(name##_decrypt, name##_open)

AEAD(aes256gcm, crypto_aead_aes256gcm_encrypt_detached_afternm,
     crypto_aead_aes256gcm_decrypt_detached_afternm, &adapter_state_of(job)->aes256gcm, expand_key)
AEAD(chacha20_poly1305, crypto_aead_chacha20poly1305_ietf_encrypt_detached,
     crypto_aead_chacha20poly1305_ietf_decrypt_detached, job->key, no_key)
AEAD(xchacha20_poly1305, crypto_aead_xchacha20poly1305_ietf_encrypt_detached,
     crypto_aead_xchacha20poly1305_ietf_decrypt_detached, job->key, no_key)

static mb_status aead_open(mb_job *job)
{
    const adapter_aead *aead = job->scheme->param;
    adapter_ctx *ctx = job->ctx;
    ctx->how = (mb_steps){
        .set_key = aead->set_key,
        .block = 1,
        .runs = {.key_setup = aead->set_keys,
                 .encrypt_message = aead->encrypt,
                 .encrypt_new_key = aead->encrypt_new_key,
                 .decrypt_message = aead->decrypt}};
    return mb_steps_open(job, &ctx->how);
}

const mb_kind adapter_aead_kind = {.open = aead_open, .start = mb_steps_start, .run = mb_drive_run};

#define ROW(name, set_key, set_keys) \
    {&adapter_aead_kind, name##_encrypt, name##_encrypt_new_key, name##_decrypt, set_key, set_keys}
const adapter_aead adapter_aes256gcm = ROW(aes256gcm, expand_key, expand_keys);
const adapter_aead adapter_chacha20_poly1305 = ROW(chacha20_poly1305, no_key, NULL);
const adapter_aead adapter_xchacha20_poly1305 = ROW(xchacha20_poly1305, no_key, NULL);

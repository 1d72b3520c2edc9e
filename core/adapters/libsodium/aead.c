/*
 * AEADs.
 *
 * What is timed, ENCRYPT_MESSAGE, DECRYPT_MESSAGE: the library's call for a whole message with a detached tag.
 * AES-256-GCM has its key expanded before (crypto_aead_aes256gcm_beforenm: KEY_SETUP), the others take it with each
 * call. There is nothing to process a part of a message with, or one without its tag, therefore no ENCRYPT, DECRYPT and
 * no files.
 */
#include "so.h"

/* The loops of one AEAD. `key` is what its functions take as the last argument. */
#define AEAD(name, seal, open, key)                                                                              \
    static mb_status name##_encrypt(mb_job *job, const so_ctx *ctx, uint32_t n)                                  \
    {                                                                                                            \
        int bad = 0;                                                                                             \
        (void)ctx;                                                                                               \
        for (uint32_t i = 0; i < n && !bad; i++)                                                                 \
            bad = seal(job->out, job->tag_out, NULL, job->in, job->in_len, job->aad, job->aad_len, NULL,         \
                       job->nonce, key);                                                                         \
        return so_check(bad);                                                                                    \
    }                                                                                                            \
    static mb_status name##_decrypt(mb_job *job, const so_ctx *ctx, uint32_t n)                                  \
    {                                                                                                            \
        int bad = 0;                                                                                             \
        (void)ctx;                                                                                               \
        for (uint32_t i = 0; i < n && !bad; i++)                                                                 \
            bad = open(job->out, NULL, job->in, job->in_len, job->tag, job->aad, job->aad_len, job->nonce, key); \
        return bad ? MB_REJECTED : MB_OK;                                                                        \
    }

AEAD(aes256gcm, crypto_aead_aes256gcm_encrypt_detached_afternm, crypto_aead_aes256gcm_decrypt_detached_afternm,
     &ctx->aes256gcm)
AEAD(chacha20_poly1305, crypto_aead_chacha20poly1305_ietf_encrypt_detached,
     crypto_aead_chacha20poly1305_ietf_decrypt_detached, job->key)
AEAD(xchacha20_poly1305, crypto_aead_xchacha20poly1305_ietf_encrypt_detached,
     crypto_aead_xchacha20poly1305_ietf_decrypt_detached, job->key)

static const so_aead *aead_of(const mb_job *job)
{
    return job->scheme->param;
}

static mb_status set_keys(mb_job *job, uint32_t n)
{
    int bad = 0;
    for (uint32_t i = 0; i < n && !bad && aead_of(job)->set_key; i++)
        bad = aead_of(job)->set_key(&so_ctx_of(job)->aes256gcm, job->key);
    return so_check(bad);
}

static mb_status aead_open(mb_job *job)
{
    size_t tag_len;
    mb_status status = mb_check_lengths(job, job->op != MB_KEY_SETUP);
    if (status == MB_OK)
        status = mb_tag_length(job, &tag_len);
    if (status == MB_OK && job->out_cap < job->in_len)
        status = mb_note(MB_TOO_BIG, "output does not fit");
    return status == MB_OK ? set_keys(job, 1) : status;
}

static mb_status aead_run(mb_job *job, uint32_t n)
{
    const so_aead *aead = aead_of(job);
    so_ctx *ctx = so_ctx_of(job);
    mb_status status = MB_OK;
    job->out_len = job->op == MB_KEY_SETUP ? 0 : job->in_len;
    job->tag_out_len = job->op == MB_ENCRYPT_MESSAGE || job->op == MB_ENCRYPT_NEW_KEY ? job->scheme->tag_max : 0;
    switch (job->op) {
    case MB_KEY_SETUP:
        return set_keys(job, n);
    case MB_ENCRYPT_NEW_KEY:
        for (uint32_t i = 0; i < n && status == MB_OK; i++) {
            status = set_keys(job, 1);
            if (status == MB_OK)
                status = aead->encrypt(job, ctx, 1);
        }
        return status;
    case MB_ENCRYPT_MESSAGE:
        return aead->encrypt(job, ctx, n);
    default:
        status = aead->decrypt(job, ctx, n);
        if (status != MB_OK)
            job->out_len = 0; /* the library has wiped the output */
        return status;
    }
}

const mb_kind so_aead_kind = {.open = aead_open, .run = aead_run};

const so_aead so_aes256gcm = {&so_aead_kind, aes256gcm_encrypt, aes256gcm_decrypt, crypto_aead_aes256gcm_beforenm};
const so_aead so_chacha20_poly1305 = {&so_aead_kind, chacha20_poly1305_encrypt, chacha20_poly1305_decrypt, NULL};
const so_aead so_xchacha20_poly1305 = {&so_aead_kind, xchacha20_poly1305_encrypt, xchacha20_poly1305_decrypt, NULL};

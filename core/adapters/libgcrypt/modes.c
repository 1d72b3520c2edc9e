/*
 * The modes of operation, and how libgcrypt wants a message begun in each.
 *
 * gcry_cipher_setiv begins a new message with the key that was set before; it also clears what is
 * left of an earlier finished message in GCM, CCM, OCB and Poly1305. Lengths: "Libgcrypt Reference
 * Manual", Working with cipher handles; CCM: SP 800-38C A.1; GCM: SP 800-38D 5.2.1; OCB: RFC 7253
 * 4.2 (libgcrypt takes nonces from 8 bytes).
 */
#include "libgcrypt_adapter.h"

static mb_status begin_iv(mb_job *job, size_t len)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    return adapter_check(gcry_cipher_setiv(ctx->h, job->nonce, job->nonce_len));
}

static mb_status begin_counter(mb_job *job, size_t len)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    return adapter_check(gcry_cipher_setctr(ctx->h, job->nonce, job->nonce_len));
}

/*
 * RC4 has no nonce: a new message starts from the state that the key gave, which the library keeps
 * a copy of.
 */
static mb_status begin_reset(mb_job *job, size_t len)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    return adapter_check(gcry_cipher_reset(ctx->h));
}

static mb_status begin_aead(mb_job *job, size_t len)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    gcry_error_t err = gcry_cipher_setiv(ctx->h, job->nonce, job->nonce_len);
    if (!err && job->aad_len > 0)
        err = gcry_cipher_authenticate(ctx->h, job->aad, job->aad_len);
    return adapter_check(err);
}

/* EAX: here setiv leaves the rest of the last key stream block in place, so reset as well. */
static mb_status begin_eax(mb_job *job, size_t len)
{
    mb_status status = begin_reset(job, len);
    return status == MB_OK ? begin_aead(job, len) : status;
}

/* CCM authenticates all lengths first. */
static mb_status begin_ccm(mb_job *job, size_t len)
{
    const adapter_cipher_ctx *ctx = job->ctx;
    uint64_t lengths[3] = {len, job->aad_len, ctx->steps.tag_len};
    gcry_error_t err = gcry_cipher_setiv(ctx->h, job->nonce, job->nonce_len);
    if (!err)
        err = gcry_cipher_ctl(ctx->h, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths);
    if (!err && job->aad_len > 0)
        err = gcry_cipher_authenticate(ctx->h, job->aad, job->aad_len);
    return adapter_check(err);
}

const adapter_mode adapter_modes[ADAPTER_MODE_COUNT] = {
    [ADAPTER_ECB] = {.suffix = "-ecb",
                     .mode = GCRY_CIPHER_MODE_ECB,
                     .padded = true,
                     .whole_blocks = true,
                     .can_stream = true},
    [ADAPTER_CBC] = {.suffix = "-cbc",
                     .mode = GCRY_CIPHER_MODE_CBC,
                     .begin = begin_iv,
                     .nonce_min = ADAPTER_BLOCK,
                     .nonce_max = ADAPTER_BLOCK,
                     .padded = true,
                     .whole_blocks = true,
                     .can_stream = true},
    [ADAPTER_CFB] = {.suffix = "-cfb",
                     .mode = GCRY_CIPHER_MODE_CFB,
                     .begin = begin_iv,
                     .nonce_min = ADAPTER_BLOCK,
                     .nonce_max = ADAPTER_BLOCK,
                     .can_stream = true},
    [ADAPTER_CFB8] = {.suffix = "-cfb8",
                      .mode = GCRY_CIPHER_MODE_CFB8,
                      .begin = begin_iv,
                      .nonce_min = ADAPTER_BLOCK,
                      .nonce_max = ADAPTER_BLOCK,
                      .can_stream = true},
    [ADAPTER_OFB] = {.suffix = "-ofb",
                     .mode = GCRY_CIPHER_MODE_OFB,
                     .begin = begin_iv,
                     .nonce_min = ADAPTER_BLOCK,
                     .nonce_max = ADAPTER_BLOCK,
                     .can_stream = true},
    [ADAPTER_CTR] = {.suffix = "-ctr",
                     .mode = GCRY_CIPHER_MODE_CTR,
                     .begin = begin_counter,
                     .nonce_min = ADAPTER_BLOCK,
                     .nonce_max = ADAPTER_BLOCK,
                     .can_stream = true},
    [ADAPTER_GCM] = {.suffix = "-gcm",
                     .mode = GCRY_CIPHER_MODE_GCM,
                     .begin = begin_aead,
                     .nonce_min = 1,
                     .nonce_max = UINT16_MAX - 1,
                     .tag_min = 4,
                     .tag_max = 16,
                     .can_stream = true},
    [ADAPTER_CCM] = {.suffix = "-ccm",
                     .mode = GCRY_CIPHER_MODE_CCM,
                     .begin = begin_ccm,
                     .nonce_min = 7,
                     .nonce_max = 13,
                     .tag_min = 4,
                     .tag_max = 16,
                     .whole_message = true,
                     .can_stream = true},
    [ADAPTER_OCB] = {.suffix = "-ocb",
                     .mode = GCRY_CIPHER_MODE_OCB,
                     .begin = begin_aead,
                     .nonce_min = 8,
                     .nonce_max = 15,
                     .tag_min = 8,
                     .tag_max = 16,
                     .whole_blocks = true,
                     .finalize = true,
                     .can_stream = true},
    [ADAPTER_EAX] = {.suffix = "-eax",
                     .mode = GCRY_CIPHER_MODE_EAX,
                     .begin = begin_eax,
                     .nonce_min = 1,
                     .nonce_max = UINT16_MAX - 1,
                     .tag_min = 1,
                     .tag_max = 16,
                     .can_stream = true},
    [ADAPTER_XTS] = {.suffix = "-xts",
                     .mode = GCRY_CIPHER_MODE_XTS,
                     .begin = begin_iv,
                     .nonce_min = ADAPTER_BLOCK,
                     .nonce_max = ADAPTER_BLOCK},
    [ADAPTER_SALSA20] = {.suffix = "",
                         .mode = GCRY_CIPHER_MODE_STREAM,
                         .begin = begin_iv,
                         .nonce_min = 8,
                         .nonce_max = 8,
                         .can_stream = true},
    [ADAPTER_CHACHA20] = {.suffix = "",
                          .mode = GCRY_CIPHER_MODE_STREAM,
                          .begin = begin_iv,
                          .nonce_min = 8,
                          .nonce_max = 16,
                          .can_stream = true},
    [ADAPTER_RC4] =
        {.suffix = "", .mode = GCRY_CIPHER_MODE_STREAM, .begin = begin_reset, .can_stream = true},
    [ADAPTER_POLY1305] = {.suffix = "-poly1305",
                          .mode = GCRY_CIPHER_MODE_POLY1305,
                          .begin = begin_aead,
                          .nonce_min = 12,
                          .nonce_max = 12,
                          .tag_min = 16,
                          .tag_max = 16,
                          .can_stream = true},
};

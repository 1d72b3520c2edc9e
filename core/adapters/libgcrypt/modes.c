/*
 * The modes of operation, and how libgcrypt wants a message begun in each.
 *
 * gcry_cipher_setiv begins a new message with the key that was set before; it also clears what is left of an earlier
 * finished message in GCM, CCM, OCB and Poly1305. Lengths: "Libgcrypt Reference Manual", Working with cipher handles;
 * CCM: SP 800-38C A.1; GCM: SP 800-38D 5.2.1; OCB: RFC 7253 4.2 (libgcrypt takes nonces from 8 bytes).
 */
#include "lg.h"

static gcry_error_t begin_nothing(const mb_job *job, lg_cipher_ctx *ctx, size_t len)
{
    (void)job, (void)ctx, (void)len;
    return 0;
}

static gcry_error_t begin_iv(const mb_job *job, lg_cipher_ctx *ctx, size_t len)
{
    (void)len;
    return gcry_cipher_setiv(ctx->h, job->nonce, job->nonce_len);
}

static gcry_error_t begin_counter(const mb_job *job, lg_cipher_ctx *ctx, size_t len)
{
    (void)len;
    return gcry_cipher_setctr(ctx->h, job->nonce, job->nonce_len);
}

/* RC4 has no nonce: a new message starts from the state that the key gave, which the library keeps a copy of. */
static gcry_error_t begin_reset(const mb_job *job, lg_cipher_ctx *ctx, size_t len)
{
    (void)job, (void)len;
    return gcry_cipher_reset(ctx->h);
}

static gcry_error_t begin_aead(const mb_job *job, lg_cipher_ctx *ctx, size_t len)
{
    (void)len;
    gcry_error_t err = gcry_cipher_setiv(ctx->h, job->nonce, job->nonce_len);
    if (!err && job->aad_len > 0)
        err = gcry_cipher_authenticate(ctx->h, job->aad, job->aad_len);
    return err;
}

/* EAX: here setiv leaves the rest of the last key stream block in place, so reset as well. */
static gcry_error_t begin_eax(const mb_job *job, lg_cipher_ctx *ctx, size_t len)
{
    gcry_error_t err = gcry_cipher_reset(ctx->h);
    return err ? err : begin_aead(job, ctx, len);
}

/* CCM authenticates all lengths first. */
static gcry_error_t begin_ccm(const mb_job *job, lg_cipher_ctx *ctx, size_t len)
{
    gcry_error_t err = gcry_cipher_setiv(ctx->h, job->nonce, job->nonce_len);
    if (err)
        return err;
    uint64_t lengths[3] = {len, job->aad_len, ctx->tag_len};
    err = gcry_cipher_ctl(ctx->h, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths);
    if (!err && job->aad_len > 0)
        err = gcry_cipher_authenticate(ctx->h, job->aad, job->aad_len);
    return err;
}

/* clang-format off */
const lg_mode lg_modes[LG_MODE_COUNT] = {
    [LG_ECB] = {.suffix = "-ecb", .mode = GCRY_CIPHER_MODE_ECB, .begin = begin_nothing,
     .padded = true, .whole_blocks = true, .can_stream = true},
    [LG_CBC] = {.suffix = "-cbc", .mode = GCRY_CIPHER_MODE_CBC, .begin = begin_iv,
     .nonce_min = LG_BLOCK, .nonce_max = LG_BLOCK,
     .padded = true, .whole_blocks = true, .can_stream = true},
    [LG_CFB] = {.suffix = "-cfb", .mode = GCRY_CIPHER_MODE_CFB, .begin = begin_iv,
     .nonce_min = LG_BLOCK, .nonce_max = LG_BLOCK, .can_stream = true},
    [LG_CFB8] = {.suffix = "-cfb8", .mode = GCRY_CIPHER_MODE_CFB8, .begin = begin_iv,
     .nonce_min = LG_BLOCK, .nonce_max = LG_BLOCK, .can_stream = true},
    [LG_OFB] = {.suffix = "-ofb", .mode = GCRY_CIPHER_MODE_OFB, .begin = begin_iv,
     .nonce_min = LG_BLOCK, .nonce_max = LG_BLOCK, .can_stream = true},
    [LG_CTR] = {.suffix = "-ctr", .mode = GCRY_CIPHER_MODE_CTR, .begin = begin_counter,
     .nonce_min = LG_BLOCK, .nonce_max = LG_BLOCK,
     .can_stream = true},
    [LG_GCM] = {.suffix = "-gcm", .mode = GCRY_CIPHER_MODE_GCM, .begin = begin_aead,
     .nonce_min = 1, .nonce_max = UINT16_MAX - 1,
     .tag_min = 4, .tag_max = 16, .can_stream = true},
    [LG_CCM] = {.suffix = "-ccm", .mode = GCRY_CIPHER_MODE_CCM, .begin = begin_ccm, .nonce_min = 7, .nonce_max = 13,
     .tag_min = 4, .tag_max = 16, .whole_message = true, .can_stream = true},
    [LG_OCB] = {.suffix = "-ocb", .mode = GCRY_CIPHER_MODE_OCB, .begin = begin_aead,
     .nonce_min = 8, .nonce_max = 15,
     .tag_min = 8, .tag_max = 16, .whole_blocks = true, .finalize = true, .can_stream = true},
    [LG_EAX] = {.suffix = "-eax", .mode = GCRY_CIPHER_MODE_EAX, .begin = begin_eax,
     .nonce_min = 1, .nonce_max = UINT16_MAX - 1,
     .tag_min = 1, .tag_max = 16, .can_stream = true},
    [LG_XTS] = {.suffix = "-xts", .mode = GCRY_CIPHER_MODE_XTS, .begin = begin_iv,
     .nonce_min = LG_BLOCK, .nonce_max = LG_BLOCK},
    [LG_SALSA20] = {.suffix = "", .mode = GCRY_CIPHER_MODE_STREAM, .begin = begin_iv,
     .nonce_min = 8, .nonce_max = 8,
     .can_stream = true},
    [LG_CHACHA20] = {.suffix = "", .mode = GCRY_CIPHER_MODE_STREAM, .begin = begin_iv,
     .nonce_min = 8, .nonce_max = 16,
     .can_stream = true},
    [LG_RC4] = {.suffix = "", .mode = GCRY_CIPHER_MODE_STREAM, .begin = begin_reset, .can_stream = true},
    [LG_POLY1305] = {.suffix = "-poly1305", .mode = GCRY_CIPHER_MODE_POLY1305, .begin = begin_aead,
     .nonce_min = 12, .nonce_max = 12,
     .tag_min = 16, .tag_max = 16, .can_stream = true},
};
/* clang-format on */

/*
 * The modes of operation, each with Nettle's own functions: general ones that take any block cipher.
 *
 * Lengths: all calls but the last of a message take whole blocks, because Nettle keeps no rest of a key stream block;
 * see "Cipher functions" and "Authenticated encryption" in the Nettle manual.
 */
#include "nt.h"

#include <nettle/cbc.h>
#include <nettle/cfb.h>
#include <nettle/ctr.h>
#include <nettle/xts.h>
#include <string.h>

/* A function that makes one call `n` times. */
#define CRYPT(name, call)                                                                                   \
    static void name(nt_cipher_ctx *ctx, const uint8_t *in, size_t len, uint8_t *out, uint32_t n)           \
    {                                                                                                       \
        for (uint32_t i = 0; i < n; i++)                                                                    \
            call;                                                                                           \
    }

CRYPT(ecb, ctx->f(&ctx->key, len, out, in))
CRYPT(cbc_any_encrypt, cbc_encrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
CRYPT(cbc_own_encrypt, ctx->cipher->own_cbc(&ctx->key, ctx->iv, len, out, in))
CRYPT(cbc_any_decrypt, cbc_decrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
CRYPT(cfb_any_encrypt, cfb_encrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
CRYPT(cfb_any_decrypt, cfb_decrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
CRYPT(cfb8_any_encrypt, cfb8_encrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
CRYPT(cfb8_any_decrypt, cfb8_decrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
CRYPT(ctr, ctr_crypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
CRYPT(gcm_any_encrypt, gcm_encrypt(&ctx->u.gcm.message, &ctx->u.gcm.key, &ctx->key, ctx->f, len, out, in))
CRYPT(gcm_any_decrypt, gcm_decrypt(&ctx->u.gcm.message, &ctx->u.gcm.key, &ctx->key, ctx->f, len, out, in))
CRYPT(ccm_any_encrypt, ccm_encrypt(&ctx->u.ccm, &ctx->key, ctx->f, len, out, in))
CRYPT(ccm_any_decrypt, ccm_decrypt(&ctx->u.ccm, &ctx->key, ctx->f, len, out, in))
CRYPT(eax_any_encrypt, eax_encrypt(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, len, out, in))
CRYPT(eax_any_decrypt, eax_decrypt(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, len, out, in))
CRYPT(xts_any_encrypt, xts_encrypt_message(&ctx->key, &ctx->second, ctx->f, ctx->iv, len, out, in))
CRYPT(xts_any_decrypt,
      xts_decrypt_message(&ctx->key, &ctx->second, ctx->f, ctx->cipher->block->encrypt, ctx->iv, len, out, in))
CRYPT(rc4, arcfour_crypt(&ctx->key.rc4, len, out, in))
CRYPT(salsa20, salsa20_crypt(&ctx->key.salsa20, len, out, in))
CRYPT(salsa20_12, salsa20r12_crypt(&ctx->key.salsa20, len, out, in))
CRYPT(chacha20, chacha_crypt32(&ctx->key.chacha, len, out, in))
CRYPT(poly1305_encrypt, chacha_poly1305_encrypt(&ctx->key.poly1305, len, out, in))
CRYPT(poly1305_decrypt, chacha_poly1305_decrypt(&ctx->key.poly1305, len, out, in))

static void cbc_best_encrypt(nt_cipher_ctx *ctx, const uint8_t *in, size_t len, uint8_t *out, uint32_t n)
{
    if (ctx->cipher->own_cbc)
        cbc_own_encrypt(ctx, in, len, out, n);
    else
        cbc_any_encrypt(ctx, in, len, out, n);
}

/* Modes that decrypt with the inverse of the block cipher. */
static void key_directed(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    const struct nettle_cipher *block = ctx->cipher->block;
    (void)len;
    if (decrypt)
        block->set_decrypt_key(&ctx->key, key);
    else
        block->set_encrypt_key(&ctx->key, key);
    ctx->f = decrypt ? block->decrypt : block->encrypt;
}

/* Modes that only encrypt blocks. */
static void key_forward(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    (void)decrypt;
    key_directed(ctx, key, len, false);
}

static void key_gcm(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    key_forward(ctx, key, len, decrypt);
    gcm_set_key(&ctx->u.gcm.key, &ctx->key, ctx->f);
}

static void key_eax(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    key_forward(ctx, key, len, decrypt);
    eax_set_key(&ctx->u.eax.key, &ctx->key, ctx->f);
}

static void key_xts(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    key_directed(ctx, key, len / 2, decrypt);
    ctx->cipher->block->set_encrypt_key(&ctx->second, key + len / 2);
}

static void key_rc4(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    (void)decrypt;
    arcfour_set_key(&ctx->second.rc4, len, key);
}

static void key_salsa20(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    (void)decrypt;
    salsa20_set_key(&ctx->key.salsa20, len, key);
}

static void key_chacha20(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    (void)len, (void)decrypt;
    chacha_set_key(&ctx->key.chacha, key);
}

static void key_poly1305(nt_cipher_ctx *ctx, const uint8_t *key, size_t len, bool decrypt)
{
    (void)len, (void)decrypt;
    chacha_poly1305_set_key(&ctx->key.poly1305, key);
}

static void begin_nothing(nt_cipher_ctx *ctx, const mb_job *job)
{
    (void)ctx, (void)job;
}

static void begin_iv(nt_cipher_ctx *ctx, const mb_job *job)
{
    memcpy(ctx->iv, job->nonce, ctx->block);
}

static void begin_gcm(nt_cipher_ctx *ctx, const mb_job *job)
{
    gcm_set_iv(&ctx->u.gcm.message, &ctx->u.gcm.key, job->nonce_len, job->nonce);
    if (job->aad_len > 0)
        gcm_update(&ctx->u.gcm.message, &ctx->u.gcm.key, job->aad_len, job->aad);
}

/* CCM authenticates all lengths first. */
static void begin_ccm(nt_cipher_ctx *ctx, const mb_job *job)
{
    ccm_set_nonce(&ctx->u.ccm, &ctx->key, ctx->f, job->nonce_len, job->nonce, job->aad_len, (size_t)job->total_len,
                  ctx->tag_len);
    if (job->aad_len > 0)
        ccm_update(&ctx->u.ccm, &ctx->key, ctx->f, job->aad_len, job->aad);
}

static void begin_eax(nt_cipher_ctx *ctx, const mb_job *job)
{
    eax_set_nonce(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, job->nonce_len, job->nonce);
    if (job->aad_len > 0)
        eax_update(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, job->aad_len, job->aad);
}

/* RC4 has no nonce: a new message starts from the state that the key gave. */
static void begin_rc4(nt_cipher_ctx *ctx, const mb_job *job)
{
    (void)job;
    ctx->key.rc4 = ctx->second.rc4;
}

static void begin_salsa20(nt_cipher_ctx *ctx, const mb_job *job)
{
    salsa20_set_nonce(&ctx->key.salsa20, job->nonce);
}

/* 12 bytes of nonce, or the counter before them (cipher.c admits nothing else). */
static void begin_chacha20(nt_cipher_ctx *ctx, const mb_job *job)
{
    size_t counter = job->nonce_len - CHACHA_NONCE96_SIZE;
    chacha_set_nonce96(&ctx->key.chacha, job->nonce + counter);
    if (counter > 0)
        chacha_set_counter32(&ctx->key.chacha, job->nonce);
}

static void begin_poly1305(nt_cipher_ctx *ctx, const mb_job *job)
{
    chacha_poly1305_set_nonce(&ctx->key.poly1305, job->nonce);
    if (job->aad_len > 0)
        chacha_poly1305_update(&ctx->key.poly1305, job->aad_len, job->aad);
}

static void tag_gcm(nt_cipher_ctx *ctx, size_t len, uint8_t *tag)
{
    gcm_digest(&ctx->u.gcm.message, &ctx->u.gcm.key, &ctx->key, ctx->f, len, tag);
}

static void tag_ccm(nt_cipher_ctx *ctx, size_t len, uint8_t *tag)
{
    ccm_digest(&ctx->u.ccm, &ctx->key, ctx->f, len, tag);
}

static void tag_eax(nt_cipher_ctx *ctx, size_t len, uint8_t *tag)
{
    eax_digest(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, len, tag);
}

static void tag_poly1305(nt_cipher_ctx *ctx, size_t len, uint8_t *tag)
{
    chacha_poly1305_digest(&ctx->key.poly1305, len, tag);
}

/* clang-format off */
const nt_mode nt_modes[NT_MODE_COUNT] = {
    [NT_ECB] = {key_directed, begin_nothing, ecb, ecb, NULL, .padded = true},
    [NT_CBC] = {key_directed, begin_iv, cbc_best_encrypt, cbc_any_decrypt, NULL, .padded = true},
    [NT_CFB] = {key_forward, begin_iv, cfb_any_encrypt, cfb_any_decrypt, NULL, .piece = 0},
    [NT_CFB8] = {key_forward, begin_iv, cfb8_any_encrypt, cfb8_any_decrypt, NULL, .piece = 1},
    [NT_CTR] = {key_forward, begin_iv, ctr, ctr, NULL, .piece = 0},
    [NT_GCM] = {key_gcm, begin_gcm, gcm_any_encrypt, gcm_any_decrypt, tag_gcm, .piece = 0},
    [NT_CCM] = {key_forward, begin_ccm, ccm_any_encrypt, ccm_any_decrypt, tag_ccm, .whole_message = true},
    [NT_EAX] = {key_eax, begin_eax, eax_any_encrypt, eax_any_decrypt, tag_eax, .piece = 0},
    [NT_XTS] = {key_xts, begin_iv, xts_any_encrypt, xts_any_decrypt, NULL, .piece = 0},
    [NT_RC4] = {key_rc4, begin_rc4, rc4, rc4, NULL, .piece = 1},
    [NT_SALSA20] = {key_salsa20, begin_salsa20, salsa20, salsa20, NULL, .piece = SALSA20_BLOCK_SIZE},
    [NT_SALSA20_12] = {key_salsa20, begin_salsa20, salsa20_12, salsa20_12, NULL, .piece = SALSA20_BLOCK_SIZE},
    [NT_CHACHA20] = {key_chacha20, begin_chacha20, chacha20, chacha20, NULL, .piece = CHACHA_BLOCK_SIZE},
    [NT_POLY1305] = {key_poly1305, begin_poly1305, poly1305_encrypt, poly1305_decrypt, tag_poly1305,
                     .piece = CHACHA_POLY1305_BLOCK_SIZE},
};
/* clang-format on */

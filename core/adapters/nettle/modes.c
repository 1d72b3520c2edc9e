/*
 * The modes of operation, each with Nettle's own functions: general ones that take any block
 * cipher.
 *
 * Lengths: all calls but the last of a message take whole blocks, because Nettle keeps no rest of a
 * key stream block; see "Cipher functions" and "Authenticated encryption" in the Nettle manual.
 */
#include "nettle_adapter.h"

#include <nettle/cbc.h>
#include <nettle/cfb.h>
#include <nettle/ctr.h>
#include <nettle/xts.h>
#include <string.h>

/* A step that makes one call. */
#define CRYPT(name, call)                                                           \
    static mb_status name(mb_job *job, const uint8_t *in, size_t len, uint8_t *out) \
    {                                                                               \
        adapter_cipher_ctx *ctx = job->ctx;                                         \
        call;                                                                       \
        return MB_OK;                                                               \
    }

/* With the loop of it. */
#define BULK_CRYPT(name, call) \
    CRYPT(name, call)          \
    MB_BULK(name##_bulk, name)

BULK_CRYPT(ecb, ctx->f(&ctx->key, len, out, in))
BULK_CRYPT(cbc_best_encrypt,
           ctx->cipher->own_cbc ? ctx->cipher->own_cbc(&ctx->key, ctx->iv, len, out, in)
                                : cbc_encrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
BULK_CRYPT(cbc_any_decrypt, cbc_decrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
BULK_CRYPT(cfb_any_encrypt, cfb_encrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
BULK_CRYPT(cfb_any_decrypt, cfb_decrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
BULK_CRYPT(cfb8_any_encrypt, cfb8_encrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
BULK_CRYPT(cfb8_any_decrypt, cfb8_decrypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
BULK_CRYPT(ctr, ctr_crypt(&ctx->key, ctx->f, ctx->block, ctx->iv, len, out, in))
BULK_CRYPT(gcm_any_encrypt,
           gcm_encrypt(&ctx->u.gcm.message, &ctx->u.gcm.key, &ctx->key, ctx->f, len, out, in))
BULK_CRYPT(gcm_any_decrypt,
           gcm_decrypt(&ctx->u.gcm.message, &ctx->u.gcm.key, &ctx->key, ctx->f, len, out, in))
CRYPT(ccm_any_encrypt, ccm_encrypt(&ctx->u.ccm, &ctx->key, ctx->f, len, out, in))
CRYPT(ccm_any_decrypt, ccm_decrypt(&ctx->u.ccm, &ctx->key, ctx->f, len, out, in))
BULK_CRYPT(eax_any_encrypt,
           eax_encrypt(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, len, out, in))
BULK_CRYPT(eax_any_decrypt,
           eax_decrypt(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, len, out, in))
BULK_CRYPT(xts_any_encrypt,
           xts_encrypt_message(&ctx->key, &ctx->second, ctx->f, ctx->iv, len, out, in))
BULK_CRYPT(xts_any_decrypt, xts_decrypt_message(&ctx->key, &ctx->second, ctx->f,
                                                ctx->cipher->block->encrypt, ctx->iv, len, out, in))
BULK_CRYPT(rc4, arcfour_crypt(&ctx->key.rc4, len, out, in))
BULK_CRYPT(salsa20, salsa20_crypt(&ctx->key.salsa20, len, out, in))
BULK_CRYPT(salsa20_12, salsa20r12_crypt(&ctx->key.salsa20, len, out, in))
BULK_CRYPT(chacha20, chacha_crypt32(&ctx->key.chacha, len, out, in))
BULK_CRYPT(poly1305_encrypt, chacha_poly1305_encrypt(&ctx->key.poly1305, len, out, in))
BULK_CRYPT(poly1305_decrypt, chacha_poly1305_decrypt(&ctx->key.poly1305, len, out, in))

static void set_block_key(adapter_cipher_ctx *ctx, const uint8_t *key, bool decrypt)
{
    const struct nettle_cipher *block = ctx->cipher->block;
    if (decrypt)
        block->set_decrypt_key(&ctx->key, key);
    else
        block->set_encrypt_key(&ctx->key, key);
    ctx->f = decrypt ? block->decrypt : block->encrypt;
}

/* A step that sets the key. */
#define KEY(name, ...)                      \
    static mb_status name(mb_job *job)      \
    {                                       \
        adapter_cipher_ctx *ctx = job->ctx; \
        __VA_ARGS__;                        \
        return MB_OK;                       \
    }

/* Modes that decrypt with the inverse of the block cipher, and modes that only encrypt blocks. */
KEY(key_directed, set_block_key(ctx, job->key, mb_steps_decrypts(job)))
KEY(key_forward, set_block_key(ctx, job->key, false))
KEY(key_gcm, set_block_key(ctx, job->key, false), gcm_set_key(&ctx->u.gcm.key, &ctx->key, ctx->f))
KEY(key_eax, set_block_key(ctx, job->key, false), eax_set_key(&ctx->u.eax.key, &ctx->key, ctx->f))
KEY(key_xts, set_block_key(ctx, job->key, mb_steps_decrypts(job)),
    ctx->cipher->block->set_encrypt_key(&ctx->second, job->key + job->key_len / 2))
KEY(key_rc4, arcfour_set_key(&ctx->second.rc4, job->key_len, job->key))
KEY(key_salsa20, salsa20_set_key(&ctx->key.salsa20, job->key_len, job->key))
KEY(key_chacha20, chacha_set_key(&ctx->key.chacha, job->key))
KEY(key_poly1305, chacha_poly1305_set_key(&ctx->key.poly1305, job->key))

static mb_status begin_iv(mb_job *job, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    memcpy(ctx->iv, job->nonce, ctx->block);
    return MB_OK;
}

static mb_status begin_gcm(mb_job *job, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    gcm_set_iv(&ctx->u.gcm.message, &ctx->u.gcm.key, job->nonce_len, job->nonce);
    if (job->aad_len > 0)
        gcm_update(&ctx->u.gcm.message, &ctx->u.gcm.key, job->aad_len, job->aad);
    return MB_OK;
}

/* CCM authenticates all lengths first. */
static mb_status begin_ccm(mb_job *job, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    ccm_set_nonce(&ctx->u.ccm, &ctx->key, ctx->f, job->nonce_len, job->nonce, job->aad_len, len,
                  ctx->steps.tag_len);
    if (job->aad_len > 0)
        ccm_update(&ctx->u.ccm, &ctx->key, ctx->f, job->aad_len, job->aad);
    return MB_OK;
}

static mb_status begin_eax(mb_job *job, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    eax_set_nonce(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, job->nonce_len,
                  job->nonce);
    if (job->aad_len > 0)
        eax_update(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, job->aad_len, job->aad);
    return MB_OK;
}

/* RC4 has no nonce: a new message starts from the state that the key gave. */
static mb_status begin_rc4(mb_job *job, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    ctx->key.rc4 = ctx->second.rc4;
    return MB_OK;
}

static mb_status begin_salsa20(mb_job *job, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    salsa20_set_nonce(&ctx->key.salsa20, job->nonce);
    return MB_OK;
}

/* 12 bytes of nonce, or the counter before them (cipher.c admits nothing else). */
static mb_status begin_chacha20(mb_job *job, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    size_t counter = job->nonce_len - CHACHA_NONCE96_SIZE;
    chacha_set_nonce96(&ctx->key.chacha, job->nonce + counter);
    if (counter > 0)
        chacha_set_counter32(&ctx->key.chacha, job->nonce);
    return MB_OK;
}

static mb_status begin_poly1305(mb_job *job, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    (void)len;
    chacha_poly1305_set_nonce(&ctx->key.poly1305, job->nonce);
    if (job->aad_len > 0)
        chacha_poly1305_update(&ctx->key.poly1305, job->aad_len, job->aad);
    return MB_OK;
}

static mb_status tag_gcm(mb_job *job, uint8_t *out, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    gcm_digest(&ctx->u.gcm.message, &ctx->u.gcm.key, &ctx->key, ctx->f, len, out);
    return MB_OK;
}

static mb_status tag_ccm(mb_job *job, uint8_t *out, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    ccm_digest(&ctx->u.ccm, &ctx->key, ctx->f, len, out);
    return MB_OK;
}

static mb_status tag_eax(mb_job *job, uint8_t *out, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    eax_digest(&ctx->u.eax.message, &ctx->u.eax.key, &ctx->key, ctx->f, len, out);
    return MB_OK;
}

static mb_status tag_poly1305(mb_job *job, uint8_t *out, size_t len)
{
    adapter_cipher_ctx *ctx = job->ctx;
    chacha_poly1305_digest(&ctx->key.poly1305, len, out);
    return MB_OK;
}

#define BULK(enc, dec) \
    .encrypt = enc, .decrypt = dec, .runs = {.encrypt = enc##_bulk, .decrypt = dec##_bulk}
const mb_steps adapter_modes[ADAPTER_MODE_COUNT] = {
    [ADAPTER_ECB] = {.set_key = key_directed, BULK(ecb, ecb), .padded = true},
    [ADAPTER_CBC] = {.set_key = key_directed,
                     .begin = begin_iv,
                     BULK(cbc_best_encrypt, cbc_any_decrypt),
                     .padded = true},
    [ADAPTER_CFB] = {.set_key = key_forward,
                     .begin = begin_iv,
                     BULK(cfb_any_encrypt, cfb_any_decrypt)},
    [ADAPTER_CFB8] = {.set_key = key_forward,
                      .begin = begin_iv,
                      BULK(cfb8_any_encrypt, cfb8_any_decrypt),
                      .block = 1},
    [ADAPTER_CTR] = {.set_key = key_forward, .begin = begin_iv, BULK(ctr, ctr)},
    [ADAPTER_GCM] = {.set_key = key_gcm,
                     .begin = begin_gcm,
                     BULK(gcm_any_encrypt, gcm_any_decrypt),
                     .tag = tag_gcm},
    [ADAPTER_CCM] = {.set_key = key_forward,
                     .begin = begin_ccm,
                     .encrypt = ccm_any_encrypt,
                     .decrypt = ccm_any_decrypt,
                     .tag = tag_ccm,
                     .whole_message = true},
    [ADAPTER_EAX] = {.set_key = key_eax,
                     .begin = begin_eax,
                     BULK(eax_any_encrypt, eax_any_decrypt),
                     .tag = tag_eax},
    [ADAPTER_XTS] = {.set_key = key_xts, .begin = begin_iv, BULK(xts_any_encrypt, xts_any_decrypt)},
    [ADAPTER_RC4] = {.set_key = key_rc4, .begin = begin_rc4, BULK(rc4, rc4), .block = 1},
    [ADAPTER_SALSA20] = {.set_key = key_salsa20,
                         .begin = begin_salsa20,
                         BULK(salsa20, salsa20),
                         .block = SALSA20_BLOCK_SIZE},
    [ADAPTER_SALSA20_12] = {.set_key = key_salsa20,
                            .begin = begin_salsa20,
                            BULK(salsa20_12, salsa20_12),
                            .block = SALSA20_BLOCK_SIZE},
    [ADAPTER_CHACHA20] = {.set_key = key_chacha20,
                          .begin = begin_chacha20,
                          BULK(chacha20, chacha20),
                          .block = CHACHA_BLOCK_SIZE},
    [ADAPTER_POLY1305] = {.set_key = key_poly1305,
                          .begin = begin_poly1305,
                          BULK(poly1305_encrypt, poly1305_decrypt),
                          .tag = tag_poly1305,
                          .block = CHACHA_POLY1305_BLOCK_SIZE},
};

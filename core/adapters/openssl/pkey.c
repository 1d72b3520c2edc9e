/*
 * Signatures and agreement. Keys are read once, in `open` (keys.c).
 *
 * What the timed loops contain:
 *   SIGN, VERIFY  RSA, ECDSA: EVP_Digest of the message, then EVP_PKEY_sign or EVP_PKEY_verify of the hash on a context
 *                 made ready in `open`. This is EVP_DigestSign without the copies of contexts it needs per message;
 *                 `openssl speed` times EVP_PKEY_sign in the same way, without the hash.
 *                 Ed25519 hashes inside: EVP_DigestSignInit without a key (starts over with the one it has), then
 *                 EVP_DigestSign; to verify likewise.
 *   KEYGEN        EVP_PKEY_generate and EVP_PKEY_free; RSA with public exponent 65537.
 *   AGREE         the peer's 32 bytes to an EVP_PKEY, EVP_PKEY_derive_set_peer, EVP_PKEY_derive.
 */
#include <openssl/rsa.h>

#include "openssl_adapter.h"

/* EVP_PKEY_size of the largest key offered: RSA 4096. */
#define MAX_SIGNATURE 512

static int available(const mbo_detail *detail)
{
    EVP_KEYMGMT *type = EVP_KEYMGMT_fetch(NULL, detail->fetch, NULL);
    EVP_MD *md = detail->hash != NULL ? EVP_MD_fetch(NULL, detail->hash, NULL) : NULL;
    int both = type != NULL && (md != NULL || detail->hash == NULL);

    EVP_MD_free(md);
    EVP_KEYMGMT_free(type);
    return both;
}

/* Read the job's key to state->key; a private one unless the job verifies. */
static mb_status read_key(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    state->key = mbo_key_read(mbo_detail_of(job), job->op != MB_VERIFY, state->key_bytes, job->key_len);
    if (state->key == NULL)
        return mbo_fail();
    return mbo_key_check_size(mbo_detail_of(job), state->key);
}

static int set_padding(const mbo_detail *detail, mbo_state *state)
{
    EVP_PKEY_CTX *ctx = state->key_ctx;

    if (EVP_PKEY_CTX_set_signature_md(ctx, state->md) != 1)
        return 0;
    if (detail->bits == 0) /* ECDSA */
        return 1;
    if (detail->padding == MBO_PKCS1)
        return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1;
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1
           && EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1
           && EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, state->md) == 1;
}

static mb_status signature_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    mb_status status;

    if (job->op == MB_KEYGEN)
        return mbo_keygen_open(job);
    if (job->op == MB_SIGN && job->out_cap < MAX_SIGNATURE)
        return MB_TOO_BIG;
    status = read_key(job);
    if (status != MB_OK)
        return status;
    state->md = EVP_MD_fetch(NULL, detail->hash, NULL);
    state->md_ctx = EVP_MD_CTX_new();
    state->key_ctx = EVP_PKEY_CTX_new_from_pkey(NULL, state->key, NULL);
    if (state->md == NULL || state->md_ctx == NULL || state->key_ctx == NULL
        || (job->op == MB_SIGN ? EVP_PKEY_sign_init(state->key_ctx) : EVP_PKEY_verify_init(state->key_ctx)) != 1
        || !set_padding(detail, state))
        return mbo_fail();
    return MB_OK;
}

/* For files; a message in memory needs no beginning. */
static mb_status signature_start(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    if (job->op == MB_KEYGEN)
        return MB_OK;
    return EVP_DigestInit_ex2(state->md_ctx, state->md, NULL) == 1 ? MB_OK : mbo_fail();
}

static mb_status sign_messages(mb_job *job, uint32_t n)
{
    mbo_state *state = mbo_state_of(job);
    uint8_t hash[EVP_MAX_MD_SIZE];
    unsigned hash_len = 0;
    size_t len = 0;

    for (uint32_t i = 0; i < n; i++) {
        len = job->out_cap;
        if (EVP_Digest(job->in, job->in_len, hash, &hash_len, state->md, NULL) != 1
            || EVP_PKEY_sign(state->key_ctx, job->out, &len, hash, hash_len) != 1)
            return mbo_fail();
    }
    job->out_len = len;
    return MB_OK;
}

/* OpenSSL gives 0 for a wrong signature and a negative value for a malformed one: both are rejected. */
static mb_status verify_messages(mb_job *job, uint32_t n)
{
    mbo_state *state = mbo_state_of(job);
    uint8_t hash[EVP_MAX_MD_SIZE];
    unsigned hash_len = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (EVP_Digest(job->in, job->in_len, hash, &hash_len, state->md, NULL) != 1)
            return mbo_fail();
        if (EVP_PKEY_verify(state->key_ctx, job->tag, job->tag_len, hash, hash_len) != 1)
            return mbo_reject(job);
    }
    return MB_OK;
}

static mb_status signature_run(mb_job *job, uint32_t n)
{
    job->out_len = 0;
    if (job->op == MB_KEYGEN)
        return mbo_keygen_run(job, n);
    return job->op == MB_SIGN ? sign_messages(job, n) : verify_messages(job, n);
}

static mb_status signature_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)out;
    (void)out_len;
    return EVP_DigestUpdate(mbo_state_of(job)->md_ctx, in, in_len) == 1 ? MB_OK : mbo_fail();
}

static mb_status signature_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    mbo_state *state = mbo_state_of(job);
    uint8_t hash[EVP_MAX_MD_SIZE];
    unsigned hash_len = 0;
    size_t len = MAX_SIGNATURE;

    if (EVP_DigestFinal_ex(state->md_ctx, hash, &hash_len) != 1)
        return mbo_fail();
    if (job->op == MB_VERIFY)
        return EVP_PKEY_verify(state->key_ctx, job->tag, job->tag_len, hash, hash_len) == 1 ? MB_OK : mbo_reject(job);
    if (EVP_PKEY_sign(state->key_ctx, out, &len, hash, hash_len) != 1)
        return mbo_fail();
    *out_len = len;
    return MB_OK;
}

static mb_status no_start(mb_job *job)
{
    (void)job;
    return MB_OK;
}

static mb_status eddsa_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    mb_status status;
    int ok;

    if (job->op == MB_KEYGEN)
        return mbo_keygen_open(job);
    if (job->op == MB_SIGN && job->out_cap < MAX_SIGNATURE)
        return MB_TOO_BIG;
    status = read_key(job);
    if (status != MB_OK)
        return status;
    state->md_ctx = EVP_MD_CTX_new();
    if (state->md_ctx == NULL)
        return mbo_fail();
    ok = job->op == MB_SIGN ? EVP_DigestSignInit_ex(state->md_ctx, NULL, NULL, NULL, NULL, state->key, NULL)
                            : EVP_DigestVerifyInit_ex(state->md_ctx, NULL, NULL, NULL, NULL, state->key, NULL);
    return ok == 1 ? MB_OK : mbo_fail();
}

static mb_status eddsa_sign(mb_job *job, uint32_t n)
{
    EVP_MD_CTX *ctx = mbo_state_of(job)->md_ctx;
    size_t len = 0;

    for (uint32_t i = 0; i < n; i++) {
        len = job->out_cap;
        if (EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, NULL, NULL) != 1
            || EVP_DigestSign(ctx, job->out, &len, job->in, job->in_len) != 1)
            return mbo_fail();
    }
    job->out_len = len;
    return MB_OK;
}

static mb_status eddsa_verify(mb_job *job, uint32_t n)
{
    EVP_MD_CTX *ctx = mbo_state_of(job)->md_ctx;

    for (uint32_t i = 0; i < n; i++) {
        if (EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, NULL, NULL) != 1)
            return mbo_fail();
        if (EVP_DigestVerify(ctx, job->tag, job->tag_len, job->in, job->in_len) != 1)
            return mbo_reject(job);
    }
    return MB_OK;
}

static mb_status eddsa_run(mb_job *job, uint32_t n)
{
    job->out_len = 0;
    if (job->op == MB_KEYGEN)
        return mbo_keygen_run(job, n);
    return job->op == MB_SIGN ? eddsa_sign(job, n) : eddsa_verify(job, n);
}

static mb_status agreement_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    mb_status status;

    if (job->op == MB_KEYGEN)
        return mbo_keygen_open(job);
    status = read_key(job);
    if (status != MB_OK)
        return status;
    state->key_ctx = EVP_PKEY_CTX_new_from_pkey(NULL, state->key, NULL);
    if (state->key_ctx == NULL || EVP_PKEY_derive_init(state->key_ctx) != 1)
        return mbo_fail();
    return MB_OK;
}

static mb_status agreement_run(mb_job *job, uint32_t n)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);

    job->out_len = 0;
    if (job->op == MB_KEYGEN)
        return mbo_keygen_run(job, n);
    for (uint32_t i = 0; i < n; i++) {
        EVP_PKEY *peer = mbo_key_read(detail, 0, job->in, job->in_len);
        size_t len = job->out_cap;
        int ok = peer != NULL && EVP_PKEY_derive_set_peer(state->key_ctx, peer) == 1
                 && EVP_PKEY_derive(state->key_ctx, job->out, &len) == 1;

        EVP_PKEY_free(peer);
        if (!ok)
            return mbo_fail();
        job->out_len = len;
    }
    return MB_OK;
}

const mbo_family mbo_signature_family = {
    .available = available,
    .open = signature_open,
    .start = signature_start,
    .run = signature_run,
    .update = signature_update,
    .final = signature_final,
    .public_key = mbo_key_public,
};

/* Ed25519 reads its message twice, so it cannot be fed piece by piece: no update, no final. */
const mbo_family mbo_eddsa_family = {
    .available = available,
    .open = eddsa_open,
    .start = no_start,
    .run = eddsa_run,
    .public_key = mbo_key_public,
};

const mbo_family mbo_agreement_family = {
    .available = available,
    .open = agreement_open,
    .start = no_start,
    .run = agreement_run,
    .public_key = mbo_key_public,
};

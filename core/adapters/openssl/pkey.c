/*
 * Signatures and agreement. Keys are read once, in `open` (keys.c).
 *
 * Timed:
 *   SIGN, VERIFY  RSA, ECDSA: EVP_Digest of the message, then EVP_PKEY_sign or EVP_PKEY_verify of
 *                 the hash on a context made ready in `open`. This is EVP_DigestSign without the
 *                 copies of contexts it needs per message; `openssl speed` times EVP_PKEY_sign in
 *                 the same way, without the hash. Ed25519 hashes inside: EVP_DigestSignInit without
 *                 a key (starts over with the one it has), then EVP_DigestSign; to verify likewise.
 *   KEYGEN        EVP_PKEY_generate and EVP_PKEY_free; RSA with public exponent 65537.
 *   AGREE         the peer's bytes to an EVP_PKEY, EVP_PKEY_derive_set_peer, EVP_PKEY_derive. With
 *                 P-256 the second validates the point in full (SP 800-56A 5.6.2.3.3): it
 *                 multiplies it by the order of the curve.
 */
#include <openssl/rsa.h>

#include "openssl_adapter.h"

/* EVP_PKEY_size of the largest key offered: RSA 4096. */
#define MAX_SIGNATURE 512

int mbo_key_available(const mbo_detail *detail)
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

    state->key =
        mbo_key_read(mbo_detail_of(job), job->op != MB_VERIFY, state->key_bytes, job->key_len);
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
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1 &&
           EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, state->md) == 1;
}

static mb_status load(mb_job *job, bool secret)
{
    mbo_state *state = mbo_state_of(job);
    mb_status status = read_key(job);

    if (status != MB_OK)
        return status;
    state->md = EVP_MD_fetch(NULL, mbo_detail_of(job)->hash, NULL);
    state->md_ctx = EVP_MD_CTX_new();
    state->key_ctx = EVP_PKEY_CTX_new_from_pkey(NULL, state->key, NULL);
    return mbo_check(
        state->md != NULL && state->md_ctx != NULL && state->key_ctx != NULL &&
        (secret ? EVP_PKEY_sign_init(state->key_ctx) : EVP_PKEY_verify_init(state->key_ctx)) == 1 &&
        set_padding(mbo_detail_of(job), state));
}

static mb_status hash(mb_job *job, uint8_t *digest, size_t *len)
{
    unsigned digest_len = 0;
    int ok = EVP_Digest(job->message, job->message_len, digest, &digest_len, mbo_state_of(job)->md,
                        NULL);

    *len = digest_len;
    return mbo_check(ok);
}

static mb_status sign(mb_job *job, const uint8_t *value, size_t len, uint8_t *out, size_t *out_len)
{
    *out_len = MAX_SIGNATURE;
    return mbo_check(EVP_PKEY_sign(mbo_state_of(job)->key_ctx, out, out_len, value, len));
}

/*
 * OpenSSL gives 0 for a wrong signature and a negative value for a malformed one: both are
 * rejected.
 */
static mb_status verify(mb_job *job, const uint8_t *value, size_t len)
{
    int good = EVP_PKEY_verify(mbo_state_of(job)->key_ctx, job->signature, job->signature_len,
                               value, len) == 1;

    return good ? MB_OK : mbo_reject();
}

static mb_status begin(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    return mbo_check(EVP_DigestInit_ex2(state->md_ctx, state->md, NULL));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    return mbo_check(EVP_DigestUpdate(mbo_state_of(job)->md_ctx, in, len));
}

static mb_status finish(mb_job *job, uint8_t *digest, size_t *len)
{
    unsigned digest_len = 0;
    int ok = EVP_DigestFinal_ex(mbo_state_of(job)->md_ctx, digest, &digest_len);

    *len = digest_len;
    return mbo_check(ok);
}

static mb_status signature_open(mb_job *job)
{
    static const mb_signing how = {
        .load = load,
        .prepare = mbo_keygen_open,
        .generate = mbo_generate_keys,
        .hash = hash,
        .sign = sign,
        .verify = verify,
        .begin = begin,
        .update = update,
        .finish = finish,
        .room = MAX_SIGNATURE,
    };

    return mb_sign_open(job, &how);
}

static mb_status load_eddsa(mb_job *job, bool secret)
{
    mbo_state *state = mbo_state_of(job);
    mb_status status = read_key(job);

    if (status != MB_OK)
        return status;
    state->md_ctx = EVP_MD_CTX_new();
    if (state->md_ctx == NULL)
        return mbo_fail();
    return mbo_check(
        secret ? EVP_DigestSignInit_ex(state->md_ctx, NULL, NULL, NULL, NULL, state->key, NULL)
               : EVP_DigestVerifyInit_ex(state->md_ctx, NULL, NULL, NULL, NULL, state->key, NULL));
}

static mb_status sign_eddsa(mb_job *job, const uint8_t *message, size_t len, uint8_t *out,
                            size_t *out_len)
{
    EVP_MD_CTX *ctx = mbo_state_of(job)->md_ctx;

    *out_len = job->out_cap;
    return mbo_check(EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, NULL, NULL) == 1 &&
                     EVP_DigestSign(ctx, out, out_len, message, len) == 1);
}

static mb_status verify_eddsa(mb_job *job, const uint8_t *message, size_t len)
{
    EVP_MD_CTX *ctx = mbo_state_of(job)->md_ctx;

    if (EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, NULL, NULL) != 1)
        return mbo_fail();
    return EVP_DigestVerify(ctx, job->signature, job->signature_len, message, len) == 1
               ? MB_OK
               : mbo_reject();
}

static mb_status eddsa_open(mb_job *job)
{
    static const mb_signing how = {
        .load = load_eddsa,
        .prepare = mbo_keygen_open,
        .generate = mbo_generate_keys,
        .sign = sign_eddsa,
        .verify = verify_eddsa,
        .room = MAX_SIGNATURE,
    };

    return mb_sign_open(job, &how);
}

static mb_status agree(mb_job *job)
{
    EVP_PKEY_CTX *ctx = mbo_state_of(job)->key_ctx;
    EVP_PKEY *peer = mbo_key_read(mbo_detail_of(job), 0, job->peer, job->peer_len);
    int good = peer != NULL && EVP_PKEY_derive_set_peer(ctx, peer) == 1;
    int ok;

    job->out_len = good ? job->out_cap : 0;
    ok = good && EVP_PKEY_derive(ctx, job->out, &job->out_len) == 1;
    EVP_PKEY_free(peer);
    return good ? mbo_check(ok) : mbo_reject();
}

MB_REPEAT(agree_all, agree)

static mb_status agreement_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    mb_status status;

    if (job->op == MB_KEYGEN) {
        status = mbo_keygen_open(job);
        return status == MB_OK ? mb_drive(job, mbo_generate_keys) : status;
    }
    status = mb_check_lengths(job, false);
    if (status == MB_OK)
        status = read_key(job);
    if (status != MB_OK)
        return status;
    state->key_ctx = EVP_PKEY_CTX_new_from_pkey(NULL, state->key, NULL);
    if (state->key_ctx == NULL || EVP_PKEY_derive_init(state->key_ctx) != 1)
        return mbo_fail();
    return mb_drive(job, agree_all);
}

const mb_kind mbo_signature_kind = {
    .open = signature_open,
    .start = mb_sign_start,
    .run = mb_drive_run,
    .update = mb_sign_update,
    .final = mb_sign_final,
    .close = mbo_close,
    .public_key = mbo_key_public,
};

/* Ed25519 reads its message twice, so it cannot be streamed: no update, no final. */
const mb_kind mbo_eddsa_kind = {
    .open = eddsa_open,
    .run = mb_drive_run,
    .close = mbo_close,
    .public_key = mbo_key_public,
};

const mb_kind mbo_agreement_kind = {
    .open = agreement_open,
    .run = mb_drive_run,
    .close = mbo_close,
    .public_key = mbo_key_public,
};

/*
 * ML-KEM (FIPS 203), ML-DSA (FIPS 204), SLH-DSA (FIPS 205) and X25519MLKEM768
 * (draft-ietf-tls-ecdhe-mlkem), which OpenSSL has from 3.5 on. Keys are decoded and checked in
 * `open`, private ones whole. Decoding also expands the matrix of ML-KEM and ML-DSA.
 *
 * What is timed, as `openssl speed -kem-algorithms -signature-algorithms` times it:
 *   KEYGEN       EVP_PKEY_generate and EVP_PKEY_free. A seed is set before each, as the library
 *                uses it once.
 *   ENCAPSULATE  EVP_PKEY_encapsulate; coins are set before each
 *   DECAPSULATE  EVP_PKEY_decapsulate
 *   SIGN, VERIFY EVP_PKEY_sign, EVP_PKEY_verify on a context made ready in `open`. Signing is
 *                deterministic; with MOTEBENCH_OPENSSL_HEDGED in the environment the library draws
 *                random bytes, as it does by itself.
 */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <stdlib.h>

#include "openssl_adapter.h"

#if OPENSSL_VERSION_NUMBER < 0x30500000L

int mbo_pq_available(const mbo_detail *detail)
{
    (void)detail;
    return 0;
}

const mb_kind mbo_kem_kind, mbo_pq_signature_kind;

#else

#define LONGEST_SIGNATURE 49856u /* SLH-DSA-256f: FIPS 205, table 2 */

int mbo_pq_available(const mbo_detail *detail)
{
    EVP_KEYMGMT *type = EVP_KEYMGMT_fetch(NULL, detail->fetch, NULL);

    EVP_KEYMGMT_free(type);
    return type != NULL;
}

/* Random bytes for the next use of the context, where the job brings them. */
static mb_status use_seed(mb_job *job, const char *name)
{
    OSSL_PARAM params[2] = {
        OSSL_PARAM_construct_octet_string(name, (void *)(uintptr_t)job->seed, job->seed_len),
        OSSL_PARAM_construct_end()};

    if (job->seed_len == 0)
        return MB_OK;
    return mbo_check(EVP_PKEY_CTX_set_params(mbo_state_of(job)->key_ctx, params));
}

/*
 * A seed that the library does not take is refused here, so that it is not a failure of the
 * operation.
 */
static mb_status generate_open(mb_job *job)
{
    mb_status status = mbo_keygen_open(job);

    if (status == MB_OK && use_seed(job, OSSL_PKEY_PARAM_ML_KEM_SEED) != MB_OK)
        status = mb_note(MB_UNSUPPORTED,
                         "a seed has 64 bytes for ML-KEM, 32 for ML-DSA, 48 to 96 for SLH-DSA");
    return status;
}

static mb_status generate(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    mb_status status = use_seed(job, OSSL_PKEY_PARAM_ML_KEM_SEED);

    EVP_PKEY_free(state->key);
    state->key = NULL;
    return status == MB_OK ? mbo_check(EVP_PKEY_generate(state->key_ctx, &state->key)) : status;
}

static mb_status generate_all(mb_job *job, uint32_t n)
{
    const mbo_detail *detail = mbo_detail_of(job);
    mb_status status = mb_repeat(job, n, generate);

    if (status != MB_OK)
        return status;
    job->out_len = mbo_key_write_private(detail, mbo_state_of(job)->key, job->out, job->out_cap);
    if (job->out_len == 0)
        return mbo_fail();
    if ((job->scheme->operations & MB_KEM_OPERATIONS) == 0)
        return MB_OK;
    job->public_out_len =
        mbo_key_write_public(detail, mbo_state_of(job)->key, job->public_out, job->public_out_cap);
    return mbo_check(job->public_out_len > 0);
}

/*
 * Without another error, a hybrid fails if the secret of its Diffie-Hellman is all zeros (RFC 8446,
 * section 7.4.2).
 */
static mb_status kem_result(mb_job *job, int code)
{
    if (code == 1 || !mbo_detail_of(job)->hybrid)
        return mbo_check(code);
    job->out_len = 0;
    job->secret_out_len = 0;
    return mbo_reject();
}

static mb_status encapsulate(mb_job *job)
{
    mb_status status = use_seed(job, OSSL_KEM_PARAM_IKME);

    if (status != MB_OK)
        return status;
    job->out_len = job->scheme->ciphertext_bytes;
    job->secret_out_len = job->scheme->secret_bytes;
    return kem_result(job, EVP_PKEY_encapsulate(mbo_state_of(job)->key_ctx, job->out, &job->out_len,
                                                job->secret_out, &job->secret_out_len));
}

static mb_status decapsulate(mb_job *job)
{
    job->out_len = job->scheme->secret_bytes;
    return kem_result(job, EVP_PKEY_decapsulate(mbo_state_of(job)->key_ctx, job->out, &job->out_len,
                                                job->ciphertext, job->ciphertext_len));
}

static mb_status rejected(mb_job *job)
{
    job->out_len = 0;
    return MB_REJECTED;
}

MB_REPEAT(encapsulate_all, encapsulate)
MB_REPEAT(decapsulate_all, decapsulate)
MB_REPEAT(reject_all, rejected)

/* FIPS 203, 7.2 and 7.3: a modulus, hash or length that is wrong is rejected. */
static mb_status kem_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const int secret = job->op == MB_DECAPSULATE;
    int ready;

    if (job->op == MB_KEYGEN) {
        mb_status status = generate_open(job);
        return status == MB_OK ? mb_drive(job, generate_all) : status;
    }
    state->key = mbo_key_read(mbo_detail_of(job), secret, state->key_bytes, job->key_len);
    if (state->key == NULL || (secret && job->ciphertext_len != job->scheme->ciphertext_bytes)) {
        ERR_clear_error();
        return mb_drive(job, reject_all);
    }
    state->key_ctx = EVP_PKEY_CTX_new_from_pkey(NULL, state->key, NULL);
    ready = state->key_ctx != NULL &&
            (secret ? EVP_PKEY_decapsulate_init(state->key_ctx, NULL)
                    : EVP_PKEY_encapsulate_init(state->key_ctx, NULL)) == 1;
    if (!ready)
        return mbo_fail();
    if (!secret && use_seed(job, OSSL_KEM_PARAM_IKME) != MB_OK)
        return mb_note(MB_UNSUPPORTED, "a seed has 32 bytes to encapsulate");
    return mb_drive(job, secret ? decapsulate_all : encapsulate_all);
}

const mb_kind mbo_kem_kind = {
    .open = kem_open,
    .run = mb_drive_run,
    .close = mbo_close,
    .public_key = mbo_key_public,
};

static mb_status load(mb_job *job, bool secret)
{
    static uint8_t none;
    mbo_state *state = mbo_state_of(job);
    int deterministic = getenv("MOTEBENCH_OPENSSL_HEDGED") == NULL;
    OSSL_PARAM params[3] = {
        OSSL_PARAM_construct_octet_string(
            OSSL_SIGNATURE_PARAM_CONTEXT_STRING,
            job->context_len > 0 ? (void *)(uintptr_t)job->context : &none, job->context_len),
        OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_DETERMINISTIC, &deterministic),
        OSSL_PARAM_construct_end()};
    EVP_SIGNATURE *how = EVP_SIGNATURE_fetch(NULL, mbo_detail_of(job)->fetch, NULL);
    int ready;

    state->key = mbo_key_read(mbo_detail_of(job), secret, state->key_bytes, job->key_len);
    if (state->key != NULL)
        state->key_ctx = EVP_PKEY_CTX_new_from_pkey(NULL, state->key, NULL);
    if (!secret)
        params[1] = OSSL_PARAM_construct_end();
    ready = how != NULL && state->key_ctx != NULL &&
            (secret ? EVP_PKEY_sign_message_init(state->key_ctx, how, params)
                    : EVP_PKEY_verify_message_init(state->key_ctx, how, params)) == 1;
    EVP_SIGNATURE_free(how);
    return mbo_check(ready);
}

static mb_status sign(mb_job *job, const uint8_t *value, size_t len, uint8_t *out, size_t *out_len)
{
    *out_len = job->scheme->tag_max;
    return mbo_check(EVP_PKEY_sign(mbo_state_of(job)->key_ctx, out, out_len, value, len));
}

static mb_status verify(mb_job *job, const uint8_t *value, size_t len)
{
    int good = EVP_PKEY_verify(mbo_state_of(job)->key_ctx, job->signature, job->signature_len,
                               value, len) == 1;

    return good ? MB_OK : mbo_reject();
}

/* A public key of another length has no signatures. */
static mb_status signature_open(mb_job *job)
{
    static const mb_signing how = {
        .load = load,
        .prepare = generate_open,
        .generate = generate_all,
        .sign = sign,
        .verify = verify,
        .room = LONGEST_SIGNATURE,
    };

    if (job->op == MB_VERIFY && job->key_len != job->scheme->key_min)
        return mb_drive(job, reject_all);
    if (job->op != MB_KEYGEN && job->context_len > job->scheme->context_max)
        return mb_note(MB_UNSUPPORTED, "a context has at most 255 bytes");
    return mb_sign_open(job, &how);
}

const mb_kind mbo_pq_signature_kind = {
    .open = signature_open,
    .run = mb_drive_run,
    .close = mbo_close,
    .public_key = mbo_key_public,
};

#endif

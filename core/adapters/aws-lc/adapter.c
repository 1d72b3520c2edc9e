/*
 * The AWS-LC adapter: ML-KEM (FIPS 203) and ML-DSA (FIPS 204). Private keys are whole; they are
 * read in `open`.
 *
 * Timed:
 *   KEYGEN       EVP_PKEY_keygen and EVP_PKEY_free; from a seed EVP_PKEY_keygen_deterministic, or,
 *                for ML-DSA, EVP_PKEY_pqdsa_new_raw_private_key, which expands it
 *   ENCAPSULATE  EVP_PKEY_encapsulate; with coins EVP_PKEY_encapsulate_deterministic
 *   DECAPSULATE  EVP_PKEY_decapsulate
 *   SIGN, VERIFY EVP_DigestSignInit and EVP_DigestSign, EVP_DigestVerifyInit and EVP_DigestVerify.
 *                The library draws random bytes for each signature, and has no call to sign without
 *                them.
 */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/experimental/kem_deterministic_api.h>
#include <openssl/nid.h>
#include <string.h>

#include "support/the_adapter.h"

enum { KEM_SEED = 64, KEM_COINS = 32, DSA_SEED = 32, CONTEXT_MAX = 255 };

typedef struct set {
    mb_row row; /* first: see support/kind.h */
    int nid;
} set;

typedef struct job_state {
    mb_driven driven; /* first: see support/driver.h */
    EVP_PKEY *key;
    EVP_PKEY_CTX *key_ctx;
    EVP_MD_CTX *md_ctx;
} job_state;

static job_state *state_of(const mb_job *job)
{
    return job->ctx;
}

static int nid_of(const mb_job *job)
{
    const set *s = job->scheme->param;
    return s->nid;
}

static mb_status fail(void)
{
    char text[160];

    ERR_error_string_n(ERR_peek_last_error(), text, sizeof text);
    ERR_clear_error();
    return mb_note_words(MB_ERROR, text);
}

static mb_status check(int code)
{
    return code == 1 ? MB_OK : fail();
}

static mb_status reject(void)
{
    ERR_clear_error();
    return MB_REJECTED;
}

static mb_status rejected(mb_job *job)
{
    job->out_len = 0;
    return MB_REJECTED;
}

MB_REPEAT(reject_all, rejected)

static bool is_kem(const mb_job *job)
{
    return (job->scheme->operations & MB_KEM_OPERATIONS) != 0;
}

static mb_status generate(mb_job *job)
{
    job_state *state = state_of(job);
    size_t seed_len = job->seed_len;

    EVP_PKEY_free(state->key);
    state->key = NULL;
    if (seed_len == 0)
        return check(EVP_PKEY_keygen(state->key_ctx, &state->key));
    if (is_kem(job))
        return check(
            EVP_PKEY_keygen_deterministic(state->key_ctx, &state->key, job->seed, &seed_len));
    state->key = EVP_PKEY_pqdsa_new_raw_private_key(nid_of(job), job->seed, seed_len);
    return check(state->key != NULL);
}

static mb_status generate_all(mb_job *job, uint32_t n)
{
    const job_state *state = state_of(job);
    mb_status status = mb_repeat(job, n, generate);

    if (status != MB_OK)
        return status;
    job->out_len = job->out_cap;
    if (EVP_PKEY_get_raw_private_key(state->key, job->out, &job->out_len) != 1)
        return fail();
    if (!is_kem(job))
        return MB_OK;
    job->public_out_len = job->public_out_cap;
    return check(EVP_PKEY_get_raw_public_key(state->key, job->public_out, &job->public_out_len));
}

static mb_status generate_open(mb_job *job)
{
    job_state *state = state_of(job);
    int ready;

    if (job->seed_len > 0 && job->seed_len != (is_kem(job) ? KEM_SEED : DSA_SEED))
        return mb_note(MB_UNSUPPORTED, "a seed has 64 bytes for ML-KEM, 32 for ML-DSA");
    state->key_ctx = EVP_PKEY_CTX_new_id(is_kem(job) ? EVP_PKEY_KEM : EVP_PKEY_PQDSA, NULL);
    ready = state->key_ctx != NULL &&
            (is_kem(job) ? EVP_PKEY_CTX_kem_set_params(state->key_ctx, nid_of(job))
                         : EVP_PKEY_CTX_pqdsa_set_params(state->key_ctx, nid_of(job))) == 1 &&
            EVP_PKEY_keygen_init(state->key_ctx) == 1;
    return ready ? mb_drive(job, generate_all) : fail();
}

/*
 * Public keys with coefficients above the modulus (FIPS 203, 7.2), and private keys with a wrong
 * hash (7.3), fail.
 */
static mb_status encapsulate(mb_job *job)
{
    EVP_PKEY_CTX *ctx = state_of(job)->key_ctx;
    size_t coins = job->seed_len;
    int ok;

    job->out_len = job->scheme->ciphertext_bytes;
    job->secret_out_len = job->scheme->secret_bytes;
    ok = coins == 0
             ? EVP_PKEY_encapsulate(ctx, job->out, &job->out_len, job->secret_out,
                                    &job->secret_out_len)
             : EVP_PKEY_encapsulate_deterministic(ctx, job->out, &job->out_len, job->secret_out,
                                                  &job->secret_out_len, job->seed, &coins);
    return ok == 1 ? MB_OK : reject();
}

static mb_status decapsulate(mb_job *job)
{
    job->out_len = job->scheme->secret_bytes;
    return EVP_PKEY_decapsulate(state_of(job)->key_ctx, job->out, &job->out_len, job->ciphertext,
                                job->ciphertext_len) == 1
               ? MB_OK
               : reject();
}

MB_REPEAT(encapsulate_all, encapsulate)
MB_REPEAT(decapsulate_all, decapsulate)

static mb_status kem_open(mb_job *job)
{
    job_state *state = state_of(job);
    const bool secret = job->op == MB_DECAPSULATE;

    if (job->op == MB_KEYGEN)
        return generate_open(job);
    if (!secret && job->seed_len > 0 && job->seed_len != KEM_COINS)
        return mb_note(MB_UNSUPPORTED, "a seed has 32 bytes to encapsulate");
    state->key = secret ? EVP_PKEY_kem_new_raw_secret_key(nid_of(job), job->key, job->key_len)
                        : EVP_PKEY_kem_new_raw_public_key(nid_of(job), job->key, job->key_len);
    if (state->key == NULL || (secret && job->ciphertext_len != job->scheme->ciphertext_bytes)) {
        ERR_clear_error();
        return mb_drive(job, reject_all);
    }
    state->key_ctx = EVP_PKEY_CTX_new(state->key, NULL);
    if (state->key_ctx == NULL)
        return fail();
    return mb_drive(job, secret ? decapsulate_all : encapsulate_all);
}

/* FIPS 203, algorithm 16: the public key stands before two strings of 32 bytes. */
static mb_status kem_public(mb_job *job)
{
    const size_t len = job->scheme->public_bytes;

    if (job->key_len != job->scheme->private_bytes)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    memcpy(job->out, job->key + job->key_len - 64 - len, len);
    job->out_len = len;
    return MB_OK;
}

static int use_context(const mb_job *job, EVP_PKEY_CTX *ctx)
{
    return job->context_len == 0 ||
           EVP_PKEY_CTX_set1_signature_context_string(ctx, job->context, job->context_len) == 1;
}

static mb_status sign(mb_job *job)
{
    const job_state *state = state_of(job);
    EVP_PKEY_CTX *ctx;

    job->out_len = job->scheme->tag_max;
    EVP_MD_CTX_reset(state->md_ctx);
    return check(EVP_DigestSignInit(state->md_ctx, &ctx, NULL, NULL, state->key) == 1 &&
                 use_context(job, ctx) &&
                 EVP_DigestSign(state->md_ctx, job->out, &job->out_len, job->message,
                                job->message_len) == 1);
}

static mb_status verify(mb_job *job)
{
    const job_state *state = state_of(job);
    EVP_PKEY_CTX *ctx;

    job->out_len = 0;
    EVP_MD_CTX_reset(state->md_ctx);
    if (EVP_DigestVerifyInit(state->md_ctx, &ctx, NULL, NULL, state->key) != 1 ||
        !use_context(job, ctx))
        return fail();
    return EVP_DigestVerify(state->md_ctx, job->signature, job->signature_len, job->message,
                            job->message_len) == 1
               ? MB_OK
               : reject();
}

MB_REPEAT(sign_all, sign)
MB_REPEAT(verify_all, verify)

static mb_status signature_open(mb_job *job)
{
    job_state *state = state_of(job);
    const bool secret = job->op == MB_SIGN;

    if (job->op == MB_KEYGEN)
        return generate_open(job);
    if (job->context_len > CONTEXT_MAX)
        return mb_note(MB_UNSUPPORTED, "a context has at most 255 bytes");
    if (secret && job->key_len != job->scheme->key_max)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    if (!secret &&
        (job->key_len != job->scheme->key_min || job->signature_len != job->scheme->tag_max))
        return mb_drive(job, reject_all);
    state->key = secret ? EVP_PKEY_pqdsa_new_raw_private_key(nid_of(job), job->key, job->key_len)
                        : EVP_PKEY_pqdsa_new_raw_public_key(nid_of(job), job->key, job->key_len);
    state->md_ctx = EVP_MD_CTX_new();
    if (state->key == NULL || state->md_ctx == NULL)
        return fail();
    return mb_drive(job, secret ? sign_all : verify_all);
}

static mb_status signature_public(mb_job *job)
{
    EVP_PKEY *key;
    mb_status status;

    if (job->key_len != job->scheme->key_max)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    key = EVP_PKEY_pqdsa_new_raw_private_key(nid_of(job), job->key, job->key_len);
    job->out_len = job->out_cap;
    status = check(key != NULL && EVP_PKEY_get_raw_public_key(key, job->out, &job->out_len) == 1);
    EVP_PKEY_free(key);
    return status;
}

static void close_job(mb_job *job)
{
    job_state *state = state_of(job);

    EVP_MD_CTX_free(state->md_ctx);
    EVP_PKEY_CTX_free(state->key_ctx);
    EVP_PKEY_free(state->key);
    *state = (job_state){0};
    ERR_clear_error();
}

static const mb_kind kem_kind = {
    .open = kem_open, .run = mb_drive_run, .close = close_job, .public_key = kem_public};
static const mb_kind signature_kind = {
    .open = signature_open,
    .run = mb_drive_run,
    .close = close_job,
    .public_key = signature_public};

#define KEM(level, public, private, ciphertext)                                           \
    {                                                                                     \
        .name = "ml-kem-" #level,                                                         \
        .operations = MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | MB_TAKES_SEED, .block = 1,  \
        .key_min = (public), .key_max = (private), .public_bytes = (public),              \
        .private_bytes = (private), .ciphertext_bytes = (ciphertext), .secret_bytes = 32, \
        .param = &(const set)                                                             \
        {                                                                                 \
            {&kem_kind}, NID_MLKEM##level                                                 \
        }                                                                                 \
    }
#define DSA(level, public, private, signature)                                                 \
    {                                                                                          \
        .name = "ml-dsa-" #level, .block = 1,                                                  \
        .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | MB_TAKES_SEED, \
        .key_min = (public), .key_max = (private), .context_max = CONTEXT_MAX,                 \
        .tag_min = (signature), .tag_max = (signature), .param = &(const set)                  \
        {                                                                                      \
            {&signature_kind}, NID_MLDSA##level                                                \
        }                                                                                      \
    }
static const mb_scheme schemes[] = {
    KEM(512, 800, 1632, 768), /* FIPS 203, table 3 */
    KEM(768, 1184, 2400, 1088), KEM(1024, 1568, 3168, 1568),
    DSA(44, 1312, 2560, 2420), /* FIPS 204, table 2 */
    DSA(65, 1952, 4032, 3309),  DSA(87, 2592, 4896, 4627),
};

MB_SCHEMES(schemes)

static mb_status init(void)
{
    return MB_OK;
}

static const char *version(void)
{
    return "AWS-LC " AWSLC_VERSION_NUMBER_STRING;
}

MB_THE_ADAPTER("aws-lc", scheme, .ctx_size = sizeof(job_state))

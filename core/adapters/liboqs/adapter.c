/*
 * The liboqs adapter: ML-KEM (FIPS 203; in this release mlkem-native) and ML-DSA (FIPS 204; the
 * reference code and its AVX2). Private keys are whole. The library keeps nothing between calls, so
 * every call expands its key.
 *
 * What is timed, as the library's speed_kem and speed_sig time it:
 *   KEYGEN       OQS_KEM_keypair, OQS_SIG_keypair; with a seed OQS_KEM_keypair_derand, and for
 *                ML-DSA the same call on that seed
 *   ENCAPSULATE  OQS_KEM_encaps
 *   DECAPSULATE  OQS_KEM_decaps
 *   SIGN, VERIFY OQS_SIG_sign_with_ctx_str, OQS_SIG_verify_with_ctx_str
 * Random bytes come from the system unless the job has a seed. Those of signing are zeros, so that
 * it is deterministic; with MOTEBENCH_LIBOQS_HEDGED in the environment they come from the system,
 * too.
 */
#include <oqs/oqs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/the_adapter.h"

enum {
    KEM_COINS = 32,
    DSA_SEED = 32,
    CONTEXT_MAX = 255,
    LONGEST_PUBLIC = 2592,
    LONGEST_PRIVATE = 4896,
    MAX_SETS = 6
};

typedef struct set {
    mb_row row; /* first: see support/kind.h */
    OQS_KEM *kem;
    OQS_SIG *sig;
} set;

typedef struct job_state { mb_driven driven; } job_state;

static const mb_kind kem_kind, signature_kind;

static const set *set_of(const mb_job *job)
{
    return job->scheme->param;
}

/* Random bytes for the library: those of a seed, or zeros where it has ended. */
static const uint8_t *given;
static size_t given_len;

static void give_bytes(uint8_t *out, size_t len)
{
    const size_t some = len < given_len ? len : given_len;

    memset(out, 0, len);
    if (some > 0)
        memcpy(out, given, some);
    given += some;
    given_len -= some;
}

static mb_status checked(OQS_STATUS status)
{
    return status == OQS_SUCCESS ? MB_OK : mb_note(MB_ERROR, "liboqs failed");
}

/* The next call draws the job's seed, if there is one. */
static void use_seed(const mb_job *job)
{
    given = job->seed;
    given_len = job->seed_len;
}

static mb_status kem_keygen(mb_job *job)
{
    const OQS_KEM *kem = set_of(job)->kem;

    job->out_len = kem->length_secret_key;
    job->public_out_len = kem->length_public_key;
    return checked(job->seed_len > 0
                       ? OQS_KEM_keypair_derand(kem, job->public_out, job->out, job->seed)
                       : OQS_KEM_keypair(kem, job->public_out, job->out));
}

/*
 * The library refuses a public key whose coefficients are above the modulus (FIPS 203, 7.2), and a
 * private key whose hash is wrong (7.3).
 */
static mb_status encapsulate(mb_job *job)
{
    const OQS_KEM *kem = set_of(job)->kem;

    if (job->key_len != kem->length_public_key)
        return MB_REJECTED;
    use_seed(job);
    job->out_len = kem->length_ciphertext;
    job->secret_out_len = kem->length_shared_secret;
    return OQS_KEM_encaps(kem, job->out, job->secret_out, job->key) == OQS_SUCCESS
               ? MB_OK
               : MB_REJECTED;
}

static mb_status decapsulate(mb_job *job)
{
    const OQS_KEM *kem = set_of(job)->kem;

    if (job->key_len != kem->length_secret_key || job->ciphertext_len != kem->length_ciphertext)
        return MB_REJECTED;
    job->out_len = kem->length_shared_secret;
    return OQS_KEM_decaps(kem, job->out, job->ciphertext, job->key) == OQS_SUCCESS
               ? MB_OK
               : MB_REJECTED;
}

/*
 * The last pair for signatures that was made: the library has no call that derives a public key
 * from a private one.
 */
static uint8_t made_public[LONGEST_PUBLIC], made_private[LONGEST_PRIVATE];

static mb_status signature_keygen(mb_job *job)
{
    use_seed(job);
    job->out_len = set_of(job)->sig->length_secret_key;
    return checked(OQS_SIG_keypair(set_of(job)->sig, made_public, job->out));
}

static mb_status sign(mb_job *job)
{
    return checked(OQS_SIG_sign_with_ctx_str(
        set_of(job)->sig, job->out, &job->out_len, job->message, job->message_len, job->context,
        job->context_len, job->key));
}

static mb_status verify(mb_job *job)
{
    const OQS_SIG *sig = set_of(job)->sig;

    job->out_len = 0;
    if (job->key_len != sig->length_public_key || job->signature_len != sig->length_signature)
        return MB_REJECTED;
    return OQS_SIG_verify_with_ctx_str(
               sig, job->message, job->message_len, job->signature, job->signature_len,
               job->context, job->context_len, job->key) == OQS_SUCCESS
               ? MB_OK
               : MB_REJECTED;
}

MB_REPEAT(kem_keygen_all, kem_keygen)
MB_REPEAT(encapsulate_all, encapsulate)
MB_REPEAT(decapsulate_all, decapsulate)
MB_REPEAT(sign_all, sign)
MB_REPEAT(verify_all, verify)

static mb_status signature_keygen_all(mb_job *job, uint32_t n)
{
    mb_status status = mb_repeat(job, n, signature_keygen);

    if (status == MB_OK)
        memcpy(made_private, job->out, job->out_len);
    return status;
}

/* Random bytes of the library in this job come from the system, or from give_bytes. */
static mb_status draw_from(bool seed)
{
    if (seed)
        OQS_randombytes_custom_algorithm(give_bytes);
    else if (OQS_randombytes_switch_algorithm(OQS_RAND_alg_system) != OQS_SUCCESS)
        return mb_note(MB_ERROR, "liboqs has no randomness of the system");
    return MB_OK;
}

static mb_status kem_open(mb_job *job)
{
    const size_t seed = job->op == MB_KEYGEN ? set_of(job)->kem->length_keypair_seed : KEM_COINS;
    mb_status status;

    if (job->op != MB_DECAPSULATE && job->seed_len > 0 && job->seed_len != seed)
        return mb_note(MB_UNSUPPORTED, "a seed has 64 bytes to make keys, 32 to encapsulate");
    status = draw_from(job->op == MB_ENCAPSULATE && job->seed_len > 0);
    if (status != MB_OK)
        return status;
    return mb_drive(job, job->op == MB_KEYGEN        ? kem_keygen_all
                         : job->op == MB_ENCAPSULATE ? encapsulate_all
                                                     : decapsulate_all);
}

static mb_status signature_open(mb_job *job)
{
    const bool deterministic = job->op == MB_SIGN && getenv("MOTEBENCH_LIBOQS_HEDGED") == NULL;
    const bool seeded = job->op == MB_KEYGEN && job->seed_len > 0;
    mb_status status;

    if (seeded && job->seed_len != DSA_SEED)
        return mb_note(MB_UNSUPPORTED, "a seed has 32 bytes");
    if (job->op == MB_SIGN && job->key_len != set_of(job)->sig->length_secret_key)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    if (job->op != MB_KEYGEN && job->context_len > CONTEXT_MAX)
        return mb_note(MB_UNSUPPORTED, "a context has at most 255 bytes");
    given_len = 0;
    status = draw_from(deterministic || seeded);
    if (status != MB_OK)
        return status;
    return mb_drive(job, job->op == MB_KEYGEN ? signature_keygen_all
                         : job->op == MB_SIGN ? sign_all
                                              : verify_all);
}

/* FIPS 203, algorithm 16: the public key stands before two strings of 32 bytes. */
static mb_status kem_public(mb_job *job)
{
    const OQS_KEM *kem = set_of(job)->kem;

    if (job->key_len != kem->length_secret_key)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    job->out_len = kem->length_public_key;
    memcpy(job->out, job->key + job->key_len - 64 - job->out_len, job->out_len);
    return MB_OK;
}

static mb_status signature_public(mb_job *job)
{
    const OQS_SIG *sig = set_of(job)->sig;

    if (job->key_len != sig->length_secret_key || memcmp(job->key, made_private, job->key_len) != 0)
        return mb_note(MB_UNSUPPORTED, "the library does not derive public keys");
    job->out_len = sig->length_public_key;
    memcpy(job->out, made_public, job->out_len);
    return MB_OK;
}

static const mb_kind kem_kind = {.open = kem_open, .run = mb_drive_run, .public_key = kem_public};
static const mb_kind signature_kind = {
    .open = signature_open, .run = mb_drive_run, .public_key = signature_public};

static set sets[MAX_SETS];
static mb_scheme schemes[MAX_SETS];
static size_t count;
static char version[32];

static void add_kem(const char *name, const char *method)
{
    OQS_KEM *kem = OQS_KEM_new(method);

    if (kem == NULL)
        return;
    sets[count] = (set){.row = {&kem_kind}, .kem = kem};
    schemes[count] = (mb_scheme){
        .name = name,
        .operations = MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | MB_TAKES_SEED,
        .block = 1,
        .key_min = (uint16_t)kem->length_public_key,
        .key_max = (uint16_t)kem->length_secret_key,
        .public_bytes = (uint16_t)kem->length_public_key,
        .private_bytes = (uint16_t)kem->length_secret_key,
        .ciphertext_bytes = (uint16_t)kem->length_ciphertext,
        .secret_bytes = (uint16_t)kem->length_shared_secret,
        .param = &sets[count],
    };
    count++;
}

static void add_signature(const char *name, const char *method)
{
    OQS_SIG *sig = OQS_SIG_new(method);

    if (sig == NULL)
        return;
    sets[count] = (set){.row = {&signature_kind}, .sig = sig};
    schemes[count] = (mb_scheme){
        .name = name,
        .operations = MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | MB_TAKES_SEED,
        .block = 1,
        .key_min = (uint16_t)sig->length_public_key,
        .key_max = (uint16_t)sig->length_secret_key,
        .context_max = CONTEXT_MAX,
        .tag_min = (uint16_t)sig->length_signature,
        .tag_max = (uint16_t)sig->length_signature,
        .param = &sets[count],
    };
    count++;
}

static mb_status init(void)
{
    OQS_init();
    snprintf(version, sizeof version, "liboqs %s", OQS_version());
    add_kem("ml-kem-512", OQS_KEM_alg_ml_kem_512);
    add_kem("ml-kem-768", OQS_KEM_alg_ml_kem_768);
    add_kem("ml-kem-1024", OQS_KEM_alg_ml_kem_1024);
    add_signature("ml-dsa-44", OQS_SIG_alg_ml_dsa_44);
    add_signature("ml-dsa-65", OQS_SIG_alg_ml_dsa_65);
    add_signature("ml-dsa-87", OQS_SIG_alg_ml_dsa_87);
    return MB_OK;
}

static const char *version(void)
{
    return version;
}

static size_t scheme_count(void)
{
    return count;
}

static const mb_scheme *scheme_at(size_t i)
{
    return i < count ? &schemes[i] : NULL;
}

MB_THE_ADAPTER("liboqs", scheme, .ctx_size = sizeof(job_state))

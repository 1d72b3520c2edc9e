/*
 * User code: one KEM or one signature scheme, through the functions of SUPERCOP's crypto_kem or
 * crypto_sign, which PQClean and mupq have too (under names with a prefix). Timed is the
 * call of one of them, arguments included.
 *
 * The builder says (definitions of the compiler), sizes in bytes:
 *
 * MB_CODE_NAME, MB_CODE_VERSION     of the implementation, and what it is made of: strings
 * MB_CODE_KEM or MB_CODE_SIGN       name of the scheme, a string
 * MB_CODE_PUBLIC, MB_CODE_PRIVATE   keys. MB_CODE_PAIR: a private key has the public one behind it,
 *                                   in requests and replies
 * MB_CODE_KEYPAIR                   the function that makes keys, a name
 * of a KEM: MB_CODE_CIPHERTEXT, MB_CODE_SECRET; the functions MB_CODE_ENC, MB_CODE_DEC
 * of signatures: MB_CODE_SIGNATURE, and MB_CODE_LENGTH, the integer type of lengths; the functions
 *     MB_CODE_SIGNER, MB_CODE_VERIFIER. MB_CODE_WHOLE: these are crypto_sign and crypto_sign_open,
 *     whose result holds the message. MB_CODE_DETACHED: signatures of the scheme do not hold it.
 *     MB_CODE_CONTEXT: they take a context before the key. MB_CODE_SEED: private keys of the scheme
 *     are so many random bytes that MB_CODE_KEYPAIR begins its private key with
 * MB_CODE_RANDOM_LENGTH             the integer type of the length that the code gives randombytes
 * MB_CODE_OWN_RANDOM                the code has a randombytes of its own: seeds change nothing
 */
#include <stdbool.h>
#include <string.h>
#if defined(__linux__)
#include <sys/random.h>
#endif

#include "code/run.h"
#include "motebench/adapter.h"
#include "motebench/marks.h"
#include "support/driver.h"
#include "support/kind.h"

#ifdef MB_CODE_PAIR
enum { PRIVATE = MB_CODE_PRIVATE + MB_CODE_PUBLIC };
#elif defined(MB_CODE_SEED)
enum { PRIVATE = MB_CODE_SEED };
#else
enum { PRIVATE = MB_CODE_PRIVATE };
#endif

/*
 * Randomness. A job's seed is what randombytes gives, in order; what the code wants beyond it is
 * made by xorshift32, or, if the job has additional data, a failure that says how much was wanted.
 * Without a seed a host draws. The seed of signing is the additional data; without them it gets 32
 * zeros, which make ML-DSA deterministic. xorshift32 begins with the first bytes of the seed.
 */
static struct {
    const uint8_t *seed;
    size_t left;
    uint32_t state, wanted; /* wanted: by the first call that the seed was too short for */
    bool zeros, draws, strict;
} tape;

int randombytes(uint8_t *out, MB_CODE_RANDOM_LENGTH len);
int PQCLEAN_randombytes(uint8_t *out, MB_CODE_RANDOM_LENGTH len);

static bool draw(uint8_t *out, size_t len)
{
#if defined(__linux__)
    for (size_t done = 0; done < len;) {
        const ssize_t got = getrandom(out + done, len - done, 0);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
#else
    (void)out, (void)len;
    return false;
#endif
}

int randombytes(uint8_t *out, MB_CODE_RANDOM_LENGTH len)
{
    size_t n = (size_t)len;
    if (tape.draws)
        return draw(out, n) ? 0 : -1;
    if (tape.strict && n > tape.left) {
        if (tape.wanted == 0)
            tape.wanted = (uint32_t)n;
        tape.left = 0;
    }
    const size_t given = n < tape.left ? n : tape.left;
    if (tape.zeros)
        memset(out, 0, given);
    else if (given > 0)
        memcpy(out, tape.seed, given);
    if (!tape.zeros)
        tape.seed += given;
    tape.left -= given;
    for (size_t i = given; i < n; i++) {
        tape.state ^= tape.state << 13;
        tape.state ^= tape.state >> 17;
        tape.state ^= tape.state << 5;
        out[i] = (uint8_t)(tape.state >> 24);
    }
    return 0;
}

int PQCLEAN_randombytes(uint8_t *out, MB_CODE_RANDOM_LENGTH len)
{
    return randombytes(out, len);
}

/* First state of xorshift32, never 0. */
static uint32_t begin_of(const uint8_t *seed, size_t len)
{
    enum { WITHOUT_SEED = 0x6d6f7465 };
    if (len < 4)
        return WITHOUT_SEED;
    const uint32_t first =
        seed[0] | (uint32_t)seed[1] << 8 | (uint32_t)seed[2] << 16 | (uint32_t)seed[3] << 24;
    return first != WITHOUT_SEED ? first ^ WITHOUT_SEED : WITHOUT_SEED;
}

static void play(const uint8_t *seed, size_t len)
{
    tape.seed = seed;
    tape.left = len;
    tape.zeros = tape.draws = tape.strict = false;
    tape.state = begin_of(seed, len);
    tape.wanted = 0;
}

static void rewind_tape(const mb_job *job)
{
    if (job->op != MB_SIGN) {
        play(job->seed, job->seed_len);
        tape.draws = job->seed_len == 0;
        tape.strict = job->aad_len > 0;
    } else if (job->aad_len > 0) {
        play(job->aad, job->aad_len);
    } else {
        play(NULL, 0);
        tape.left = 32;
        tape.zeros = true;
    }
}

/*
 * The first call that wanted more than the seed had: motebench lengthens the seed by that, and asks
 * again.
 */
static mb_status wanted(mb_status status)
{
#if MB_STREAMING
    if (tape.wanted > 0) {
        char words[] = "randombytes wants 00000000 B more than the seed has";
        uint32_t rest = tape.wanted;
        for (char *digit = words + 25; rest > 0 && digit > words + 17; rest /= 10)
            *digit-- = (char)('0' + rest % 10);
        return mb_note_words(MB_ERROR, words);
    }
#endif
    return status;
}

int MB_CODE_KEYPAIR(unsigned char *pk, unsigned char *sk);

typedef struct job_state {
    mb_driven driven;
#ifdef MB_CODE_SIGN
    MB_CODE_LENGTH made; /* bytes of output, as the function says */
#endif
#ifdef MB_CODE_SEED
    uint8_t private[MB_CODE_PRIVATE], public[MB_CODE_PUBLIC];
#endif
} job_state;

#ifdef MB_CODE_KEM
int MB_CODE_ENC(unsigned char *ct, unsigned char *ss, const unsigned char *pk);
int MB_CODE_DEC(unsigned char *ss, const unsigned char *ct, const unsigned char *sk);

static inline mb_status keygen(mb_job *job)
{
    rewind_tape(job);
    return MB_CODE_KEYPAIR(job->public_out, job->out) ? MB_ERROR : MB_OK;
}

static inline mb_status encapsulate(mb_job *job)
{
    rewind_tape(job);
    return MB_CODE_ENC(job->out, job->secret_out, job->key) ? MB_ERROR : MB_OK;
}

static inline mb_status decapsulate(mb_job *job)
{
    return MB_PUBLIC_RESULT(MB_CODE_DEC(job->out, job->ciphertext, job->key)) ? MB_REJECTED : MB_OK;
}

static mb_status keygens(mb_job *job, uint32_t n)
{
    mb_status status = mb_loop(job, n, keygen);
    job->out_len = PRIVATE;
    job->public_out_len = MB_CODE_PUBLIC;
    return wanted(
        status == MB_OK ? status : mb_note(status, "crypto_kem_keypair did not return 0"));
}

static mb_status encapsulations(mb_job *job, uint32_t n)
{
    if (job->key_len != MB_CODE_PUBLIC)
        return MB_REJECTED;
    mb_status status = mb_loop(job, n, encapsulate);
    job->out_len = MB_CODE_CIPHERTEXT;
    job->secret_out_len = MB_CODE_SECRET;
    return wanted(status == MB_OK ? status : mb_note(status, "crypto_kem_enc did not return 0"));
}

static mb_status decapsulations(mb_job *job, uint32_t n)
{
    if (job->key_len != PRIVATE || job->ciphertext_len != MB_CODE_CIPHERTEXT)
        return MB_REJECTED;
    mb_status status = mb_loop(job, n, decapsulate);
    job->out_len = status == MB_OK ? MB_CODE_SECRET : 0;
    return status;
}

static mb_run *run_of(mb_operation op)
{
    return op == MB_KEYGEN        ? keygens
           : op == MB_ENCAPSULATE ? encapsulations
           : op == MB_DECAPSULATE ? decapsulations
                                  : NULL;
}
#else
#ifdef MB_CODE_CONTEXT
#define CONTEXT_PARAMETERS const unsigned char *context, MB_CODE_LENGTH context_len,
#define CONTEXT job->context, (MB_CODE_LENGTH)job->context_len,
enum { CONTEXT_MAX = 255 };
#else
#define CONTEXT_PARAMETERS
#define CONTEXT
enum { CONTEXT_MAX = 0 };
#endif

#ifdef MB_CODE_WHOLE
int MB_CODE_SIGNER(unsigned char *sm, MB_CODE_LENGTH *smlen, const unsigned char *m,
                   MB_CODE_LENGTH mlen, CONTEXT_PARAMETERS const unsigned char *sk);
int MB_CODE_VERIFIER(unsigned char *m, MB_CODE_LENGTH *mlen, const unsigned char *sm,
                     MB_CODE_LENGTH smlen, CONTEXT_PARAMETERS const unsigned char *pk);
#else
int MB_CODE_SIGNER(unsigned char *sig, MB_CODE_LENGTH *siglen, const unsigned char *m,
                   MB_CODE_LENGTH mlen, CONTEXT_PARAMETERS const unsigned char *sk);
int MB_CODE_VERIFIER(const unsigned char *sig, MB_CODE_LENGTH siglen, const unsigned char *m,
                     MB_CODE_LENGTH mlen, CONTEXT_PARAMETERS const unsigned char *pk);
#endif

#if MB_STREAMING && !defined(MB_CODE_SEED)
/*
 * The last keys that were made: the public one of a private key cannot be computed through this
 * interface.
 */
static uint8_t last_private[MB_CODE_PRIVATE], last_public[MB_CODE_PUBLIC];
#endif

/*
 * The public key is made behind the private one, or, where there is no room for it in the reply, on
 * the stack.
 */
static inline mb_status keygen(mb_job *job)
{
    rewind_tape(job);
#ifdef MB_CODE_PAIR
    return MB_CODE_KEYPAIR(job->out + MB_CODE_PRIVATE, job->out) ? MB_ERROR : MB_OK;
#elif defined(MB_CODE_SEED)
    job_state *s = job->ctx;
    return MB_CODE_KEYPAIR(s->public, s->private) ? MB_ERROR : MB_OK;
#elif MB_STREAMING
    return MB_CODE_KEYPAIR(last_public, job->out) ? MB_ERROR : MB_OK;
#else
    uint8_t public[MB_CODE_PUBLIC];
    return MB_CODE_KEYPAIR(public, job->out) ? MB_ERROR : MB_OK;
#endif
}

#ifdef MB_CODE_SEED
#define SIGNS_WITH s->private

/* The code's keys of a private key of the scheme. */
static mb_status expand(const mb_job *job, job_state *s)
{
    play(job->key, MB_CODE_SEED);
    if (MB_CODE_KEYPAIR(s->public, s->private) || memcmp(s->private, job->key, MB_CODE_SEED) != 0)
        return mb_note(MB_UNSUPPORTED,
                       "crypto_sign_keypair does not begin a private key with its random bytes");
    return MB_OK;
}
#else
#define SIGNS_WITH job->key
#endif

static inline mb_status sign(mb_job *job)
{
    job_state *s = job->ctx;
    rewind_tape(job);
    return MB_CODE_SIGNER(job->out, &s->made, job->message, (MB_CODE_LENGTH)job->message_len,
                          CONTEXT SIGNS_WITH)
               ? MB_ERROR
               : MB_OK;
}

#ifdef MB_CODE_DETACHED
/* Signature and message in one, behind the room for the message that is opened. */
static uint8_t *signed_message(const mb_job *job)
{
    return job->out + job->message_len + MB_CODE_SIGNATURE;
}
#endif

static inline mb_status verify(mb_job *job)
{
#ifdef MB_CODE_DETACHED
    job_state *s = job->ctx;
    const int failed =
        MB_CODE_VERIFIER(job->out, &s->made, signed_message(job),
                         (MB_CODE_LENGTH)(job->signature_len + job->message_len), CONTEXT job->key);
#elif defined(MB_CODE_WHOLE)
    job_state *s = job->ctx;
    const int failed = MB_CODE_VERIFIER(
        job->out, &s->made, job->signature, (MB_CODE_LENGTH)job->signature_len, CONTEXT job->key);
#else
    const int failed =
        MB_CODE_VERIFIER(job->signature, (MB_CODE_LENGTH)job->signature_len, job->message,
                         (MB_CODE_LENGTH)job->message_len, CONTEXT job->key);
#endif
    return failed ? MB_REJECTED : MB_OK;
}

static mb_status keygens(mb_job *job, uint32_t n)
{
    if (job->out_cap < PRIVATE)
        return mb_note(MB_TOO_BIG, "the keys are longer than the output of this probe");
    mb_status status = mb_loop(job, n, keygen);
    job->out_len = PRIVATE;
#ifdef MB_CODE_SEED
    memcpy(job->out, ((const job_state *)job->ctx)->private, PRIVATE);
#elif MB_STREAMING
    memcpy(last_private, job->out, MB_CODE_PRIVATE);
#endif
    return wanted(
        status == MB_OK ? status : mb_note(status, "crypto_sign_keypair did not return 0"));
}

static mb_status signatures(mb_job *job, uint32_t n)
{
    const job_state *s = job->ctx;
    if (job->key_len != PRIVATE)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    mb_status status = mb_loop(job, n, sign);
    job->out_len = (size_t)s->made;
#ifdef MB_CODE_DETACHED
    if (status == MB_OK &&
        (job->out_len != MB_CODE_SIGNATURE + job->message_len ||
         memcmp(job->out + MB_CODE_SIGNATURE, job->message, job->message_len) != 0))
        return mb_note(MB_ERROR, "crypto_sign did not put the message behind the signature");
    job->out_len = MB_CODE_SIGNATURE;
#else
    if (status == MB_OK && s->made > job->out_cap)
        return mb_note(MB_ERROR, "the signing function gave a length above CRYPTO_BYTES");
#endif
    return status == MB_OK ? status : mb_note(status, "the signing function did not return 0");
}

static mb_status verifications(mb_job *job, uint32_t n)
{
#if defined(MB_CODE_WHOLE) && !defined(MB_CODE_DETACHED)
    const size_t longest = job->message_len + MB_CODE_SIGNATURE;
#else
    const size_t longest = MB_CODE_SIGNATURE;
#endif
    job->out_len = 0;
    if (job->key_len != MB_CODE_PUBLIC || job->signature_len > longest)
        return MB_REJECTED;
    mb_status status = mb_loop(job, n, verify);
#ifdef MB_CODE_WHOLE
    const job_state *s = job->ctx;
    if (status == MB_OK && ((size_t)s->made != job->message_len ||
                            memcmp(job->out, job->message, job->message_len) != 0))
        return MB_REJECTED;
#endif
    return status;
}

static mb_run *run_of(mb_operation op)
{
    return op == MB_KEYGEN   ? keygens
           : op == MB_SIGN   ? signatures
           : op == MB_VERIFY ? verifications
                             : NULL;
}
#endif

static mb_status open_job(mb_job *job)
{
#if !MB_STREAMING && !defined(MB_CODE_OWN_RANDOM)
    if ((job->op == MB_KEYGEN || job->op == MB_ENCAPSULATE) && job->seed_len == 0)
        return mb_note(MB_UNSUPPORTED, "a board has no source of randomness: give a seed");
#endif
#ifdef MB_CODE_SEED
    if (job->op == MB_SIGN && job->key_len == PRIVATE) {
        const mb_status status = expand(job, job->ctx);
        if (status != MB_OK)
            return status;
    }
#endif
    return mb_drive(job, run_of(job->op));
}

/*
 * Nothing of the call before is left where the next one goes: a function that does nothing must not
 * look right.
 */
static mb_status start(mb_job *job)
{
    memset(job->out, 0, job->out_cap);
#ifdef MB_CODE_SIGN
    ((job_state *)job->ctx)->made = 0;
#endif
#ifdef MB_CODE_DETACHED
    if (job->op == MB_VERIFY && job->signature_len <= MB_CODE_SIGNATURE) {
        memcpy(signed_message(job), job->signature, job->signature_len);
        memcpy(signed_message(job) + job->signature_len, job->message, job->message_len);
    }
#endif
    return MB_OK;
}

#define LONGER(a, b) ((a) > (b) ? (a) : (b))
#define SHORTER(a, b) ((a) < (b) ? (a) : (b))

#if defined(MB_CODE_SIGN) && !defined(MB_CODE_PAIR) && !defined(MB_CODE_SEED)
/* The public key that keygen makes of a seed. */
static mb_status public_of_seed(mb_job *job)
{
    uint8_t public[MB_CODE_PUBLIC];
    play(job->key, job->key_len);
    if (job->out_cap < LONGER(MB_CODE_PRIVATE, MB_CODE_PUBLIC))
        return mb_note(MB_TOO_BIG, "the keys are longer than the output of this probe");
    if (MB_CODE_KEYPAIR(public, job->out))
        return mb_note(MB_ERROR, "crypto_sign_keypair did not return 0");
    memcpy(job->out, public, MB_CODE_PUBLIC);
    job->out_len = MB_CODE_PUBLIC;
    return MB_OK;
}
#endif

static mb_status public_key(mb_job *job)
{
    if (job->key_len == PRIVATE && job->out_cap >= MB_CODE_PUBLIC) {
        job->out_len = MB_CODE_PUBLIC;
#ifdef MB_CODE_PAIR
        memcpy(job->out, job->key + MB_CODE_PRIVATE, MB_CODE_PUBLIC);
        return MB_OK;
#elif defined(MB_CODE_SEED)
        job_state keys;
        const mb_status status = expand(job, &keys);
        memcpy(job->out, keys.public, MB_CODE_PUBLIC);
        return status;
#elif defined(MB_CODE_SIGN) && MB_STREAMING
        if (memcmp(job->key, last_private, MB_CODE_PRIVATE) == 0) {
            memcpy(job->out, last_public, MB_CODE_PUBLIC);
            return MB_OK;
        }
#endif
    }
#if defined(MB_CODE_SIGN) && !defined(MB_CODE_PAIR) && !defined(MB_CODE_SEED)
    if (job->key_len > 0 && job->key_len < PRIVATE)
        return public_of_seed(job);
#endif
    return mb_note(MB_UNSUPPORTED, "the interface has no public key of a private one");
}

#if MB_STREAMING || defined(MB_CODE_OWN_RANDOM)
#define SEEDS MB_TAKES_SEED
#else
#define SEEDS MB_NEEDS_SEED
#endif

static const mb_kind keys_kind = {
    .open = open_job, .start = start, .run = MB_CODE_RUN, .public_key = public_key};
static const mb_row keys_row = {&keys_kind};
static const mb_scheme schemes[] = {
#ifdef MB_CODE_KEM
    {.name = MB_CODE_KEM,
     .operations = (uint16_t)(MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | SEEDS),
     .key_min = SHORTER(MB_CODE_PUBLIC, PRIVATE),
     .key_max = LONGER(MB_CODE_PUBLIC, PRIVATE),
     .public_bytes = MB_CODE_PUBLIC,
     .private_bytes = PRIVATE,
     .ciphertext_bytes = MB_CODE_CIPHERTEXT,
     .secret_bytes = MB_CODE_SECRET,
     .block = 1,
     .param = &keys_row},
#else
    {
        .name = MB_CODE_SIGN,
        .operations = (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | SEEDS),
        .key_min = SHORTER(MB_CODE_PUBLIC, PRIVATE),
        .key_max = LONGER(MB_CODE_PUBLIC, PRIVATE),
        .context_max = CONTEXT_MAX,
        .tag_min = MB_CODE_SIGNATURE,
        .tag_max = MB_CODE_SIGNATURE,
        .block = 1,
        .param = &keys_row,
#ifdef MB_CODE_DETACHED
        .joined = 2, /* the verifier writes the message, and is given one with its signature */
#elif defined(MB_CODE_WHOLE)
        .joined = 1, /* the verifier writes the message */
#endif
    },
#endif
};

#define MOTE_NAME MB_CODE_NAME
#define MOTE_LIBRARY_VERSION MB_CODE_VERSION
#include "vendor/public_key.h"

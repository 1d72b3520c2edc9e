/*
 * User code: one AEAD, one hash function or both, through the functions of crypto_aead.h and
 * crypto_hash.h. Timed is the call of one of them, arguments included.
 *
 * The builder says (definitions of the compiler):
 *
 * MB_CODE_NAME             of the implementation, a string
 * MB_CODE_VERSION          what it is made of, a string
 * MB_CODE_AEAD             name of the AEAD scheme, a string; not given: there is none. Then also
 *                          the integer type of its lengths, MB_CODE_AEAD_LENGTH, and in bytes
 *                          MB_CODE_KEY, MB_CODE_NONCE, MB_CODE_TAG
 * MB_CODE_TAG_MIN          all ciphertexts have MB_CODE_TAG bytes, with messages of up to
 *                          MB_CODE_TAG - MB_CODE_TAG_MIN in them; if not given, the tag follows the
 *                          message
 * MB_CODE_HASH             name of the hash scheme, a string; not given: there is none. Then also
 *                          MB_CODE_HASH_LENGTH, and in bytes MB_CODE_DIGEST
 * MB_CODE_AEAD_STRUCTURE, MB_CODE_HASH_STRUCTURE
 *                          the functions are members of NIST's structures (lwc_crypto_aead.h,
 *                          lwc_crypto_hash.h), and lengths are unsigned long long
 */
#include <string.h>

#include "code/run.h"
#include "motebench/adapter.h"
#include "motebench/marks.h"
#include "support/driver.h"
#include "support/kind.h"

#ifdef MB_CODE_AEAD
typedef MB_CODE_AEAD_LENGTH length;
typedef int encrypt_function(unsigned char *c, length *clen, const unsigned char *m, length mlen,
                             const unsigned char *ad, length adlen, const unsigned char *nsec,
                             const unsigned char *npub, const unsigned char *k);
typedef int decrypt_function(unsigned char *m, length *mlen, unsigned char *nsec,
                             const unsigned char *c, length clen, const unsigned char *ad,
                             length adlen, const unsigned char *npub, const unsigned char *k);
#ifdef MB_CODE_AEAD_STRUCTURE
#include "code/include/lwc_crypto_aead.h"
#define ENCRYPT lwc_aead_cipher.encrypt
#define DECRYPT lwc_aead_cipher.decrypt
#else
encrypt_function crypto_aead_encrypt;
decrypt_function crypto_aead_decrypt;
#define ENCRYPT crypto_aead_encrypt
#define DECRYPT crypto_aead_decrypt
#endif
#endif
#ifdef MB_CODE_HASH
typedef MB_CODE_HASH_LENGTH hash_length;
typedef int hash_function(unsigned char *out, const unsigned char *in, hash_length inlen);
#ifdef MB_CODE_HASH_STRUCTURE
#include "code/include/lwc_crypto_hash.h"
#define HASH lwc_hash_ctx.hash
#else
hash_function crypto_hash;
#define HASH crypto_hash
#endif
#endif

/* Bytes after a message: a tag, or those that are missing to the length of every ciphertext. */
#ifdef MB_CODE_TAG_MIN
#define TAG_OF(job) (job)->tag_len
#else
#define MB_CODE_TAG_MIN MB_CODE_TAG
#define TAG_OF(job) MB_CODE_TAG
#endif

static const mb_scheme SCHEMES[] = {
#ifdef MB_CODE_AEAD
    {.name = MB_CODE_AEAD,
     .operations =
         MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY),
     .key_min = MB_CODE_KEY,
     .key_max = MB_CODE_KEY,
     .nonce_min = MB_CODE_NONCE,
     .nonce_max = MB_CODE_NONCE,
     .tag_min = MB_CODE_TAG_MIN,
     .tag_max = MB_CODE_TAG,
     .block = 1,
     .joined = 1},
#endif
#ifdef MB_CODE_HASH
    {.name = MB_CODE_HASH,
     .operations = MB_CAN(MB_DIGEST),
     .tag_min = MB_CODE_DIGEST,
     .tag_max = MB_CODE_DIGEST,
     .block = 1},
#endif
};

typedef struct state {
    mb_driven driven; /* first: state of the driver */
    union {           /* the function that is called */
#ifdef MB_CODE_AEAD
        encrypt_function *encrypt;
        decrypt_function *decrypt;
#endif
#ifdef MB_CODE_HASH
        hash_function *hash;
#endif
    };
#ifdef MB_CODE_AEAD
    length made; /* bytes of output, as the function says */
#endif
} state;

/*
 * The functions are called in the loop itself, on boards too: saving registers for their arguments
 * is not part of them.
 */
#ifdef MB_CODE_AEAD
static inline mb_status encrypt(mb_job *job)
{
    state *s = job->ctx;
    const int failed = s->encrypt(job->out, &s->made, job->in, job->in_len, job->aad, job->aad_len,
                                  NULL, job->nonce, job->key);
    return failed ? MB_ERROR : MB_OK;
}

static inline mb_status decrypt(mb_job *job)
{
    state *s = job->ctx;
    const int failed = s->decrypt(job->out, &s->made, NULL, job->in, job->in_len + TAG_OF(job),
                                  job->aad, job->aad_len, job->nonce, job->key);
    MB_PUBLIC(failed);
    return failed ? MB_REJECTED : MB_OK;
}

static mb_status messages(mb_job *job, uint32_t n)
{
    const state *s = job->ctx;
    const bool decrypts = job->op == MB_DECRYPT_MESSAGE;
    mb_status status = decrypts ? mb_loop(job, n, decrypt) : mb_loop(job, n, encrypt);
    const length least = job->in_len + MB_CODE_TAG_MIN, most = job->in_len + MB_CODE_TAG;
    job->out_len = (size_t)s->made;
    if (status == MB_ERROR)
        return mb_note(status, "crypto_aead_encrypt did not return 0");
    if (status == MB_OK && decrypts && s->made > job->in_len)
        return mb_note(MB_ERROR, "crypto_aead_decrypt gave a length above that of the message");
    if (status == MB_OK && !decrypts && (s->made < least || s->made > most))
        return mb_note(MB_ERROR, "crypto_aead_encrypt gave a length that is not message and tag");
    return status;
}
#endif

#ifdef MB_CODE_HASH
static inline mb_status hash(mb_job *job)
{
    const state *s = job->ctx;
    return s->hash(job->out, job->message, job->message_len) ? MB_ERROR : MB_OK;
}

static mb_status digests(mb_job *job, uint32_t n)
{
    mb_status status = mb_loop(job, n, hash);
    return status == MB_OK ? status : mb_note(status, "crypto_hash did not return 0");
}
#endif

static mb_status open_job(mb_job *job)
{
    state *s = job->ctx;
    switch (job->op) {
#ifdef MB_CODE_AEAD
    case MB_ENCRYPT_MESSAGE:
    case MB_ENCRYPT_NEW_KEY:
        s->encrypt = ENCRYPT;
        return mb_drive(job, messages);
    case MB_DECRYPT_MESSAGE:
        s->decrypt = DECRYPT;
        return mb_drive(job, messages);
#endif
#ifdef MB_CODE_HASH
    case MB_DIGEST:
        s->hash = HASH;
        return mb_drive(job, digests);
#endif
    default:
        return MB_UNSUPPORTED;
    }
}

/*
 * Nothing of the message before is left where the next one goes: a function that does nothing must
 * not look right.
 */
static mb_status start(mb_job *job)
{
    const size_t len = job->in_len + job->scheme->tag_max;
#ifdef MB_CODE_AEAD
    ((state *)job->ctx)->made = 0;
#endif
    memset(job->out, 0, len < job->out_cap ? len : job->out_cap);
    job->out_len = job->scheme->tag_max; /* of a digest; messages say it themselves */
    return MB_OK;
}

#if MB_STREAMING
#define IDLE mb_drive_idle
#else
/*
 * To the cycle: the loop of an operation, around a function of the same arguments that does
 * nothing.
 */
#ifdef MB_CODE_AEAD
static int nothing(unsigned char *c, length *clen, const unsigned char *m, length mlen,
                   const unsigned char *ad, length adlen, const unsigned char *nsec,
                   const unsigned char *npub, const unsigned char *k)
{
    (void)c, (void)clen, (void)m, (void)mlen, (void)ad, (void)adlen, (void)nsec, (void)npub,
        (void)k;
    return 0;
}
#define NOTHING {.driven = {messages}, .encrypt = nothing}
#else
static int nothing(unsigned char *out, const unsigned char *in, hash_length inlen)
{
    (void)out, (void)in, (void)inlen;
    return 0;
}
#define NOTHING {.driven = {digests}, .hash = nothing}
#endif

static void idle(mb_job *job)
{
    static state empty = NOTHING;
    *job = (mb_job){.scheme = &SCHEMES[0], .op = MB_ENCRYPT_MESSAGE, .ctx = &empty};
}
#define IDLE idle
#endif

#include "code/whole.h"

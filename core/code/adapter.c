/*
 * Code that nobody prepared for motebench: one AEAD, one hash function or both, through the functions of crypto_aead.h and
 * crypto_hash.h. What is timed is the call of one of them, arguments included; what surrounds it is measured with
 * functions that do nothing, and subtracted.
 *
 * The builder says (definitions of the compiler):
 *
 * MB_CODE_NAME             of the implementation, a string
 * MB_CODE_VERSION          what it is made of, a string
 * MB_CODE_AEAD             name of the AEAD scheme, a string; not given: there is none. Then also the integer type of
 *                          its lengths, MB_CODE_AEAD_LENGTH, and in bytes MB_CODE_KEY, MB_CODE_NONCE, MB_CODE_TAG
 * MB_CODE_HASH             name of the hash scheme, a string; not given: there is none. Then also MB_CODE_HASH_LENGTH, and
 *                          in bytes MB_CODE_DIGEST
 */
#include <string.h>

#include "motebench/adapter.h"
#include "support/kind.h"

#ifdef MB_CODE_AEAD
typedef MB_CODE_AEAD_LENGTH length;
typedef int encrypt_function(unsigned char *c, length *clen, const unsigned char *m, length mlen, const unsigned char *ad,
                             length adlen, const unsigned char *nsec, const unsigned char *npub, const unsigned char *k);
typedef int decrypt_function(unsigned char *m, length *mlen, unsigned char *nsec, const unsigned char *c, length clen,
                             const unsigned char *ad, length adlen, const unsigned char *npub, const unsigned char *k);
encrypt_function crypto_aead_encrypt;
decrypt_function crypto_aead_decrypt;
#endif
#ifdef MB_CODE_HASH
typedef MB_CODE_HASH_LENGTH hash_length;
typedef int hash_function(unsigned char *out, const unsigned char *in, hash_length inlen);
hash_function crypto_hash;
#endif

static const mb_scheme SCHEMES[] = {
#ifdef MB_CODE_AEAD
    {.name = MB_CODE_AEAD,
     .operations = MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_ENCRYPT_NEW_KEY),
     .key_min = MB_CODE_KEY, .key_max = MB_CODE_KEY, .nonce_min = MB_CODE_NONCE, .nonce_max = MB_CODE_NONCE,
     .tag_min = MB_CODE_TAG, .tag_max = MB_CODE_TAG, .block = 1, .joined = 1},
#endif
#ifdef MB_CODE_HASH
    {.name = MB_CODE_HASH, .operations = MB_CAN(MB_DIGEST), .tag_min = MB_CODE_DIGEST, .tag_max = MB_CODE_DIGEST,
     .block = 1},
#endif
};

typedef struct state {
#ifdef MB_CODE_AEAD
    encrypt_function *encrypt;
    decrypt_function *decrypt;
    length made; /* bytes of output, as the function says */
#endif
#ifdef MB_CODE_HASH
    hash_function *hash;
#endif
} state;

static size_t scheme_count(void)
{
    return sizeof SCHEMES / sizeof SCHEMES[0];
}

static const mb_scheme *scheme_at(size_t i)
{
    return &SCHEMES[i];
}

static mb_status init(void)
{
    return MB_OK;
}

static const char *version(void)
{
    return MB_CODE_VERSION;
}

static mb_status open_job(mb_job *job)
{
    state *s = job->ctx;
#ifdef MB_CODE_AEAD
    s->encrypt = crypto_aead_encrypt;
    s->decrypt = crypto_aead_decrypt;
#endif
#ifdef MB_CODE_HASH
    s->hash = crypto_hash;
#endif
    return MB_OK;
}

/* Nothing of the message before is left where the next one goes: a function that does nothing must not look right. */
static mb_status start(mb_job *job)
{
    const size_t len = job->in_len + job->scheme->tag_max;
#ifdef MB_CODE_AEAD
    ((state *)job->ctx)->made = 0;
#endif
    memset(job->out, 0, len < job->out_cap ? len : job->out_cap);
    return MB_OK;
}

static mb_status run(mb_job *job, uint32_t n)
{
    state *s = job->ctx;
    int bad = 0;
    switch (job->op) {
#ifdef MB_CODE_AEAD
    case MB_DECRYPT_MESSAGE:
        for (; n > 0; n--)
            bad |= s->decrypt(job->out, &s->made, NULL, job->in, job->in_len + MB_CODE_TAG, job->aad,
                                       job->aad_len, job->nonce, job->key);
        job->out_len = (size_t)s->made;
        return bad ? MB_REJECTED : MB_OK;
    case MB_ENCRYPT_MESSAGE:
    case MB_ENCRYPT_NEW_KEY:
        for (; n > 0; n--)
            bad |= s->encrypt(job->out, &s->made, job->in, job->in_len, job->aad, job->aad_len, NULL,
                                       job->nonce, job->key);
        job->out_len = (size_t)s->made;
        return bad ? mb_note(MB_ERROR, "crypto_aead_encrypt did not return 0") : MB_OK;
#endif
#ifdef MB_CODE_HASH
    case MB_DIGEST:
        for (; n > 0; n--)
            bad |= s->hash(job->out, job->in, job->in_len);
        job->out_len = MB_CODE_DIGEST;
        return bad ? mb_note(MB_ERROR, "crypto_hash did not return 0") : MB_OK;
#endif
    default:
        return MB_UNSUPPORTED;
    }
}

#ifdef MB_CODE_AEAD
static int nothing(unsigned char *c, length *clen, const unsigned char *m, length mlen, const unsigned char *ad,
                   length adlen, const unsigned char *nsec, const unsigned char *npub, const unsigned char *k)
{
    (void)c, (void)clen, (void)m, (void)mlen, (void)ad, (void)adlen, (void)nsec, (void)npub, (void)k;
    return 0;
}
#define IDLE .encrypt = nothing
enum { IDLE_OPERATION = MB_ENCRYPT_MESSAGE };
#else
static int nothing(unsigned char *out, const unsigned char *in, hash_length inlen)
{
    (void)out, (void)in, (void)inlen;
    return 0;
}
#define IDLE .hash = nothing
enum { IDLE_OPERATION = MB_DIGEST };
#endif

static void idle(mb_job *job)
{
    static state empty = {IDLE};
    *job = (mb_job){.scheme = &SCHEMES[0], .op = IDLE_OPERATION, .ctx = &empty};
}

static mb_status update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    (void)job, (void)in, (void)in_len, (void)out, (void)out_len;
    return MB_UNSUPPORTED;
}

static mb_status final(mb_job *job, uint8_t *out, size_t *out_len)
{
    (void)job, (void)out, (void)out_len;
    return MB_UNSUPPORTED;
}

static void close_job(mb_job *job)
{
    (void)job;
}

const mb_adapter mb_the_adapter = {
    .implementation = MB_CODE_NAME,
    .scheme_count = scheme_count,
    .scheme_at = scheme_at,
    .ctx_size = sizeof(state),
    .init = init,
    .version = version,
    .open = open_job,
    .start = start,
    .run = run,
    .update = update,
    .final = final,
    .close = close_job,
    .error = mb_kind_error,
    .idle = idle,
};

/*
 * User code: a cipher without authentication through the functions of crypto_cipher.h. What is
 * timed is the call of one of them, arguments included. The key schedule is an operation of its
 * own.
 *
 * The builder says (definitions of the compiler):
 *
 * MB_CODE_NAME             of the implementation, a string
 * MB_CODE_VERSION          what it is made of, a string
 * MB_CODE_CIPHER           name of the scheme, a string
 * MB_CODE_KEY, MB_CODE_NONCE, MB_CODE_BLOCK, MB_CODE_STATE
 *                          in bytes. With a nonce, whole messages are processed, else blocks
 * MB_CODE_DECRYPTS         there is crypto_cipher_decrypt
 */
#include <stdbool.h>
#include <string.h>

#include "code/include/crypto_cipher.h"
#include "code/run.h"
#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"

typedef int key_function(void *state, const unsigned char *key);
typedef int crypt_function(const void *state, unsigned char *out, const unsigned char *in,
                           size_t inlen, const unsigned char *nonce);

#if MB_CODE_NONCE > 0
enum { FORWARD = MB_ENCRYPT_MESSAGE, BACKWARD = MB_DECRYPT_MESSAGE };
#else
enum { FORWARD = MB_ENCRYPT, BACKWARD = MB_DECRYPT };
#endif

static const mb_scheme SCHEMES[] = {
    {.name = MB_CODE_CIPHER,
     .operations = MB_CAN(MB_KEY_SETUP) | MB_CAN(FORWARD)
#ifdef MB_CODE_DECRYPTS
                   | MB_CAN(BACKWARD)
#endif
         ,
     .key_min = MB_CODE_KEY,
     .key_max = MB_CODE_KEY,
     .nonce_min = MB_CODE_NONCE,
     .nonce_max = MB_CODE_NONCE,
     .block = MB_CODE_BLOCK},
};

typedef struct state {
    mb_driven driven; /* first: state of the driver */
    union {           /* the function that is called */
        key_function *expand;
        crypt_function *crypt;
    };
    union {
        uint8_t bytes[MB_CODE_STATE];
        uint64_t aligned;
        long double also;
    } expanded;
} state;

/*
 * The functions are called in the loop itself, on boards too: saving registers for their arguments
 * is not part of them.
 */
static inline mb_status expand(mb_job *job)
{
    state *s = job->ctx;
    return s->expand(s->expanded.bytes, job->key) ? MB_ERROR : MB_OK;
}

static mb_status keys(mb_job *job, uint32_t n)
{
    const mb_status status = mb_loop(job, n, expand);
    return status == MB_OK ? status : mb_note(status, "crypto_cipher_key did not return 0");
}

static inline mb_status crypt(mb_job *job)
{
    const state *s = job->ctx;
    return s->crypt(s->expanded.bytes, job->out, job->in, job->in_len, job->nonce)
               ? MB_ERROR
               : MB_OK;
}

static mb_status messages(mb_job *job, uint32_t n)
{
    const mb_status status = mb_loop(job, n, crypt);
    return status == MB_OK ? status
                           : mb_note(status, "crypto_cipher_encrypt or _decrypt did not return 0");
}

static mb_status open_job(mb_job *job)
{
    state *s = job->ctx;
    if (job->op == MB_KEY_SETUP) {
        s->expand = crypto_cipher_key;
        return mb_drive(job, keys);
    }
#ifdef MB_CODE_DECRYPTS
    const bool offered = job->op == FORWARD || job->op == BACKWARD;
#else
    const bool offered = job->op == FORWARD;
#endif
    if (!offered)
        return MB_UNSUPPORTED;
    if (crypto_cipher_key(s->expanded.bytes, job->key))
        return mb_note(MB_ERROR, "crypto_cipher_key did not return 0");
    s->crypt = crypto_cipher_encrypt;
#ifdef MB_CODE_DECRYPTS
    if (job->op == BACKWARD)
        s->crypt = crypto_cipher_decrypt;
#endif
    return mb_drive(job, messages);
}

static mb_status start(mb_job *job)
{
    if (job->op == MB_KEY_SETUP)
        return MB_OK;
    if (job->out != job->in) /* a function that does nothing must not look right */
        memset(job->out, 0, job->in_len);
    job->out_len = job->in_len;
    return MB_OK;
}

#if MB_STREAMING
#define IDLE mb_drive_idle
#else
/*
 * To the cycle: the loop of an operation, around a function of the same arguments that does
 * nothing.
 */
static int nothing(const void *state_of, unsigned char *out, const unsigned char *in, size_t inlen,
                   const unsigned char *nonce)
{
    (void)state_of, (void)out, (void)in, (void)inlen, (void)nonce;
    return 0;
}

static void idle(mb_job *job)
{
    static state empty = {.driven = {messages}, .crypt = nothing};
    *job = (mb_job){.scheme = &SCHEMES[0], .op = FORWARD, .ctx = &empty};
}
#define IDLE idle
#endif

#include "code/whole.h"

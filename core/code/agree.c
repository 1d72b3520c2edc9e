/*
 * User code: key agreement through SUPERCOP's crypto_scalarmult or crypto_dh. Timed is the
 * call that computes a shared secret, arguments included.
 *
 * The builder says (definitions of the compiler), sizes in bytes:
 *
 * MB_CODE_NAME, MB_CODE_VERSION     of the implementation, and what it is made of: strings
 * MB_CODE_SCALARMULT or MB_CODE_DH  name of the scheme, a string
 * MB_CODE_PUBLIC, MB_CODE_PRIVATE, MB_CODE_SECRET
 *                                   keys and the shared secret, as the code has them
 * MB_CODE_UNCOMPRESSED              public keys of the scheme begin with 4 (SEC 1, 2.3.3), those of
 *                                   the code do not
 * of crypto_dh: MB_CODE_RANDOM_LENGTH, the integer type of the length that it gives randombytes
 */
#include <string.h>

#include "code/run.h"
#include "motebench/adapter.h"
#include "motebench/marks.h"
#include "support/driver.h"
#include "support/kind.h"

#ifdef MB_CODE_UNCOMPRESSED
enum { FORM = 1 };
#else
enum { FORM = 0 };
#endif
enum { POINT = FORM + MB_CODE_PUBLIC };

typedef struct job_state { mb_driven driven; } job_state;

#ifdef MB_CODE_SCALARMULT
int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p);
int crypto_scalarmult_base(unsigned char *q, const unsigned char *n);
#define SCHEME MB_CODE_SCALARMULT
#define AGREE(secret, private, public) crypto_scalarmult(secret, private, public)
#else
int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk);
int crypto_dh_keypair(unsigned char *pk, unsigned char *sk);
#define SCHEME MB_CODE_DH
#define AGREE(secret, private, public) crypto_dh(secret, public, private)
#endif

static inline mb_status agree(mb_job *job)
{
    return MB_PUBLIC_RESULT(AGREE(job->out, job->key, job->peer + FORM)) ? MB_REJECTED : MB_OK;
}

static mb_status agreements(mb_job *job, uint32_t n)
{
    const mb_status status = mb_loop(job, n, agree);
    job->out_len = status == MB_OK ? MB_CODE_SECRET : 0;
    return status;
}

static mb_status open_job(mb_job *job)
{
    if (job->key_len != MB_CODE_PRIVATE)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    if (job->peer_len != POINT || (FORM && job->peer[0] != 4))
        return mb_note(MB_UNSUPPORTED, "a public key of another length or form");
    return job->out_cap < MB_CODE_SECRET ? mb_note(MB_TOO_BIG, "output does not fit")
                                         : mb_drive(job, agreements);
}

/* A function that does nothing must not look right. */
static mb_status start(mb_job *job)
{
    memset(job->out, 0, job->out_cap);
    return MB_OK;
}

#ifdef MB_CODE_SCALARMULT
static mb_status make_public(uint8_t *public, const uint8_t *private)
{
    return crypto_scalarmult_base(public, private) ? MB_ERROR : MB_OK;
}
#else
/*
 * crypto_dh makes keys from random bytes alone: it is given the private key as these, and the
 * public key counts if that is the private key which it made.
 */
static const uint8_t *tape;
static size_t tape_left;

int randombytes(uint8_t *out, MB_CODE_RANDOM_LENGTH len);

int randombytes(uint8_t *out, MB_CODE_RANDOM_LENGTH len)
{
    const size_t n = (size_t)len, given = n < tape_left ? n : tape_left;
    memset(out, 0, n);
    if (given > 0)
        memcpy(out, tape, given);
    tape += given;
    tape_left -= given;
    return 0;
}

static mb_status make_public(uint8_t *public, const uint8_t *private)
{
    uint8_t made[MB_CODE_PRIVATE] = {0};
    tape = private;
    tape_left = MB_CODE_PRIVATE;
    if (crypto_dh_keypair(public, made) || memcmp(made, private, sizeof made) != 0)
        return mb_note(MB_UNSUPPORTED, "crypto_dh_keypair does not take this private key");
    return MB_OK;
}
#endif

static mb_status public_key(mb_job *job)
{
    if (job->key_len != MB_CODE_PRIVATE)
        return mb_note(MB_UNSUPPORTED, "a private key of another length");
    if (job->out_cap < POINT)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (FORM)
        job->out[0] = 4;
    job->out_len = POINT;
    return make_public(job->out + FORM, job->key);
}

static const mb_kind agree_kind = {
    .open = open_job, .start = start, .run = MB_CODE_RUN, .public_key = public_key};
static const mb_row agree_row = {&agree_kind};
static const mb_scheme schemes[] = {
    {.name = SCHEME,
     .operations = MB_CAN(MB_AGREE),
     .key_min = MB_CODE_PRIVATE,
     .key_max = MB_CODE_PRIVATE,
     .block = 1,
     .param = &agree_row}};

#define MOTE_NAME MB_CODE_NAME
#define MOTE_LIBRARY_VERSION MB_CODE_VERSION
#include "vendor/public_key.h"

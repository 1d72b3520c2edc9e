/*
 * A wrapper of P-256 but for its line MOTE_ADAPTER(symbol): included by one that defines the five
 * functions below. Numbers have 32 bytes, the highest first; points are x and y. The functions
 * return whether the library takes what it is given.
 *
 * Timed is all but the range of a private key, which `open` checks. A key pair is made of
 * random bytes that are drawn before; hosts draw them, a board is given them.
 */
#include <stdbool.h>
#include <string.h>
#ifndef MOTE_PICKED
#include <sys/random.h>
#endif

#include "motebench/adapter.h"
#include "motebench/marks.h"
#include "support/der.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

enum { NUMBER = 32, POINT = 65, SIGNATURE_MAX = 72 };

static void hash_message(uint8_t digest[32], const uint8_t *message, size_t len);
static bool agree_with(uint8_t secret[32], const uint8_t key[32], const uint8_t peer[64]);
static bool sign_digest(uint8_t r_s[64], const uint8_t key[32], const uint8_t digest[32]);
static bool verify_digest(const uint8_t r_s[64], const uint8_t point[64], const uint8_t digest[32]);
static bool find_public(uint8_t point[64], const uint8_t key[32]);

#ifdef MOTE_PICKED
#define SEEDS MB_NEEDS_SEED
#else
#define SEEDS MB_TAKES_SEED
#endif

typedef struct job_state { uint8_t unused; } job_state;

/* Private keys in range that the library answers wrongly: a wrapper may name them. */
#ifndef TAKES_KEY
#define TAKES_KEY(key) true
#endif

/* True if a number is from 1 to n - 1 (SP 800-56A, 5.6.1.2). */
static bool is_scalar(const uint8_t number[NUMBER])
{
    /* SP 800-186, 3.2.1.3 */
    static const uint8_t order[NUMBER] = {
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17,
        0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
    uint8_t any = 0;
#ifdef MB_MARKS /* that it is refused is for everybody to know */
    uint8_t known[NUMBER];
    memcpy(known, number, NUMBER);
    MB_PUBLIC(known);
    number = known;
#endif
    for (uint8_t i = 0; i < NUMBER; i++)
        any |= number[i];
    return any != 0 && memcmp(number, order, NUMBER) < 0;
}

static mb_status check_key(const mb_job *job)
{
    if (job->key_len != NUMBER)
        return mb_note(MB_UNSUPPORTED, "a private key has 32 bytes");
    if (!is_scalar(job->key))
        return mb_note(MB_ERROR, "the private key is not in the range of the curve's order");
    return TAKES_KEY(job->key) ? MB_OK
                               : mb_note(MB_UNSUPPORTED, "the library is wrong with this key");
}

static mb_status open_job(mb_job *job)
{
    if (job->op == MB_KEYGEN)
        return job->seed_len != 0 && job->seed_len != NUMBER
                   ? mb_note(MB_UNSUPPORTED, "a seed has 32 bytes")
                   : MB_OK;
    if (job->op == MB_VERIFY)
        return job->key_len == POINT ? MB_OK : mb_note(MB_UNSUPPORTED, "a public key has 65 bytes");
    if (job->op == MB_SIGN && job->out_cap < SIGNATURE_MAX)
        return mb_note(MB_TOO_BIG, "output does not fit");
    return check_key(job);
}

static mb_status generate(mb_job *job)
{
    uint8_t point[POINT - 1];
    if (job->seed_len != 0)
        memcpy(job->out, job->seed, NUMBER);
#ifndef MOTE_PICKED
    else if (getrandom(job->out, NUMBER, 0) != NUMBER)
        return mb_note(MB_ERROR, "no randomness");
#endif
    job->out_len = NUMBER;
    return is_scalar(job->out) && find_public(point, job->out)
               ? MB_OK
               : mb_note(MB_ERROR, "the random bytes are no private key");
}

static mb_status agree(mb_job *job)
{
    job->out_len = 0;
    if (job->peer_len != POINT || job->peer[0] != 4 ||
        !MB_PUBLIC_RESULT(agree_with(job->out, job->key, job->peer + 1)))
        return MB_REJECTED;
    job->out_len = NUMBER;
    return MB_OK;
}

static mb_status sign(mb_job *job)
{
    uint8_t digest[NUMBER], r_s[2 * NUMBER];
    hash_message(digest, job->message, job->message_len);
    if (!MB_PUBLIC_RESULT(sign_digest(r_s, job->key, digest)))
        return mb_note(MB_ERROR, "the library does not sign with this key");
    MB_PUBLIC(r_s); /* the signature */
    job->out_len = mb_der_write(
        job->out, job->out_cap, (const mb_number[]){{r_s, NUMBER}, {r_s + NUMBER, NUMBER}}, 2);
    return MB_OK;
}

static mb_status verify(mb_job *job)
{
    uint8_t digest[NUMBER], r_s[2 * NUMBER] = {0};
    mb_number numbers[2];
    job->out_len = 0;
    if (job->key[0] != 4 || !mb_der_read(job->signature, job->signature_len, numbers, 2) ||
        numbers[0].len > NUMBER || numbers[1].len > NUMBER)
        return MB_REJECTED;
    for (uint8_t i = 0; i < 2; i++)
        memcpy(r_s + (i + 1) * NUMBER - numbers[i].len, numbers[i].at, numbers[i].len);
    hash_message(digest, job->message, job->message_len);
    return verify_digest(r_s, job->key + 1, digest) ? MB_OK : MB_REJECTED;
}

static mb_status run(mb_job *job, uint32_t n)
{
    return mb_repeat(job, n,
                     job->op == MB_KEYGEN  ? generate
                     : job->op == MB_AGREE ? agree
                     : job->op == MB_SIGN  ? sign
                                           : verify);
}

static mb_status public_key(mb_job *job)
{
    const mb_status status = check_key(job);
    if (status != MB_OK || job->out_cap < POINT)
        return status != MB_OK ? status : mb_note(MB_TOO_BIG, "output does not fit");
    job->out[0] = 4;
    job->out_len = POINT;
    return find_public(job->out + 1, job->key) ? MB_OK
                                               : mb_note(MB_ERROR, "the library finds no point");
}

static const mb_kind p256_kind = {.open = open_job, .run = run, .public_key = public_key};
static const mb_row p256_row = {&p256_kind};

/*
 * A signature is a SEQUENCE of two INTEGERs of 1 to 33 bytes. The secret's length makes room in
 * `out` for a public key.
 */
static const mb_scheme schemes[] = {
    MOTE_PICK(ecdh_p256, {.name = "ecdh-p256",
                          .operations = (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE) | SEEDS),
                          .key_min = NUMBER,
                          .key_max = NUMBER,
                          .secret_bytes = NUMBER,
                          .block = 1,
                          .param = &p256_row})
        MOTE_PICK(ecdsa_p256_sha256,
                  {.name = "ecdsa-p256-sha256",
                   .operations =
                       (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | SEEDS),
                   .key_min = NUMBER,
                   .key_max = POINT,
                   .tag_min = 8,
                   .tag_max = SIGNATURE_MAX,
                   .block = 1,
                   .param = &p256_row})};

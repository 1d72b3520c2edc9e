/*
 * BearSSL's Diffie-Hellman on P-256 (SP 800-56A 5.7.1.2), whose field has code of its own: the
 * secret is the x coordinate. The library checks that the peer's key is a point of the curve; it
 * leaves the range of the private key to its user, so `open` checks it.
 */
#include "motebench/marks.h"
#include "public.h"

#define CURVE (&BEAR_WORDS(br_ec_p256_m, ))

enum { SCALAR = 32, POINT = 65 };

typedef struct job_state { uint8_t unused; } job_state;

/* A private key is in the range 1 to n - 1 (SP 800-56A 5.6.1.2). */
static mb_status check_key(const mb_job *job)
{
    size_t len;
    const unsigned char *order = CURVE->order(BR_EC_secp256r1, &len);
    uint8_t any = 0;
    if (job->key_len != SCALAR)
        return mb_note(MB_UNSUPPORTED, "a private key has 32 bytes");
    const uint8_t *key = job->key;
#ifdef MB_MARKS /* that it is refused is for everybody to know */
    uint8_t known[SCALAR];
    memcpy(known, key, SCALAR);
    MB_PUBLIC(known);
    key = known;
#endif
    for (size_t i = 0; i < SCALAR; i++)
        any |= key[i];
    return any != 0 && memcmp(key, order, SCALAR) < 0
               ? MB_OK
               : mb_note(MB_ERROR, "the private key is not in the range of the curve's order");
}

static mb_status open_job(mb_job *job)
{
    if (job->out_cap < POINT)
        return mb_note(MB_TOO_BIG, "output does not fit");
    return job->op == MB_KEYGEN ? MB_OK : check_key(job);
}

static mb_status agree(mb_job *job)
{
    job->out_len = 0;
    if (job->peer_len != POINT)
        return MB_REJECTED;
    memcpy(job->out, job->peer, POINT);
    if (MB_PUBLIC_RESULT((int)CURVE->mul(job->out, POINT, job->key, SCALAR, BR_EC_secp256r1)) != 1)
        return MB_REJECTED;
    memmove(job->out, job->out + 1, SCALAR);
    job->out_len = SCALAR;
    return MB_OK;
}

#ifndef MOTE_PICKED
/* A key pair: br_ec_keygen makes the private key only. */
static mb_status generate(mb_job *job)
{
    br_ec_private_key key;
    uint8_t buffer[BR_EC_KBUF_PRIV_MAX_SIZE], point[POINT];
    const br_prng_class **random = bear_random();
    if (random == NULL || br_ec_keygen(random, CURVE, &key, buffer, BR_EC_secp256r1) != SCALAR ||
        CURVE->mulgen(point, key.x, SCALAR, BR_EC_secp256r1) != POINT)
        return mb_note(MB_ERROR, "no randomness, or no key");
    memcpy(job->out, key.x, SCALAR);
    job->out_len = SCALAR;
    return MB_OK;
}
#endif

static mb_status run(mb_job *job, uint32_t n)
{
#ifndef MOTE_PICKED
    if (job->op == MB_KEYGEN)
        return mb_repeat(job, n, generate);
#endif
    return mb_repeat(job, n, agree);
}

static mb_status public_key(mb_job *job)
{
    mb_status status = check_key(job);
    if (status != MB_OK || job->out_cap < POINT)
        return status != MB_OK ? status : mb_note(MB_TOO_BIG, "output does not fit");
    job->out_len = CURVE->mulgen(job->out, job->key, SCALAR, BR_EC_secp256r1);
    return job->out_len == POINT ? MB_OK : mb_note(MB_ERROR, "the library finds no point");
}

static const mb_kind ecdh_kind = {.open = open_job, .run = run, .public_key = public_key};
static const mb_row ecdh_row = {&ecdh_kind};
/* The secret's length makes room in `out` for a public key, of 65 bytes. */
static const mb_scheme schemes[] = {MOTE_PICK(
    ecdh_p256, {.name = "ecdh-p256",
                .operations = (uint16_t)(BEAR_KEYGEN | MB_CAN(MB_AGREE)),
                .key_min = SCALAR,
                .key_max = SCALAR,
                .secret_bytes = SCALAR,
                .block = 1,
                .param = &ecdh_row})};

MOTE_ADAPTER(bearssl_ecdh_p256)
#include "vendor/public_key.h"

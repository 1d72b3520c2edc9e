/*
 * The adapter of our own P-256 but for its line MOTE_ADAPTER(symbol): key agreement, and ECDSA with
 * SHA-256, deterministic (RFC 6979). Included by one that defines OURS(name), the function of that
 * name in mote/p256.h, and HASHES, which has SHA-256.
 *
 * What is timed is all of it: checks of keys and points, hashing the message, DER. Hosts draw the
 * keys that they make; a board is given the random bytes.
 */
#include "mote/p256.h"

#include <string.h>
#ifndef MOTE_PICKED
#include <sys/random.h>
#endif

#include "mote/cipher.h"
#include "motebench/adapter.h"
#include "motebench/marks.h"
#include "support/der.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

#ifdef MOTE_PICKED
#define SEEDS MB_NEEDS_SEED
#else
#define SEEDS MB_TAKES_SEED
#endif

enum { INTEGER_MAX = 33, DER_MAX = 2 + 2 * (2 + INTEGER_MAX) };

extern const mote_implementation HASHES;

/* Schemes without which a firmware may be linked. */
#ifndef WITH_ECDH
#define WITH_ECDH 1
#define WITH_ECDSA 1
#endif

typedef struct job_state { uint8_t unused; } job_state;

static mb_status refused(mb_job *job)
{
    job->out_len = 0;
    return MB_REJECTED;
}

static mb_status no_key(void)
{
    return mb_note(MB_ERROR, "the private key is not in the range of the curve's order");
}

static mb_status generate(mb_job *job)
{
    uint8_t point[MOTE_P256_POINT], random[MOTE_P256_NUMBER];
    if (job->seed_len != 0)
        memcpy(random, job->seed, sizeof random);
#ifndef MOTE_PICKED
    else if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return mb_note(MB_ERROR, "no randomness");
#endif
    job->out_len = MOTE_P256_NUMBER;
    return OURS(keygen)(job->out, point, random) == 0 ? MB_OK : no_key();
}

#if WITH_ECDH
static mb_status agree(mb_job *job)
{
    job->out_len = 0;
    if (MB_PUBLIC_RESULT(OURS(agree)(job->out, job->key, job->peer, job->peer_len)) != 0)
        return MB_REJECTED;
    job->out_len = MOTE_P256_NUMBER;
    return MB_OK;
}

#endif

#if WITH_ECDSA
/* SHA-256 of the message. */
static void digest_of(const mb_job *job, uint8_t digest[MOTE_P256_NUMBER])
{
    union {
        uint64_t aligned;
        uint8_t bytes[128];
    } state;
    const mote_hash *hash = HASHES.hashes;
    while (hash->digest_len != MOTE_P256_NUMBER)
        hash++;
    hash->start(&state);
    hash->update(&state, job->message, job->message_len);
    hash->finish(&state, digest);
}

/*
 * An INTEGER, as DER has it (X.690, 8.3); behind it, up to 35 bytes from `out` on are written. The
 * same steps for every number, so that cycles show nothing of keys, not even what the signature
 * itself shows.
 */
static uint8_t *put_integer(uint8_t *out, const uint8_t number[MOTE_P256_NUMBER])
{
    uint8_t padded[2 * INTEGER_MAX] = {0}, skipped = 0, leading = 1;
    memcpy(padded + 1, number, MOTE_P256_NUMBER);
    for (uint8_t i = 0; i < MOTE_P256_NUMBER; i++) {
        const unsigned needed = padded[i] | (unsigned)padded[i + 1] >> 7;
        leading &= (uint8_t)((needed - 1) >> 8 & 1);
        skipped = (uint8_t)(skipped + leading);
    }
    *out++ = 2;
    *out++ = (uint8_t)(INTEGER_MAX - skipped);
    /* Byte by byte: words take longer where they are not aligned. */
    volatile uint8_t *to = out;
    for (uint8_t i = 0; i < INTEGER_MAX; i++)
        to[i] = padded[skipped + i];
    return out + INTEGER_MAX - skipped;
}

static mb_status sign(mb_job *job)
{
    uint8_t digest[MOTE_P256_NUMBER], signature[MOTE_P256_SIGNATURE];
    digest_of(job, digest);
    if (OURS(sign)(signature, job->key, digest) != 0)
        return no_key();
    uint8_t *end = put_integer(job->out + 2, signature);
    end = put_integer(end, signature + MOTE_P256_NUMBER);
    job->out_len = (size_t)(end - job->out);
    job->out[0] = 0x30;
    job->out[1] = (uint8_t)(job->out_len - 2);
    return MB_OK;
}

static mb_status verify(mb_job *job)
{
    uint8_t digest[MOTE_P256_NUMBER], signature[MOTE_P256_SIGNATURE] = {0};
    mb_number numbers[2];
    job->out_len = 0;
    if (!mb_der_read(job->signature, job->signature_len, numbers, 2))
        return MB_REJECTED;
    for (uint8_t i = 0; i < 2; i++) {
        if (numbers[i].len > MOTE_P256_NUMBER)
            return MB_REJECTED;
        memcpy(signature + (i + 1) * MOTE_P256_NUMBER - numbers[i].len, numbers[i].at,
               numbers[i].len);
    }
    digest_of(job, digest);
    return OURS(verify)(job->key, job->key_len, digest, signature) == 0 ? MB_OK : MB_REJECTED;
}

#endif

static mb_status open_job(mb_job *job)
{
    if (job->op == MB_KEYGEN)
        return job->seed_len != 0 && job->seed_len != MOTE_P256_NUMBER
                   ? mb_note(MB_UNSUPPORTED, "a seed has 32 bytes")
                   : MB_OK;
    if (job->op != MB_VERIFY && job->key_len != MOTE_P256_NUMBER)
        return mb_note(MB_UNSUPPORTED, "a private key has 32 bytes");
    if (job->op == MB_VERIFY && job->key_len != MOTE_P256_POINT &&
        job->key_len != MOTE_P256_COMPRESSED)
        return mb_note(MB_UNSUPPORTED, "a public key has 65 bytes, or 33 compressed");
    return job->op == MB_SIGN && job->out_cap < DER_MAX
               ? mb_note(MB_TOO_BIG, "output does not fit")
               : MB_OK;
}

static mb_status run(mb_job *job, uint32_t n)
{
#if WITH_ECDH
    if (job->op == MB_AGREE)
        return mb_repeat(job, n, agree);
#endif
#if WITH_ECDSA
    if (job->op == MB_SIGN || job->op == MB_VERIFY)
        return mb_repeat(job, n, job->op == MB_SIGN ? sign : verify);
#endif
    return mb_repeat(job, n, job->op == MB_KEYGEN ? generate : refused);
}

static mb_status public_key(mb_job *job)
{
    if (job->key_len != MOTE_P256_NUMBER || job->out_cap < MOTE_P256_POINT)
        return mb_note(MB_UNSUPPORTED, "a private key has 32 bytes");
    job->out_len = MOTE_P256_POINT;
    return OURS(public_key)(job->out, job->key) == 0 ? MB_OK : no_key();
}

static const mb_kind p256_kind = {.open = open_job, .run = run, .public_key = public_key};
static const mb_row p256_row = {&p256_kind};

/* A signature is a SEQUENCE of two INTEGERs of 1 to 33 bytes. */
static const mb_scheme schemes[] = {
    MOTE_PICK(ecdh_p256, {.name = "ecdh-p256",
                          .operations = (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_AGREE) | SEEDS),
                          .key_min = MOTE_P256_NUMBER,
                          .key_max = MOTE_P256_NUMBER,
                          .block = 1,
                          .param = &p256_row})
        MOTE_PICK(ecdsa_p256_sha256,
                  {.name = "ecdsa-p256-sha256",
                   .operations =
                       (uint16_t)(MB_CAN(MB_KEYGEN) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY) | SEEDS),
                   .key_min = MOTE_P256_NUMBER,
                   .key_max = MOTE_P256_POINT,
                   .tag_min = 8,
                   .tag_max = DER_MAX,
                   .block = 1,
                   .param = &p256_row})};

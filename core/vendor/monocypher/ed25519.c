/*
 * Ed25519 (RFC 8032 5.1) of Monocypher's building blocks for EdDSA and motebench's own SHA-512.
 *
 * The key's expansion, and with it a multiplication by the base point for the public key, is done
 * in `open`; SIGN is one more multiplication and two passes of SHA-512 over the message.
 *
 * The library takes any encoding of a point, RFC 8032 5.1.3 only one: others are refused here.
 */
#include <monocypher.h>
#include <string.h>

#include "mote/cipher.h"
#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

/* A board has no source of randomness: it makes no keys. */
#ifdef MOTE_PICKED
#define MONO_KEYGEN 0
#else
#define MONO_KEYGEN MB_CAN(MB_KEYGEN)
#include <sys/random.h>
#endif

enum { LENGTH = 32 };

#ifndef MOTE_PICKED
/* A new private key. The library leaves randomness to its user; a key is 32 bytes of it. */
static mb_status draw(mb_job *job)
{
    job->out_len = LENGTH;
    return getrandom(job->out, LENGTH, 0) == LENGTH
               ? MB_OK
               : mb_note(MB_ERROR, "the system has no randomness");
}
#endif

enum { SEED = 32, SIGNATURE = 64, HASH = 64 };

extern const mote_implementation mote_sha_512;

typedef struct job_state { uint8_t scalar[32], prefix[32], public[32]; } job_state;

/* SHA-512 of up to three strings, one after the other. */
static void hash(uint8_t digest[HASH], const uint8_t *a, size_t a_len, const uint8_t *b,
                 size_t b_len, const uint8_t *c, size_t c_len)
{
    const mote_hash *sha512 = &mote_sha_512.hashes[0];
    uint64_t state[32];
    while (sha512->digest_len != HASH)
        sha512++;
    sha512->start(state);
    sha512->update(state, a, a_len);
    sha512->update(state, b, b_len);
    sha512->update(state, c, c_len);
    sha512->finish(state, digest);
}

static void expand(job_state *s, const uint8_t *seed)
{
    uint8_t digest[HASH];
    hash(digest, seed, SEED, NULL, 0, NULL, 0);
    crypto_eddsa_trim_scalar(s->scalar, digest);
    memcpy(s->prefix, digest + 32, 32);
    crypto_eddsa_scalarbase(s->public, s->scalar);
}

static mb_status open_job(mb_job *job)
{
    if (job->op == MB_KEYGEN)
        return MB_OK;
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK && job->op == MB_SIGN) {
        if (job->out_cap < SIGNATURE)
            return mb_note(MB_TOO_BIG, "output does not fit");
        expand(job->ctx, job->key);
    }
    return status;
}

static mb_status sign(mb_job *job)
{
    const job_state *s = job->ctx;
    uint8_t digest[HASH], nonce[32], challenge[32];
    hash(digest, s->prefix, sizeof s->prefix, job->in, job->in_len, NULL, 0);
    crypto_eddsa_reduce(nonce, digest);
    crypto_eddsa_scalarbase(job->out, nonce);
    hash(digest, job->out, 32, s->public, sizeof s->public, job->in, job->in_len);
    crypto_eddsa_reduce(challenge, digest);
    crypto_eddsa_mul_add(job->out + 32, challenge, s->scalar, nonce);
    job->out_len = SIGNATURE;
    return MB_OK;
}

/*
 * True if an encoded point (its y little-endian, and the sign of its x in the highest bit) has y <
 * p = 2^255 - 19 and, where x is 0, which is where y is 1 or -1, no sign.
 */
static bool canonical(const uint8_t *point)
{
    const uint8_t top = point[LENGTH - 1] & 0x7f;
    uint8_t all = 0xff, any = 0; /* of the bytes between the lowest and the highest */
    for (size_t i = 1; i < LENGTH - 1; i++) {
        all &= point[i];
        any |= point[i];
    }
    const bool last = top == 0x7f && all == 0xff && point[0] >= 0xec; /* -1, or not below p */
    const bool one = top == 0 && any == 0 && point[0] == 1;
    return !(last && point[0] > 0xec) && !((last || one) && point[LENGTH - 1] != top);
}

static mb_status verify(mb_job *job)
{
    uint8_t digest[HASH], challenge[32];
    job->out_len = 0;
    if (job->signature_len != SIGNATURE || !canonical(job->signature) || !canonical(job->key))
        return MB_REJECTED;
    hash(digest, job->signature, 32, job->key, 32, job->in, job->in_len);
    crypto_eddsa_reduce(challenge, digest);
    return crypto_eddsa_check_equation(job->signature, job->key, challenge) == 0
               ? MB_OK
               : MB_REJECTED;
}

#ifndef MOTE_PICKED
static mb_status generate(mb_job *job)
{
    job_state s;
    const mb_status status = draw(job);
    if (status == MB_OK) {
        expand(&s, job->out);
        crypto_wipe(&s, sizeof s);
    }
    return status;
}
#endif

static mb_status run(mb_job *job, uint32_t n)
{
#ifndef MOTE_PICKED
    if (job->op == MB_KEYGEN)
        return mb_repeat(job, n, generate);
#endif
    return mb_repeat(job, n, job->op == MB_SIGN ? sign : verify);
}

static void close_job(mb_job *job)
{
    crypto_wipe(job->ctx, sizeof(job_state));
}

static mb_status public_key(mb_job *job)
{
    job_state s;
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK || job->out_cap < LENGTH)
        return status != MB_OK ? status : mb_note(MB_TOO_BIG, "output does not fit");
    expand(&s, job->key);
    memcpy(job->out, s.public, LENGTH);
    job->out_len = LENGTH;
    crypto_wipe(&s, sizeof s);
    return MB_OK;
}

static const mb_kind ed25519_kind = {
    .open = open_job, .run = run, .close = close_job, .public_key = public_key};
static const mb_row ed25519_row = {&ed25519_kind};
static const mb_scheme schemes[] = {MOTE_PICK(
    ed25519, {.name = "ed25519",
              .operations = (uint16_t)(MONO_KEYGEN | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY)),
              .key_min = LENGTH,
              .key_max = LENGTH,
              .tag_min = SIGNATURE,
              .tag_max = SIGNATURE,
              .block = 1,
              .param = &ed25519_row})};

MOTE_ADAPTER(monocypher_ed25519)
#include "vendor/public_key.h"

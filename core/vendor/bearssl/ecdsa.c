/*
 * BearSSL's ECDSA with P-256, whose field has code of its own; deterministic (RFC 6979).
 *
 * The library takes signatures whose encoding is BER and not DER, which RFC 3279 2.2.3 wants: these
 * are refused here.
 */
#include "motebench/marks.h"
#include "public.h"

#define ECDSA(what) BEAR_WORDS(br_ecdsa_i, _##what)
#define CURVE (&BEAR_WORDS(br_ec_p256_m, ))

enum { SCALAR = 32, POINT = 65, DIGEST = 32, SIGNATURE_MAX = 72 };

typedef struct job_state {
    br_ec_private_key secret;
    br_ec_public_key public;
} job_state;

static mb_status open_job(mb_job *job)
{
    job_state *s = job->ctx;
    if (job->op == MB_KEYGEN)
        return MB_OK;
    if (job->key_len != (job->op == MB_SIGN ? SCALAR : POINT))
        return mb_note(MB_UNSUPPORTED,
                       "a private key has 32 bytes, a public key 65 (an uncompressed point)");
    s->secret = (br_ec_private_key){
        .curve = BR_EC_secp256r1, .x = BEAR_WRITABLE(job->key), .xlen = job->key_len};
    s->public = (br_ec_public_key){
        .curve = BR_EC_secp256r1, .q = BEAR_WRITABLE(job->key), .qlen = job->key_len};
    return job->op == MB_SIGN && job->out_cap < SIGNATURE_MAX
               ? mb_note(MB_TOO_BIG, "output does not fit")
               : MB_OK;
}

static mb_status sign(mb_job *job)
{
    const job_state *s = job->ctx;
    uint8_t digest[DIGEST];
    bear_digest(&br_sha256_vtable, job, digest);
    job->out_len = ECDSA(sign_asn1)(CURVE, &br_sha256_vtable, digest, &s->secret, job->out);
    MB_PUBLIC(job->out_len);
    return job->out_len > 0 ? MB_OK : mb_note(MB_ERROR, "the library does not sign with this key");
}

static mb_status verify(mb_job *job)
{
    const job_state *s = job->ctx;
    uint8_t digest[DIGEST];
    mb_number r_s[2];
    job->out_len = 0;
    if (!mb_der_read(job->signature, job->signature_len, r_s, 2))
        return MB_REJECTED;
    bear_digest(&br_sha256_vtable, job, digest);
    return ECDSA(vrfy_asn1)(CURVE, digest, sizeof digest, &s->public, job->signature,
                            job->signature_len) == 1
               ? MB_OK
               : MB_REJECTED;
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
    return mb_repeat(job, n, job->op == MB_SIGN ? sign : verify);
}

static mb_status public_key(mb_job *job)
{
    if (job->key_len != SCALAR || job->out_cap < POINT)
        return mb_note(MB_UNSUPPORTED, "a private key has 32 bytes");
    job->out_len = CURVE->mulgen(job->out, job->key, SCALAR, BR_EC_secp256r1);
    return job->out_len == POINT ? MB_OK : mb_note(MB_ERROR, "the library finds no point");
}

static const mb_kind ecdsa_kind = {.open = open_job, .run = run, .public_key = public_key};
static const mb_row ecdsa_row = {&ecdsa_kind};

/* A signature: a SEQUENCE of two INTEGERs of 1 to 33 bytes. */
static const mb_scheme schemes[] = {MOTE_PICK(
    ecdsa_p256_sha256,
    {.name = "ecdsa-p256-sha256",
     .operations = (uint16_t)(BEAR_KEYGEN | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY)),
     .key_min = SCALAR,
     .key_max = POINT,
     .tag_min = 8,
     .tag_max = SIGNATURE_MAX,
     .block = 1,
     .param = &ecdsa_row})};

MOTE_ADAPTER(bearssl_ecdsa)
#include "vendor/public_key.h"

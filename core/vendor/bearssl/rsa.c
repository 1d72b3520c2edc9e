/*
 * BearSSL's RSA, with CRT: PKCS#1 v1.5 signatures by the library's own functions, PSS by its
 * arithmetic and pss.h.
 *
 * The modulus' length is that of the scheme; the stack takes 2.2 KiB whatever it is, since the
 * library reserves what RSA-4096 needs.
 */
#include "pss.h"
#include "public.h"

#define RSA(what) BEAR_WORDS(br_rsa_i, _##what)
#define OID(text) ((const unsigned char *)(text))

enum { PRIVATE_NUMBERS = 9, PUBLIC_NUMBERS = 2, DIGEST_MAX = 64, EXPONENT = 65537 };

typedef struct rsa_row {
    const mb_kind *kind;
    const br_hash_class *hash;
    const unsigned char *oid;
    uint8_t digest_len;
    uint16_t bytes; /* of the modulus */
    mb_status (*sign)(mb_job *job, const uint8_t *digest);
    mb_status (*verify)(mb_job *job, const uint8_t *digest);
} rsa_row;

typedef struct job_state {
    br_rsa_private_key secret;
    br_rsa_public_key public;
} job_state;

static const rsa_row *row_of(const mb_job *job)
{
    return job->scheme->param;
}

static mb_status read_key(const mb_job *job, mb_number *numbers, size_t count,
                          const mb_number *modulus)
{
    if (!mb_der_read(job->key, job->key_len, numbers, count))
        return mb_note(MB_UNSUPPORTED, "the key is not PKCS#1 DER");
    if (modulus->len != row_of(job)->bytes || modulus->at[0] < 0x80)
        return mb_note(MB_UNSUPPORTED, "the key's modulus does not have the bits of the scheme");
    return MB_OK;
}

static mb_status open_secret(const mb_job *job, br_rsa_private_key *key)
{
    mb_number n[PRIVATE_NUMBERS]; /* version, n, e, d, p, q, dp, dq, 1/q */
    mb_status status = read_key(job, n, PRIVATE_NUMBERS, &n[1]);
    if (status == MB_OK)
        *key = (br_rsa_private_key){
            .n_bitlen = 8u * row_of(job)->bytes,
            .p = BEAR_WRITABLE(n[4].at),
            .plen = n[4].len,
            .q = BEAR_WRITABLE(n[5].at),
            .qlen = n[5].len,
            .dp = BEAR_WRITABLE(n[6].at),
            .dplen = n[6].len,
            .dq = BEAR_WRITABLE(n[7].at),
            .dqlen = n[7].len,
            .iq = BEAR_WRITABLE(n[8].at),
            .iqlen = n[8].len};
    return status;
}

static mb_status open_job(mb_job *job)
{
    job_state *s = job->ctx;
    mb_number n[PUBLIC_NUMBERS];
    if (job->op == MB_KEYGEN)
        return MB_OK;
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    if (job->op == MB_SIGN)
        return job->out_cap < row_of(job)->bytes ? mb_note(MB_TOO_BIG, "output does not fit")
                                                 : open_secret(job, &s->secret);
    status = read_key(job, n, PUBLIC_NUMBERS, &n[0]);
    if (status == MB_OK)
        s->public = (br_rsa_public_key){
            .n = BEAR_WRITABLE(n[0].at),
            .nlen = n[0].len,
            .e = BEAR_WRITABLE(n[1].at),
            .elen = n[1].len};
    return status;
}

static mb_status refused(uint32_t ok)
{
    return ok == 1 ? MB_OK : mb_note(MB_ERROR, "the library does not sign with this key");
}

/* The functions of a padding are inline because a firmware has only one. */
static inline mb_status pkcs1_sign(mb_job *job, const uint8_t *digest)
{
    const job_state *s = job->ctx;
    const rsa_row *row = row_of(job);
    return refused(RSA(pkcs1_sign)(row->oid, digest, row->digest_len, &s->secret, job->out));
}

static inline mb_status pkcs1_verify(mb_job *job, const uint8_t *digest)
{
    const job_state *s = job->ctx;
    const rsa_row *row = row_of(job);
    uint8_t signed_digest[DIGEST_MAX];
    if (RSA(pkcs1_vrfy)(job->signature, job->signature_len, row->oid, row->digest_len, &s->public,
                        signed_digest) != 1)
        return MB_REJECTED;
    return memcmp(digest, signed_digest, row->digest_len) == 0 ? MB_OK : MB_REJECTED;
}

/*
 * The salt is made of key and digest, as RFC 6979 makes nonces: a board has no source of
 * randomness.
 */
static inline mb_status pss_sign(mb_job *job, const uint8_t *digest)
{
    const job_state *s = job->ctx;
    const rsa_row *row = row_of(job);
    uint8_t salt[DIGEST_MAX];
    br_hmac_drbg_context drbg;
    br_hmac_drbg_init(&drbg, row->hash, s->secret.dp, s->secret.dplen);
    br_hmac_drbg_update(&drbg, digest, row->digest_len);
    br_hmac_drbg_generate(&drbg, salt, row->digest_len);
    return refused(
        bear_pss_encode(row->hash, row->digest_len, digest, salt, job->out, row->bytes) &&
        RSA(private)(job->out, &s->secret) == 1);
}

static inline mb_status pss_verify(mb_job *job, const uint8_t *digest)
{
    const job_state *s = job->ctx;
    const rsa_row *row = row_of(job);
    if (job->out_cap < row->bytes)
        return mb_note(MB_TOO_BIG, "output does not fit");
    memcpy(job->out, job->signature, row->bytes);
    return RSA(public)(job->out, row->bytes, &s->public) == 1 &&
                   bear_pss_check(row->hash, row->digest_len, digest, job->out, row->bytes)
               ? MB_OK
               : MB_REJECTED;
}

static mb_status sign(mb_job *job)
{
    uint8_t digest[DIGEST_MAX];
    bear_digest(row_of(job)->hash, job, digest);
    job->out_len = row_of(job)->bytes;
    return row_of(job)->sign(job, digest);
}

static mb_status verify(mb_job *job)
{
    uint8_t digest[DIGEST_MAX];
    job->out_len = 0;
    if (job->signature_len != row_of(job)->bytes) /* RFC 8017 8.1.2 and 8.2.2 */
        return MB_REJECTED;
    bear_digest(row_of(job)->hash, job, digest);
    return row_of(job)->verify(job, digest);
}

#ifndef MOTE_PICKED
enum { MODULUS_MAX = 512, ROOM = 4096 };

static mb_status generate(mb_job *job)
{
    static uint8_t secret[BR_RSA_KBUF_PRIV_SIZE(8 * MODULUS_MAX)],
        public[BR_RSA_KBUF_PUB_SIZE(8 * MODULUS_MAX)];
    static uint8_t exponent[MODULUS_MAX], zero[1];
    br_rsa_private_key sk;
    br_rsa_public_key pk;
    const unsigned bits = 8u * row_of(job)->bytes;
    const br_prng_class **random = bear_random();
    if (random == NULL || job->out_cap < ROOM)
        return mb_note(MB_ERROR, "no randomness, or no room");
    if (RSA(keygen)(random, &sk, secret, &pk, public, bits, EXPONENT) != 1)
        return mb_note(MB_ERROR, "the library found no key");
    const size_t len = RSA(compute_privexp)(exponent, &sk, EXPONENT);
    const mb_number numbers[PRIVATE_NUMBERS] = {
        {zero, 0},       {pk.n, pk.nlen},   {pk.e, pk.elen},   {exponent, len},  {sk.p, sk.plen},
        {sk.q, sk.qlen}, {sk.dp, sk.dplen}, {sk.dq, sk.dqlen}, {sk.iq, sk.iqlen}};
    job->out_len = mb_der_write(job->out, job->out_cap, numbers, PRIVATE_NUMBERS);
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
    mb_number n[PRIVATE_NUMBERS];
    mb_status status = read_key(job, n, PRIVATE_NUMBERS, &n[1]);
    if (status == MB_OK)
        job->out_len = mb_der_write(job->out, job->out_cap, &n[1], PUBLIC_NUMBERS);
    return status;
}

static const mb_kind rsa_kind = {.open = open_job, .run = run, .public_key = public_key};

/*
 * RSAPrivateKey: two or three numbers as long as the modulus, five half as long, and little else.
 */
#define ROW(bits, padding, id, digest, OF)                                                    \
    MOTE_PICK(rsa_##bits##_##padding##_##id,                                                  \
              {.name = "rsa-" #bits "-" #padding "-" #id,                                     \
               .operations = (uint16_t)(BEAR_KEYGEN | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY)),   \
               .key_min = (bits) / 8,                                                         \
               .key_max = (bits) / 8 * 6,                                                     \
               .tag_min = (bits) / 8,                                                         \
               .tag_max = (bits) / 8,                                                         \
               .block = 1,                                                                    \
               .param = &(const rsa_row){&rsa_kind, &br_##id##_vtable, OID(BR_HASH_OID_##OF), \
                                         digest, (bits) / 8, padding##_sign, padding##_verify}})
#define SHORTER(bits, padding)         \
    ROW(bits, padding, sha1, 20, SHA1) \
    ROW(bits, padding, sha256, 32, SHA256) ROW(bits, padding, sha384, 48, SHA384)
#define ROWS(bits, padding) SHORTER(bits, padding) ROW(bits, padding, sha512, 64, SHA512)
/* RSA-1024 is too short for PSS with SHA-512: RFC 8017 9.1.1. */
static const mb_scheme schemes[] = {ROWS(1024, pkcs1) ROWS(2048, pkcs1) ROWS(3072, pkcs1) ROWS(
    4096, pkcs1) SHORTER(1024, pss) ROWS(2048, pss) ROWS(3072, pss) ROWS(4096, pss)};

MOTE_ADAPTER(bearssl_rsa)
#include "vendor/public_key.h"

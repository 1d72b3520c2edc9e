/*
 * RSA: keys as PKCS#1 DER (RFC 8017 A.1), signatures as long as the modulus.
 *
 * Signing is done with Nettle's timing-resistant functions (`_tr`), the ones its manual recommends.
 * PKCS#1 v1.5 goes through rsa_pkcs1_sign_tr, which takes a DigestInfo: Nettle has no function of
 * its own for SHA-384. PSS exists for SHA-256, SHA-384 and SHA-512; the salt is drawn while signing
 * and is as long as the hash.
 */
#include "nettle_adapter.h"
#include "public_key.h"
#include "support/der.h"

#include <nettle/asn1.h>
#include <nettle/pss.h>
#include <string.h>

enum {
    PUBLIC_NUMBERS = 2,
    PRIVATE_NUMBERS = 9,
    EXPONENT = 65537,
    MAX_BYTES = 512,
    MAX_PREFIX = 19
};

typedef int pss_sign(const struct rsa_public_key *pub, const struct rsa_private_key *key,
                     void *random_ctx, nettle_random_func *random, size_t salt_len,
                     const uint8_t *salt, const uint8_t *digest, mpz_ptr s);
typedef int pss_verify(const struct rsa_public_key *key, size_t salt_len, const uint8_t *digest,
                       mpz_srcptr s);

/* PKCS#1 v1.5: the DigestInfo before the digest. PSS: Nettle's functions. */
struct adapter_rsa_padding {
    uint8_t prefix[MAX_PREFIX];
    uint8_t prefix_len;
    pss_sign *sign;
    pss_verify *verify;
};

/* RFC 8017 9.2, note 1. */
#define SHA2_PREFIX(total, id, len)                                                              \
    {.prefix = {0x30, (total), 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, \
                0x02, (id), 0x05, 0x00, 0x04, (len)},                                            \
     .prefix_len = 19}

const struct adapter_rsa_padding adapter_pkcs1_sha1 = {
    .prefix = {0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00, 0x04,
               0x14},
    .prefix_len = 15};
const struct adapter_rsa_padding adapter_pkcs1_sha256 = SHA2_PREFIX(0x31, 1, 32);
const struct adapter_rsa_padding adapter_pkcs1_sha384 = SHA2_PREFIX(0x41, 2, 48);
const struct adapter_rsa_padding adapter_pkcs1_sha512 = SHA2_PREFIX(0x51, 3, 64);
const struct adapter_rsa_padding adapter_pss_sha256 = {
    .sign = rsa_pss_sha256_sign_digest_tr, .verify = rsa_pss_sha256_verify_digest};
const struct adapter_rsa_padding adapter_pss_sha384 = {
    .sign = rsa_pss_sha384_sign_digest_tr, .verify = rsa_pss_sha384_verify_digest};
const struct adapter_rsa_padding adapter_pss_sha512 = {
    .sign = rsa_pss_sha512_sign_digest_tr, .verify = rsa_pss_sha512_verify_digest};

static void init(adapter_pk_ctx *ctx)
{
    rsa_public_key_init(&ctx->u.rsa.public);
    rsa_private_key_init(&ctx->u.rsa.private);
    mpz_init(ctx->u.rsa.signature);
}

static void clear(adapter_pk_ctx *ctx)
{
    rsa_public_key_clear(&ctx->u.rsa.public);
    rsa_private_key_clear(&ctx->u.rsa.private);
    mpz_clear(ctx->u.rsa.signature);
}

static mb_status load(const mb_job *job, bool secret)
{
    adapter_pk_ctx *ctx = job->ctx;
    struct rsa_public_key *public = &ctx->u.rsa.public;
    struct asn1_der_iterator at;
    int good;
    if (secret)
        good = rsa_keypair_from_der(public, &ctx->u.rsa.private, 0, job->key_len, job->key);
    else
        good = asn1_der_iterator_first(&at, job->key_len, job->key) == ASN1_ITERATOR_CONSTRUCTED &&
               at.type == ASN1_SEQUENCE && rsa_public_key_from_der_iterator(public, 0, &at);
    if (!good)
        return mb_note(MB_ERROR, "the key is not an RSA key (PKCS#1 DER)");
    if (mpz_sizeinbase(public->n, 2) != adapter_pk_of(job)->bits)
        return mb_note(MB_UNSUPPORTED, "the length of the key's modulus is not that of the scheme");
    return MB_OK;
}

static size_t digest_info(const adapter_pk *pk, const uint8_t *digest,
                          uint8_t info[MAX_PREFIX + ADAPTER_MAX_DIGEST])
{
    memcpy(info, pk->padding->prefix, pk->padding->prefix_len);
    memcpy(info + pk->padding->prefix_len, digest, pk->hash->digest_size);
    return pk->padding->prefix_len + pk->hash->digest_size;
}

static mb_status sign(mb_job *job, const uint8_t *digest, uint8_t *out, size_t *out_len)
{
    const adapter_pk *pk = adapter_pk_of(job);
    adapter_pk_ctx *ctx = job->ctx;
    const struct rsa_public_key *public = &ctx->u.rsa.public;
    const struct rsa_private_key *private = &ctx->u.rsa.private;
    uint8_t bytes[MAX_PREFIX + ADAPTER_MAX_DIGEST];
    int good;
    if (pk->padding->sign) {
        size_t salt_len = pk->hash->digest_size;
        adapter_random(NULL, salt_len, bytes);
        good = pk->padding->sign(
            public, private, NULL, adapter_random, salt_len, bytes, digest, ctx->u.rsa.signature);
    } else {
        size_t len = digest_info(pk, digest, bytes);
        good = rsa_pkcs1_sign_tr(
            public, private, NULL, adapter_random, len, bytes, ctx->u.rsa.signature);
    }
    if (!good)
        return mb_note(MB_ERROR, "the library cannot sign with this key");
    *out_len = public->size;
    nettle_mpz_get_str_256(public->size, out, ctx->u.rsa.signature);
    return MB_OK;
}

/*
 * RFC 8017 8.1.2 and 8.2.2: exactly as long as the modulus; Nettle checks that the number is
 * smaller.
 */
static mb_status verify(mb_job *job, const uint8_t *digest)
{
    const adapter_pk *pk = adapter_pk_of(job);
    adapter_pk_ctx *ctx = job->ctx;
    const struct rsa_public_key *public = &ctx->u.rsa.public;
    uint8_t bytes[MAX_PREFIX + ADAPTER_MAX_DIGEST];
    int good;
    if (job->signature_len != public->size)
        return MB_REJECTED;
    nettle_mpz_set_str_256_u(ctx->u.rsa.signature, job->signature_len, job->signature);
    if (pk->padding->verify)
        good = pk->padding->verify(public, pk->hash->digest_size, digest, ctx->u.rsa.signature);
    else
        good =
            rsa_pkcs1_verify(public, digest_info(pk, digest, bytes), bytes, ctx->u.rsa.signature);
    return good ? MB_OK : MB_REJECTED;
}

static mb_status write_numbers(mb_job *job, mpz_srcptr const *numbers, size_t count)
{
    uint8_t bytes[PRIVATE_NUMBERS][MAX_BYTES];
    mb_number out[PRIVATE_NUMBERS];
    for (size_t i = 0; i < count; i++) {
        out[i] = (mb_number){bytes[i], nettle_mpz_sizeinbase_256_u(numbers[i])};
        if (out[i].len > MAX_BYTES)
            return mb_note(MB_TOO_BIG, "output does not fit");
        nettle_mpz_get_str_256(out[i].len, bytes[i], numbers[i]);
    }
    job->out_len = mb_der_write(job->out, ADAPTER_PK_ROOM, out, count);
    return job->out_len > 0 ? MB_OK : mb_note(MB_TOO_BIG, "output does not fit");
}

static mb_status generate(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    struct rsa_public_key *public = &ctx->u.rsa.public;
    struct rsa_private_key *private = &ctx->u.rsa.private;
    mpz_set_ui(public->e, EXPONENT);
    if (!rsa_generate_keypair(public, private, NULL, adapter_random, NULL, NULL,
                              adapter_pk_of(job)->bits, 0))
        return mb_note(MB_ERROR, "the library cannot make a key of this size");
    mpz_set_ui(ctx->u.rsa.signature, 0); /* RSAPrivateKey begins with its version: 0 */
    mpz_srcptr numbers[PRIVATE_NUMBERS] = {
        ctx->u.rsa.signature, public->n,  public->e,  private->d, private->p,
        private->q,           private->a, private->b, private->c};
    return write_numbers(job, numbers, PRIVATE_NUMBERS);
}

static mb_status export_public(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    mpz_srcptr numbers[PUBLIC_NUMBERS] = {ctx->u.rsa.public.n, ctx->u.rsa.public.e};
    return write_numbers(job, numbers, PUBLIC_NUMBERS);
}

const adapter_pk_family adapter_rsa_family = {
    .init = init,
    .clear = clear,
    .load = load,
    .sign = sign,
    .verify = verify,
    .generate = generate,
    .export_public = export_public,
};

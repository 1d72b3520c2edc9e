/*
 * ECDSA with P-256: private keys as 32 bytes, public keys as uncompressed points, signatures DER
 * (RFC 3279 2.2.3).
 *
 * Verification in Nettle 3.8.1 rejects a good signature whose two summands are the same point
 * (Wycheproof's PointDuplication); to make one takes a chosen nonce. That is its behaviour, and
 * known answers may show it.
 */
#include "nettle_adapter.h"
#include "public_key.h"
#include "support/der.h"

#include <nettle/ecc-curve.h>
#include <nettle/ecdsa.h>

enum { SCALAR = 32, POINT = 65 };

static void init(adapter_pk_ctx *ctx)
{
    const struct ecc_curve *curve = nettle_get_secp_256r1();
    ecc_point_init(&ctx->u.ecdsa.public, curve);
    ecc_scalar_init(&ctx->u.ecdsa.private, curve);
    dsa_signature_init(&ctx->u.ecdsa.signature);
}

static void clear(adapter_pk_ctx *ctx)
{
    ecc_point_clear(&ctx->u.ecdsa.public);
    ecc_scalar_clear(&ctx->u.ecdsa.private);
    dsa_signature_clear(&ctx->u.ecdsa.signature);
}

static mb_status load(const mb_job *job, bool secret)
{
    adapter_pk_ctx *ctx = job->ctx;
    mpz_t x, y;
    int good;
    if (job->key_len != (secret ? SCALAR : POINT) || (!secret && job->key[0] != 4))
        return mb_note(MB_UNSUPPORTED,
                       "a private key has 32 bytes, a public key 65 (an uncompressed point)");
    mpz_init(y);
    if (secret) {
        nettle_mpz_init_set_str_256_u(x, SCALAR, job->key);
        good = ecc_scalar_set(&ctx->u.ecdsa.private, x);
    } else {
        nettle_mpz_init_set_str_256_u(x, SCALAR, job->key + 1);
        nettle_mpz_set_str_256_u(y, SCALAR, job->key + 1 + SCALAR);
        good = ecc_point_set(&ctx->u.ecdsa.public, x, y);
    }
    mpz_clear(x);
    mpz_clear(y);
    return good ? MB_OK : mb_note(MB_ERROR, "the key is not a P-256 key");
}

static mb_status sign(mb_job *job, const uint8_t *digest, uint8_t *out, size_t *out_len)
{
    adapter_pk_ctx *ctx = job->ctx;
    struct dsa_signature *signature = &ctx->u.ecdsa.signature;
    uint8_t rs[2][SCALAR];
    ecdsa_sign(&ctx->u.ecdsa.private, NULL, adapter_random, adapter_pk_of(job)->hash->digest_size,
               digest, signature);
    nettle_mpz_get_str_256(SCALAR, rs[0], signature->r);
    nettle_mpz_get_str_256(SCALAR, rs[1], signature->s);
    const mb_number numbers[2] = {{rs[0], SCALAR}, {rs[1], SCALAR}};
    *out_len = mb_der_write(out, ADAPTER_PK_ROOM, numbers, 2);
    return MB_OK;
}

static mb_status verify(mb_job *job, const uint8_t *digest)
{
    adapter_pk_ctx *ctx = job->ctx;
    struct dsa_signature *signature = &ctx->u.ecdsa.signature;
    mb_number rs[2];
    if (!mb_der_read(job->signature, job->signature_len, rs, 2))
        return MB_REJECTED;
    nettle_mpz_set_str_256_u(signature->r, rs[0].len, rs[0].at);
    nettle_mpz_set_str_256_u(signature->s, rs[1].len, rs[1].at);
    return ecdsa_verify(&ctx->u.ecdsa.public, adapter_pk_of(job)->hash->digest_size, digest,
                        signature)
               ? MB_OK
               : MB_REJECTED;
}

static mb_status generate(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    mpz_t d;
    ecdsa_generate_keypair(&ctx->u.ecdsa.public, &ctx->u.ecdsa.private, NULL, adapter_random);
    mpz_init(d);
    ecc_scalar_get(&ctx->u.ecdsa.private, d);
    nettle_mpz_get_str_256(SCALAR, job->out, d);
    mpz_clear(d);
    job->out_len = SCALAR;
    return MB_OK;
}

static mb_status export_public(mb_job *job)
{
    adapter_pk_ctx *ctx = job->ctx;
    mpz_t x, y;
    ecc_point_mul_g(&ctx->u.ecdsa.public, &ctx->u.ecdsa.private);
    mpz_init(x);
    mpz_init(y);
    ecc_point_get(&ctx->u.ecdsa.public, x, y);
    job->out[0] = 4;
    nettle_mpz_get_str_256(SCALAR, job->out + 1, x);
    nettle_mpz_get_str_256(SCALAR, job->out + 1 + SCALAR, y);
    mpz_clear(x);
    mpz_clear(y);
    job->out_len = POINT;
    return MB_OK;
}

const adapter_pk_family adapter_ecdsa_family = {
    .init = init,
    .clear = clear,
    .load = load,
    .sign = sign,
    .verify = verify,
    .generate = generate,
    .export_public = export_public,
};

/*
 * Diffie-Hellman on P-256 (SP 800-56A 5.7.1.2). Nettle has the multiplication, no call for the
 * agreement.
 *
 * Keys are decoded in `open`, where ecc_point_set checks that the peer's point is on the curve.
 * Timed: AGREE: ecc_point_mul, and writing x; KEYGEN: ecdsa_generate_keypair, which makes
 * the keys of all uses of the curve, and writing the private key.
 */
#include "nettle_adapter.h"

#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <nettle/ecdsa.h>

enum { SCALAR = 32, POINT = 65, UNCOMPRESSED = 4 };

typedef struct ecdh_ctx {
    mb_driven driven; /* first: see support/driver.h */
    bool live;        /* the others were made */
    struct ecc_scalar own;
    struct ecc_point peer, point;
    bool is_point; /* whether the peer's key is one of the curve */
    mpz_t x, y;
} ecdh_ctx;

_Static_assert(sizeof(ecdh_ctx) <= sizeof(adapter_cipher_ctx), "ctx_size is that of the largest");

static void make(ecdh_ctx *ctx)
{
    ecc_scalar_init(&ctx->own, nettle_get_secp_256r1());
    ecc_point_init(&ctx->peer, nettle_get_secp_256r1());
    ecc_point_init(&ctx->point, nettle_get_secp_256r1());
    mpz_init(ctx->x);
    mpz_init(ctx->y);
    ctx->live = true;
}

static void ecdh_close(mb_job *job)
{
    ecdh_ctx *ctx = job->ctx;
    if (!ctx->live)
        return;
    ecc_scalar_clear(&ctx->own);
    ecc_point_clear(&ctx->peer);
    ecc_point_clear(&ctx->point);
    mpz_clear(ctx->x);
    mpz_clear(ctx->y);
    ctx->live = false;
}

static mb_status agree(mb_job *job)
{
    ecdh_ctx *ctx = job->ctx;
    if (!ctx->is_point)
        return MB_REJECTED;
    ecc_point_mul(&ctx->point, &ctx->own, &ctx->peer);
    ecc_point_get(&ctx->point, ctx->x, NULL);
    nettle_mpz_get_str_256(SCALAR, job->out, ctx->x);
    return MB_OK;
}

static mb_status generate(mb_job *job)
{
    ecdh_ctx *ctx = job->ctx;
    ecdsa_generate_keypair(&ctx->point, &ctx->own, NULL, adapter_random);
    ecc_scalar_get(&ctx->own, ctx->x);
    nettle_mpz_get_str_256(SCALAR, job->out, ctx->x);
    return MB_OK;
}

MB_REPEAT(agree_all, agree)
MB_REPEAT(generate_all, generate)

/* The library checks the range of the private key. */
static mb_status load(const mb_job *job, ecdh_ctx *ctx)
{
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    make(ctx);
    nettle_mpz_set_str_256_u(ctx->x, SCALAR, job->key);
    return ecc_scalar_set(&ctx->own, ctx->x) ? MB_OK
                                             : mb_note(MB_ERROR, "the key is not a P-256 key");
}

static bool load_peer(const mb_job *job, ecdh_ctx *ctx)
{
    if (job->peer_len != POINT || job->peer[0] != UNCOMPRESSED)
        return false;
    nettle_mpz_set_str_256_u(ctx->x, SCALAR, job->peer + 1);
    nettle_mpz_set_str_256_u(ctx->y, SCALAR, job->peer + 1 + SCALAR);
    return ecc_point_set(&ctx->peer, ctx->x, ctx->y) != 0;
}

static mb_status ecdh_open(mb_job *job)
{
    ecdh_ctx *ctx = job->ctx;
    if (job->op == MB_KEYGEN) {
        make(ctx);
        return mb_drive(job, generate_all);
    }
    mb_status status = load(job, ctx);
    ctx->is_point = status == MB_OK && load_peer(job, ctx);
    return status == MB_OK ? mb_drive(job, agree_all) : status;
}

static mb_status ecdh_start(mb_job *job)
{
    job->out_len = SCALAR;
    return MB_OK;
}

static mb_status ecdh_public_key(mb_job *job)
{
    ecdh_ctx own = {.live = false};
    mb_job copy = *job;
    copy.ctx = &own;
    mb_status status = load(job, &own);
    if (status == MB_OK) {
        ecc_point_mul_g(&own.point, &own.own);
        ecc_point_get(&own.point, own.x, own.y);
        job->out[0] = UNCOMPRESSED;
        nettle_mpz_get_str_256(SCALAR, job->out + 1, own.x);
        nettle_mpz_get_str_256(SCALAR, job->out + 1 + SCALAR, own.y);
        job->out_len = POINT;
    }
    ecdh_close(&copy);
    return status;
}

const mb_kind adapter_ecdh_kind = {
    .open = ecdh_open,
    .start = ecdh_start,
    .run = mb_drive_run,
    .close = ecdh_close,
    .public_key = ecdh_public_key};

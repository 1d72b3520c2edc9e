/*
 * X25519 (RFC 7748).
 *
 * Keys are decoded in `open`. What is timed: AGREE: mbedtls_ecdh_compute_shared, which checks the peer's key, and writing
 * the secret; KEYGEN: mbedtls_ecp_gen_keypair, which computes the public key as well, and writing the private one.
 */
#include <mbedtls/ecdh.h>
#include <mbedtls/ecp.h>

#include "mt.h"

enum { LENGTH = 32 };

typedef struct x25519_state {
    mbedtls_ecp_keypair own;
    mbedtls_ecp_point peer;
    mbedtls_mpi secret;
} x25519_state;

_Static_assert(sizeof(x25519_state) <= sizeof(mt_state), "ctx_size is that of the largest");

static mb_status x25519_open(mb_job *job)
{
    x25519_state *s = job->ctx;
    mbedtls_ecp_keypair_init(&s->own);
    mbedtls_ecp_point_init(&s->peer);
    mbedtls_mpi_init(&s->secret);
    if (job->out_cap < LENGTH)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN)
        return mt_check(mbedtls_ecp_group_load(&s->own.grp, MBEDTLS_ECP_DP_CURVE25519));
    if (job->in_len != LENGTH)
        return mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    int code = mbedtls_ecp_read_key(MBEDTLS_ECP_DP_CURVE25519, &s->own, job->key, job->key_len);
    if (code == 0)
        code = mbedtls_ecp_point_read_binary(&s->own.grp, &s->peer, job->in, job->in_len);
    return mt_check(code);
}

static int agree(x25519_state *s, uint8_t *out)
{
    int code = mbedtls_ecdh_compute_shared(&s->own.grp, &s->secret, &s->peer, &s->own.d, mt_random, NULL);
    return code == 0 ? mbedtls_mpi_write_binary_le(&s->secret, out, LENGTH) : code;
}

static int generate(x25519_state *s, uint8_t *out)
{
    int code = mbedtls_ecp_gen_keypair(&s->own.grp, &s->own.d, &s->own.Q, mt_random, NULL);
    return code == 0 ? mbedtls_mpi_write_binary_le(&s->own.d, out, LENGTH) : code;
}

static mb_status x25519_run(mb_job *job, uint32_t n)
{
    x25519_state *s = job->ctx;
    int (*once)(x25519_state *, uint8_t *) = job->op == MB_KEYGEN ? generate : agree;
    int code = 0;
    for (uint32_t i = 0; i < n && code == 0; i++)
        code = once(s, job->out);
    job->out_len = LENGTH;
    return mt_check(code);
}

static void x25519_close(mb_job *job)
{
    x25519_state *s = job->ctx;
    mbedtls_mpi_free(&s->secret);
    mbedtls_ecp_point_free(&s->peer);
    mbedtls_ecp_keypair_free(&s->own);
}

static mb_status x25519_public_key(mb_job *job)
{
    mbedtls_ecp_keypair own;
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    mbedtls_ecp_keypair_init(&own);
    int code = mbedtls_ecp_read_key(MBEDTLS_ECP_DP_CURVE25519, &own, job->key, job->key_len);
    if (code == 0)
        code = mbedtls_ecp_mul(&own.grp, &own.Q, &own.d, &own.grp.G, mt_random, NULL);
    if (code == 0)
        code = mbedtls_ecp_point_write_binary(&own.grp, &own.Q, MBEDTLS_ECP_PF_UNCOMPRESSED, &job->out_len, job->out,
                                              LENGTH);
    mbedtls_ecp_keypair_free(&own);
    return mt_check(code);
}

const mb_kind mt_x25519_kind = {
    .open = x25519_open,
    .run = x25519_run,
    .close = x25519_close,
    .public_key = x25519_public_key,
};

/*
 * X25519 (RFC 7748).
 *
 * Keys are decoded in `open`. Timed: AGREE: mbedtls_ecdh_compute_shared, which checks the
 * peer's key, and writing the secret; KEYGEN: mbedtls_ecp_gen_keypair, which computes the public
 * key as well, and writing the private one.
 */
#include <mbedtls/ecdh.h>
#include <mbedtls/ecp.h>

#include "mbedtls_adapter.h"

enum { LENGTH = 32 };

typedef struct x25519_state {
    mb_driven driven; /* first: see support/driver.h */
    mbedtls_ecp_keypair own;
    mbedtls_ecp_point peer;
    mbedtls_mpi secret;
} x25519_state;

_Static_assert(sizeof(x25519_state) <= sizeof(adapter_state), "ctx_size is that of the largest");

static mb_status agree(mb_job *job)
{
    x25519_state *s = job->ctx;
    int code = mbedtls_ecdh_compute_shared(
        &s->own.grp, &s->secret, &s->peer, &s->own.d, adapter_random, NULL);
    return adapter_check(
        code == 0 ? mbedtls_mpi_write_binary_le(&s->secret, job->out, LENGTH) : code);
}

static mb_status generate(mb_job *job)
{
    x25519_state *s = job->ctx;
    int code = mbedtls_ecp_gen_keypair(&s->own.grp, &s->own.d, &s->own.Q, adapter_random, NULL);
    return adapter_check(
        code == 0 ? mbedtls_mpi_write_binary_le(&s->own.d, job->out, LENGTH) : code);
}

MB_REPEAT(agree_all, agree)
MB_REPEAT(generate_all, generate)

static int load(const mb_job *job, x25519_state *s)
{
    int code = mbedtls_ecp_read_key(MBEDTLS_ECP_DP_CURVE25519, &s->own, job->key, job->key_len);
    return code == 0
               ? mbedtls_ecp_point_read_binary(&s->own.grp, &s->peer, job->peer, job->peer_len)
               : code;
}

static mb_status x25519_open(mb_job *job)
{
    x25519_state *s = job->ctx;
    mbedtls_ecp_keypair_init(&s->own);
    mbedtls_ecp_point_init(&s->peer);
    mbedtls_mpi_init(&s->secret);
    if (job->out_cap < LENGTH)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN) {
        mb_status status =
            adapter_check(mbedtls_ecp_group_load(&s->own.grp, MBEDTLS_ECP_DP_CURVE25519));
        return status == MB_OK ? mb_drive(job, generate_all) : status;
    }
    if (job->peer_len != LENGTH)
        return mb_note(MB_UNSUPPORTED, "a public key has 32 bytes");
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        status = adapter_check(load(job, s));
    return status == MB_OK ? mb_drive(job, agree_all) : status;
}

static mb_status x25519_start(mb_job *job)
{
    job->out_len = LENGTH;
    return MB_OK;
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
        code = mbedtls_ecp_mul(&own.grp, &own.Q, &own.d, &own.grp.G, adapter_random, NULL);
    if (code == 0)
        code = mbedtls_ecp_point_write_binary(
            &own.grp, &own.Q, MBEDTLS_ECP_PF_UNCOMPRESSED, &job->out_len, job->out, LENGTH);
    mbedtls_ecp_keypair_free(&own);
    return adapter_check(code);
}

const mb_kind adapter_x25519_kind = {
    .open = x25519_open,
    .start = x25519_start,
    .run = mb_drive_run,
    .close = x25519_close,
    .public_key = x25519_public_key,
};

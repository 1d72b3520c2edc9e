/*
 * Diffie-Hellman on P-256 (SP 800-56A 5.7.1.2).
 *
 * Keys are decoded in `open`. Timed: AGREE: mbedtls_ecdh_compute_shared, which checks that
 * the peer's point is on the curve, and writing the secret; KEYGEN: mbedtls_ecp_gen_keypair, which
 * computes the public key as well, and writing the private one.
 */
#include <mbedtls/ecdh.h>
#include <mbedtls/ecp.h>

#include "mbedtls_adapter.h"

enum { SCALAR = 32, POINT = 65, UNCOMPRESSED = 4 };

typedef struct ecdh_state {
    mb_driven driven; /* first: see support/driver.h */
    mbedtls_ecp_keypair own;
    mbedtls_ecp_point peer;
    mbedtls_mpi secret;
    bool is_point; /* whether the peer's key is written as a point */
} ecdh_state;

_Static_assert(sizeof(ecdh_state) <= sizeof(adapter_state), "ctx_size is that of the largest");

static mb_status agree(mb_job *job)
{
    ecdh_state *s = job->ctx;
    if (!s->is_point)
        return MB_REJECTED;
    int code = mbedtls_ecdh_compute_shared(
        &s->own.grp, &s->secret, &s->peer, &s->own.d, adapter_random, NULL);
    if (code == MBEDTLS_ERR_ECP_INVALID_KEY)
        return MB_REJECTED;
    return adapter_check(code == 0 ? mbedtls_mpi_write_binary(&s->secret, job->out, SCALAR) : code);
}

static mb_status generate(mb_job *job)
{
    ecdh_state *s = job->ctx;
    int code = mbedtls_ecp_gen_keypair(&s->own.grp, &s->own.d, &s->own.Q, adapter_random, NULL);
    return adapter_check(code == 0 ? mbedtls_mpi_write_binary(&s->own.d, job->out, SCALAR) : code);
}

MB_REPEAT(agree_all, agree)
MB_REPEAT(generate_all, generate)

/* The library checks the range of the private key. */
static int load(const mb_job *job, mbedtls_ecp_keypair *own)
{
    int code = mbedtls_ecp_read_key(MBEDTLS_ECP_DP_SECP256R1, own, job->key, job->key_len);
    return code == 0 ? mbedtls_ecp_check_privkey(&own->grp, &own->d) : code;
}

static mb_status ecdh_open(mb_job *job)
{
    ecdh_state *s = job->ctx;
    mbedtls_ecp_keypair_init(&s->own);
    mbedtls_ecp_point_init(&s->peer);
    mbedtls_mpi_init(&s->secret);
    if (job->out_cap < SCALAR)
        return mb_note(MB_TOO_BIG, "output does not fit");
    if (job->op == MB_KEYGEN) {
        mb_status status =
            adapter_check(mbedtls_ecp_group_load(&s->own.grp, MBEDTLS_ECP_DP_SECP256R1));
        return status == MB_OK ? mb_drive(job, generate_all) : status;
    }
    mb_status status = mb_check_lengths(job, false);
    if (status == MB_OK)
        status = adapter_check(load(job, &s->own));
    s->is_point = status == MB_OK && job->peer_len == POINT && job->peer[0] == UNCOMPRESSED &&
                  mbedtls_ecp_point_read_binary(&s->own.grp, &s->peer, job->peer, POINT) == 0;
    return status == MB_OK ? mb_drive(job, agree_all) : status;
}

static mb_status ecdh_start(mb_job *job)
{
    job->out_len = SCALAR;
    return MB_OK;
}

static void ecdh_close(mb_job *job)
{
    ecdh_state *s = job->ctx;
    mbedtls_mpi_free(&s->secret);
    mbedtls_ecp_point_free(&s->peer);
    mbedtls_ecp_keypair_free(&s->own);
}

static mb_status ecdh_public_key(mb_job *job)
{
    mbedtls_ecp_keypair own;
    mb_status status = mb_check_lengths(job, false);
    if (status != MB_OK)
        return status;
    mbedtls_ecp_keypair_init(&own);
    int code = load(job, &own);
    if (code == 0)
        code = mbedtls_ecp_mul(&own.grp, &own.Q, &own.d, &own.grp.G, adapter_random, NULL);
    if (code == 0)
        code = mbedtls_ecp_point_write_binary(
            &own.grp, &own.Q, MBEDTLS_ECP_PF_UNCOMPRESSED, &job->out_len, job->out, POINT);
    mbedtls_ecp_keypair_free(&own);
    return adapter_check(code);
}

const mb_kind adapter_ecdh_kind = {
    .open = ecdh_open,
    .start = ecdh_start,
    .run = mb_drive_run,
    .close = ecdh_close,
    .public_key = ecdh_public_key,
};

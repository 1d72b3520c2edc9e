/*
 * ECDSA with P-256 (DER signatures, RFC 3279 2.2.3) and Ed25519 (RFC 8032).
 *
 * Private keys arrive without their public key; `load` computes it, because libgcrypt would do that
 * for every Ed25519 signature otherwise, and its own keys always have it.
 *
 * Ed25519 signatures are passed on as they are: the library (1.10.1) accepts an S of L and more,
 * which RFC 8032 5.1.7 forbids. That is its behaviour, and known answers may show it.
 */
#include "libgcrypt_adapter.h"
#include "support/der.h"

#include <string.h>

enum { SCALAR = 32, POINT = 65, ED_PUBLIC = 32, ED_SIGNATURE = 64 };

/* Fails unless 0 < d < n. */
static mb_status check_scalar(gcry_ctx_t ec, const uint8_t *scalar)
{
    gcry_mpi_t n = gcry_mpi_ec_get_mpi("n", ec, 0);
    gcry_mpi_t d = NULL;
    mb_status status = adapter_check(gcry_mpi_scan(&d, GCRYMPI_FMT_USG, scalar, SCALAR, NULL));
    if (status == MB_OK && (!n || gcry_mpi_cmp_ui(d, 0) == 0 || gcry_mpi_cmp(d, n) >= 0))
        status = mb_note(MB_ERROR, "the private key is not in the range of the curve's order");
    gcry_mpi_release(n);
    gcry_mpi_release(d);
    return status;
}

/*
 * Completes a private key: `bare` is it without public key; `full` the format of it, for q (an MPI)
 * and d.
 */
static mb_status complete(const mb_job *job, const char *bare, const char *q_name, const char *full,
                          gcry_sexp_t *key)
{
    gcry_sexp_t secret = NULL;
    gcry_ctx_t ec = NULL;
    gcry_mpi_t q = NULL;
    mb_status status = adapter_check(gcry_sexp_build(&secret, NULL, bare, SCALAR, job->key));
    if (status == MB_OK)
        status = adapter_check(gcry_mpi_ec_new(&ec, secret, NULL));
    /* An Ed25519 private key is a seed: any bytes. */
    if (status == MB_OK && ((const adapter_pk *)job->scheme->param)->hash)
        status = check_scalar(ec, job->key);
    if (status == MB_OK) {
        q = gcry_mpi_ec_get_mpi(q_name, ec, 1);
        status =
            q ? adapter_check(gcry_sexp_build(key, NULL, full, q, SCALAR, job->key))
              : mb_note(MB_ERROR, "the library cannot derive a public key from this private key");
    }
    gcry_mpi_release(q);
    gcry_ctx_release(ec);
    gcry_sexp_release(secret);
    return status;
}

/* Gives the public key's point to `check`. */
static mb_status check_public(gcry_sexp_t key, bool (*check)(gcry_mpi_point_t q, gcry_ctx_t ec))
{
    gcry_ctx_t ec = NULL;
    gcry_mpi_point_t q = NULL;
    mb_status status = adapter_check(gcry_mpi_ec_new(&ec, key, NULL));
    if (status == MB_OK) {
        q = gcry_mpi_ec_get_point("q", ec, 1);
        if (!q || !check(q, ec))
            status = mb_note(MB_ERROR, "the library cannot use this public key");
    }
    gcry_mpi_point_release(q);
    gcry_ctx_release(ec);
    return status;
}

static bool on_curve(gcry_mpi_point_t q, gcry_ctx_t ec)
{
    return gcry_mpi_ec_curve_point(q, ec) != 0;
}

/*
 * Decoding checked that an Ed25519 point is on the curve. But the library (1.10.1) ends the process
 * in gcry_pk_verify if a coordinate has fewer machine words than the modulus: some points of small
 * order, no honest key.
 */
static bool full_coordinates(gcry_mpi_point_t q, gcry_ctx_t ec)
{
    const unsigned without_a_word = 256 - 8 * sizeof(unsigned long);
    gcry_mpi_t x = gcry_mpi_new(0);
    gcry_mpi_t y = gcry_mpi_new(0);
    bool full = gcry_mpi_ec_get_affine(x, y, q, ec) == 0 &&
                gcry_mpi_get_nbits(x) > without_a_word && gcry_mpi_get_nbits(y) > without_a_word;
    gcry_mpi_release(x);
    gcry_mpi_release(y);
    return full;
}

static mb_status ecdsa_load(const mb_job *job, bool secret, gcry_sexp_t *key)
{
    if (job->key_len != (secret ? SCALAR : POINT) || (!secret && job->key[0] != 4))
        return mb_note(MB_UNSUPPORTED,
                       "a private key has 32 bytes, a public key 65 (an uncompressed point)");
    if (secret)
        return complete(job, "(private-key(ecc(curve \"NIST P-256\")(d %b)))", "q",
                        "(private-key(ecc(curve \"NIST P-256\")(q %m)(d %b)))", key);
    mb_status status = adapter_check(gcry_sexp_build(
        key, NULL, "(public-key(ecc(curve \"NIST P-256\")(q %b)))", POINT, job->key));
    return status == MB_OK ? check_public(*key, on_curve) : status;
}

static gcry_error_t ecdsa_params(const mb_job *job, gcry_sexp_t *params)
{
    (void)job;
    return gcry_sexp_build(params, NULL, "(genkey(ecc(curve \"NIST P-256\")))");
}

/* The private key, for both: 32 bytes. */
static mb_status export_secret(const mb_job *job, gcry_sexp_t key, uint8_t *out, size_t *out_len)
{
    (void)job;
    *out_len = SCALAR;
    return adapter_extract(key, "&d", out, SCALAR);
}

static mb_status ecdsa_export_public(const mb_job *job, gcry_sexp_t key, uint8_t *out,
                                     size_t *out_len)
{
    (void)job;
    *out_len = POINT;
    return adapter_extract(key, "&q", out, POINT);
}

static mb_status ecdsa_encode(const mb_job *job, gcry_sexp_t sig, uint8_t *out, size_t *out_len)
{
    uint8_t rs[2][SCALAR];
    (void)job;
    mb_status status = adapter_extract(sig, "&r", rs[0], SCALAR);
    if (status == MB_OK)
        status = adapter_extract(sig, "&s", rs[1], SCALAR);
    const mb_number numbers[2] = {{rs[0], SCALAR}, {rs[1], SCALAR}};
    if (status == MB_OK)
        *out_len = mb_der_write(out, ADAPTER_PK_ROOM, numbers, 2);
    return status;
}

static mb_status ecdsa_decode(const mb_job *job, gcry_sexp_t *sig)
{
    mb_number rs[2];
    if (!mb_der_read(job->signature, job->signature_len, rs, 2))
        return MB_REJECTED;
    for (int i = 0; i < 2; i++)
        if (rs[i].len == 0 || rs[i].len > SCALAR)
            return MB_REJECTED;
    return adapter_check(gcry_sexp_build(sig, NULL, "(sig-val(ecdsa(r %b)(s %b)))", (int)rs[0].len,
                                         rs[0].at, (int)rs[1].len, rs[1].at));
}

const adapter_pk_family adapter_ecdsa_family = {
    .load = ecdsa_load,
    .keygen_params = ecdsa_params,
    .export_secret = export_secret,
    .export_public = ecdsa_export_public,
    .encode = ecdsa_encode,
    .decode = ecdsa_decode,
};

static mb_status ed25519_load(const mb_job *job, bool secret, gcry_sexp_t *key)
{
    if (secret)
        return complete(job, "(private-key(ecc(curve Ed25519)(flags eddsa)(d %b)))", "q@eddsa",
                        "(private-key(ecc(curve Ed25519)(flags eddsa)(q %m)(d %b)))", key);
    mb_status status = adapter_check(gcry_sexp_build(
        key, NULL, "(public-key(ecc(curve Ed25519)(flags eddsa)(q %b)))", ED_PUBLIC, job->key));
    return status == MB_OK ? check_public(*key, full_coordinates) : status;
}

static gcry_error_t ed25519_params(const mb_job *job, gcry_sexp_t *params)
{
    (void)job;
    return gcry_sexp_build(params, NULL, "(genkey(ecc(curve Ed25519)(flags eddsa)))");
}

static mb_status ed25519_export_public(const mb_job *job, gcry_sexp_t key, uint8_t *out,
                                       size_t *out_len)
{
    (void)job;
    *out_len = ED_PUBLIC;
    return adapter_extract(key, "&q", out, ED_PUBLIC);
}

static mb_status ed25519_encode(const mb_job *job, gcry_sexp_t sig, uint8_t *out, size_t *out_len)
{
    (void)job;
    mb_status status = adapter_extract(sig, "&r", out, ED_SIGNATURE / 2);
    if (status == MB_OK)
        status = adapter_extract(sig, "&s", out + ED_SIGNATURE / 2, ED_SIGNATURE / 2);
    *out_len = ED_SIGNATURE;
    return status;
}

static mb_status ed25519_decode(const mb_job *job, gcry_sexp_t *sig)
{
    if (job->signature_len != ED_SIGNATURE)
        return MB_REJECTED;
    return adapter_check(
        gcry_sexp_build(sig, NULL, "(sig-val(eddsa(r %b)(s %b)))", ED_SIGNATURE / 2, job->signature,
                        ED_SIGNATURE / 2, job->signature + ED_SIGNATURE / 2));
}

const adapter_pk_family adapter_ed25519_family = {
    .load = ed25519_load,
    .keygen_params = ed25519_params,
    .export_secret = export_secret,
    .export_public = ed25519_export_public,
    .encode = ed25519_encode,
    .decode = ed25519_decode,
};

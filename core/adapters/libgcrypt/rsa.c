/*
 * RSA: keys as PKCS#1 DER (RFC 8017 A.1), signatures as long as the modulus.
 *
 * libgcrypt wants p < q and u = 1/p mod q; PKCS#1 has the primes in any order and 1/prime2 mod
 * prime1. So the smaller prime is p here, and keys are written with prime1 = q, prime2 = p,
 * coefficient = u.
 */
#include "libgcrypt_adapter.h"
#include "support/der.h"

#include <string.h>

enum { PUBLIC_NUMBERS = 2, SECRET_NUMBERS = 9, EXPONENT = 65537 };
/* Places of the numbers in RSAPrivateKey; `version` is the first of them. */
enum {
    VERSION,
    MODULUS,
    PUBLIC_EXPONENT,
    PRIVATE_EXPONENT,
    PRIME1,
    PRIME2,
    EXPONENT1,
    EXPONENT2,
    COEFFICIENT
};

static size_t modulus_bytes(const mb_job *job)
{
    const adapter_pk *pk = job->scheme->param;
    return pk->bits / 8u;
}

static gcry_mpi_t number(const mb_number *n)
{
    gcry_mpi_t mpi = NULL;
    return gcry_mpi_scan(&mpi, GCRYMPI_FMT_USG, n->at, n->len, NULL) ? NULL : mpi;
}

static mb_status check_size(const mb_job *job, const mb_number *modulus)
{
    bool fits = modulus->len == modulus_bytes(job) && modulus->at[0] >= 0x80;
    return fits ? MB_OK
                : mb_note(MB_UNSUPPORTED,
                          "the length of the key's modulus is not that of the scheme");
}

static mb_status load_public(const mb_job *job, gcry_sexp_t *key)
{
    mb_number in[PUBLIC_NUMBERS];
    if (!mb_der_read(job->key, job->key_len, in, PUBLIC_NUMBERS))
        return mb_note(MB_ERROR, "the key is not an RSAPublicKey (PKCS#1 DER)");
    mb_status status = check_size(job, &in[0]);
    if (status != MB_OK)
        return status;
    gcry_mpi_t n = number(&in[0]);
    gcry_mpi_t e = number(&in[1]);
    if (n && e)
        status = adapter_check(gcry_sexp_build(key, NULL, "(public-key(rsa(n %m)(e %m)))", n, e));
    else
        status = mb_note(MB_TOO_BIG, "no memory for the key");
    gcry_mpi_release(n);
    gcry_mpi_release(e);
    return status;
}

/* mpis: n, e, d, p, q, u in this order; p and q are swapped if need be and u is computed. */
static mb_status build_secret(gcry_mpi_t mpis[6], gcry_sexp_t *key)
{
    if (gcry_mpi_cmp(mpis[3], mpis[4]) > 0)
        gcry_mpi_swap(mpis[3], mpis[4]);
    if (gcry_mpi_cmp_ui(mpis[3], 1) <= 0 || !gcry_mpi_invm(mpis[5], mpis[3], mpis[4]))
        return mb_note(MB_ERROR, "the key's primes are not primes");
    mb_status status = adapter_check(
        gcry_sexp_build(key, NULL, "(private-key(rsa(n %m)(e %m)(d %m)(p %m)(q %m)(u %m)))",
                        mpis[0], mpis[1], mpis[2], mpis[3], mpis[4], mpis[5]));
    return status == MB_OK ? adapter_check(gcry_pk_testkey(*key)) : status;
}

static mb_status load_secret(const mb_job *job, gcry_sexp_t *key)
{
    mb_number in[SECRET_NUMBERS];
    if (!mb_der_read(job->key, job->key_len, in, SECRET_NUMBERS) || in[VERSION].len != 0)
        return mb_note(MB_ERROR, "the key is not an RSAPrivateKey of two primes (PKCS#1 DER)");
    mb_status status = check_size(job, &in[MODULUS]);
    if (status != MB_OK)
        return status;
    gcry_mpi_t mpis[6] = {
        number(&in[MODULUS]), number(&in[PUBLIC_EXPONENT]), number(&in[PRIVATE_EXPONENT]),
        number(&in[PRIME1]),  number(&in[PRIME2]),          gcry_mpi_new(0)};
    for (size_t i = 0; i < 6; i++)
        if (!mpis[i])
            status = mb_note(MB_TOO_BIG, "no memory for the key");
    if (status == MB_OK)
        status = build_secret(mpis, key);
    for (size_t i = 0; i < 6; i++)
        gcry_mpi_release(mpis[i]);
    return status;
}

static mb_status load(const mb_job *job, bool secret, gcry_sexp_t *key)
{
    return secret ? load_secret(job, key) : load_public(job, key);
}

static gcry_error_t keygen_params(const mb_job *job, gcry_sexp_t *params)
{
    const adapter_pk *pk = job->scheme->param;
    return gcry_sexp_build(
        params, NULL, "(genkey(rsa(nbits %d)(rsa-use-e %d)))", (int)pk->bits, EXPONENT);
}

/* Writes numbers as a DER sequence. */
static mb_status write_numbers(const gcry_mpi_t *mpis, size_t count, uint8_t *out, size_t *out_len)
{
    uint8_t bytes[SECRET_NUMBERS][ADAPTER_RSA_MAX_BYTES];
    mb_number numbers[SECRET_NUMBERS];
    for (size_t i = 0; i < count; i++) {
        numbers[i].at = bytes[i];
        mb_status status = adapter_check(
            gcry_mpi_print(GCRYMPI_FMT_USG, bytes[i], sizeof bytes[i], &numbers[i].len, mpis[i]));
        if (status != MB_OK)
            return status;
    }
    *out_len = mb_der_write(out, ADAPTER_PK_ROOM, numbers, count);
    return *out_len > 0 ? MB_OK : mb_note(MB_TOO_BIG, "output does not fit");
}

/* d mod (prime - 1) */
static gcry_mpi_t reduced(gcry_mpi_t d, gcry_mpi_t prime)
{
    gcry_mpi_t result = gcry_mpi_new(0);
    gcry_mpi_t order = gcry_mpi_new(0);
    gcry_mpi_sub_ui(order, prime, 1);
    gcry_mpi_mod(result, d, order);
    gcry_mpi_release(order);
    return result;
}

static mb_status export_secret(const mb_job *job, gcry_sexp_t key, uint8_t *out, size_t *out_len)
{
    gcry_mpi_t m[SECRET_NUMBERS] = {NULL};
    (void)job;
    mb_status status = adapter_check(gcry_sexp_extract_param(
        key, "private-key!rsa", "nedpqu", &m[MODULUS], &m[PUBLIC_EXPONENT], &m[PRIVATE_EXPONENT],
        &m[PRIME2], &m[PRIME1], &m[COEFFICIENT], NULL));
    if (status != MB_OK)
        return status;
    m[VERSION] = gcry_mpi_new(0);
    m[EXPONENT1] = reduced(m[PRIVATE_EXPONENT], m[PRIME1]);
    m[EXPONENT2] = reduced(m[PRIVATE_EXPONENT], m[PRIME2]);
    status = write_numbers(m, SECRET_NUMBERS, out, out_len);
    for (size_t i = 0; i < SECRET_NUMBERS; i++)
        gcry_mpi_release(m[i]);
    return status;
}

static mb_status export_public(const mb_job *job, gcry_sexp_t key, uint8_t *out, size_t *out_len)
{
    gcry_mpi_t m[PUBLIC_NUMBERS] = {NULL};
    (void)job;
    mb_status status = adapter_check(gcry_sexp_extract_param(key, NULL, "ne", &m[0], &m[1], NULL));
    if (status != MB_OK)
        return status;
    status = write_numbers(m, PUBLIC_NUMBERS, out, out_len);
    for (size_t i = 0; i < PUBLIC_NUMBERS; i++)
        gcry_mpi_release(m[i]);
    return status;
}

static mb_status encode(const mb_job *job, gcry_sexp_t sig, uint8_t *out, size_t *out_len)
{
    *out_len = modulus_bytes(job);
    return adapter_extract(sig, "&s", out, *out_len);
}

/*
 * RFC 8017 8.1.2 and 8.2.2: exactly as long as the modulus, and smaller (5.2.2). The library takes
 * a number, so it is for whoever makes one from bytes to check it.
 */
static mb_status decode(const mb_job *job, gcry_sexp_t *sig)
{
    mb_number in[PUBLIC_NUMBERS];
    size_t len = modulus_bytes(job);
    if (job->signature_len != len)
        return MB_REJECTED;
    if (!mb_der_read(job->key, job->key_len, in, PUBLIC_NUMBERS) ||
        memcmp(job->signature, in[0].at, len) >= 0)
        return MB_REJECTED;
    return adapter_check(
        gcry_sexp_build(sig, NULL, "(sig-val(rsa(s %b)))", (int)len, job->signature));
}

const adapter_pk_family adapter_rsa_family = {
    .load = load,
    .keygen_params = keygen_params,
    .export_secret = export_secret,
    .export_public = export_public,
    .encode = encode,
    .decode = decode,
};

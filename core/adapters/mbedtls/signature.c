/*
 * RSA and ECDSA with P-256, through the library's pk layer.
 *
 * Keys are decoded in `open`. Timed: SIGN: mbedtls_md and mbedtls_pk_sign; VERIFY:
 * mbedtls_md and mbedtls_pk_verify_ext, with the salt length fixed for PSS; KEYGEN:
 * mbedtls_rsa_gen_key or mbedtls_ecp_gen_key (which both compute the public key), and once a batch
 * writing the last key. Private operations are blinded with the library's CTR_DRBG. ECDSA is
 * deterministic (RFC 6979) as the library is configured by default.
 *
 * Signatures are passed on as they are: the library (2.28.3) accepts ECDSA signatures that are BER
 * and not DER, such as integers with needless leading zeros. That is its behaviour, and known
 * answers may show it.
 */
#include <mbedtls/ecp.h>
#include <mbedtls/pk.h>
#include <mbedtls/rsa.h>
#include <string.h>

#include "mbedtls_adapter.h"

enum { SCALAR = 32, POINT = 65, EXPONENT = 65537, ROOM = 4096 };

typedef struct signature_state {
    mb_sign_state sign; /* first: see support/signatures.h */
    mbedtls_pk_context pk;
    mbedtls_md_context_t md; /* of a streamed message */
    const mbedtls_md_info_t *info;
} signature_state;

_Static_assert(sizeof(signature_state) <= sizeof(adapter_state), "ctx_size is that of the largest");

static const adapter_signature *row_of(const mb_job *job)
{
    return job->scheme->param;
}

static int empty_key(const adapter_signature *row, mbedtls_pk_context *pk)
{
    return mbedtls_pk_setup(
        pk, mbedtls_pk_info_from_type(row->bits > 0 ? MBEDTLS_PK_RSA : MBEDTLS_PK_ECKEY));
}

static mb_status load_rsa(const mb_job *job, bool secret, mbedtls_pk_context *pk)
{
    const adapter_signature *row = row_of(job);
    int code;
    if (!secret)
        code = mbedtls_pk_parse_public_key(pk, job->key, job->key_len);
    else
#if ADAPTER_VERSION_3
        code = mbedtls_pk_parse_key(pk, job->key, job->key_len, NULL, 0, adapter_random, NULL);
#else
        code = mbedtls_pk_parse_key(pk, job->key, job->key_len, NULL, 0);
#endif
    if (code != 0)
        return adapter_fail(code);
    if (mbedtls_pk_get_type(pk) != MBEDTLS_PK_RSA || mbedtls_pk_get_bitlen(pk) != row->bits)
        return mb_note(MB_UNSUPPORTED, "the length of the key's modulus is not that of the scheme");
    if (row->pss)
        (void)mbedtls_rsa_set_padding(mbedtls_pk_rsa(*pk), MBEDTLS_RSA_PKCS_V21, (int)row->md);
    return MB_OK;
}

static mb_status load_ec(const mb_job *job, bool secret, mbedtls_pk_context *pk)
{
    if (job->key_len != (secret ? SCALAR : POINT) || (!secret && job->key[0] != 4))
        return mb_note(MB_UNSUPPORTED,
                       "a private key has 32 bytes, a public key 65 (an uncompressed point)");
    int code = empty_key(row_of(job), pk);
    if (code != 0)
        return adapter_fail(code);
    mbedtls_ecp_keypair *ec = mbedtls_pk_ec(*pk);
    if (secret) {
        code = mbedtls_ecp_read_key(MBEDTLS_ECP_DP_SECP256R1, ec, job->key, job->key_len);
        return adapter_check(code == 0 ? mbedtls_ecp_check_privkey(&ec->grp, &ec->d) : code);
    }
    code = mbedtls_ecp_group_load(&ec->grp, MBEDTLS_ECP_DP_SECP256R1);
    if (code == 0)
        code = mbedtls_ecp_point_read_binary(&ec->grp, &ec->Q, job->key, job->key_len);
    return adapter_check(code == 0 ? mbedtls_ecp_check_pubkey(&ec->grp, &ec->Q) : code);
}

static mb_status load(mb_job *job, bool secret)
{
    signature_state *s = job->ctx;
    mb_status status =
        row_of(job)->bits > 0 ? load_rsa(job, secret, &s->pk) : load_ec(job, secret, &s->pk);
    return status == MB_OK ? adapter_check(mbedtls_md_setup(&s->md, s->info, 0)) : status;
}

static mb_status hash(mb_job *job, uint8_t *digest, size_t *len)
{
    const signature_state *s = job->ctx;
    *len = mbedtls_md_get_size(s->info);
    return adapter_check(mbedtls_md(s->info, job->message, job->message_len, digest));
}

static mb_status begin(mb_job *job)
{
    signature_state *s = job->ctx;
    return adapter_check(mbedtls_md_starts(&s->md));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    signature_state *s = job->ctx;
    return adapter_check(mbedtls_md_update(&s->md, in, len));
}

static mb_status finish(mb_job *job, uint8_t *digest, size_t *len)
{
    signature_state *s = job->ctx;
    *len = mbedtls_md_get_size(s->info);
    return adapter_check(mbedtls_md_finish(&s->md, digest));
}

static mb_status sign(mb_job *job, const uint8_t *digest, size_t len, uint8_t *out, size_t *out_len)
{
    signature_state *s = job->ctx;
#if ADAPTER_VERSION_3
    return adapter_check(mbedtls_pk_sign(
        &s->pk, row_of(job)->md, digest, len, out, ROOM, out_len, adapter_random, NULL));
#else
    return adapter_check(
        mbedtls_pk_sign(&s->pk, row_of(job)->md, digest, len, out, out_len, adapter_random, NULL));
#endif
}

/* The key was checked in `open`, so all errors but a lack of memory are about the signature. */
static mb_status verdict(int code)
{
    if (code == 0)
        return MB_OK;
    return code == MBEDTLS_ERR_MPI_ALLOC_FAILED ? adapter_fail(code) : MB_REJECTED;
}

static mb_status verify(mb_job *job, const uint8_t *digest, size_t len)
{
    signature_state *s = job->ctx;
    const adapter_signature *row = row_of(job);
    if (row->bits > 0 && job->signature_len != row->bits / 8u) /* RFC 8017 8.1.2 and 8.2.2 */
        return MB_REJECTED;
    if (row->pss) {
        const mbedtls_pk_rsassa_pss_options options = {
            .mgf1_hash_id = row->md, .expected_salt_len = (int)len};
        return verdict(mbedtls_pk_verify_ext(MBEDTLS_PK_RSASSA_PSS, &options, &s->pk, row->md,
                                             digest, len, job->signature, job->signature_len));
    }
    return verdict(
        mbedtls_pk_verify(&s->pk, row->md, digest, len, job->signature, job->signature_len));
}

/*
 * The library writes DER to the end of a buffer; moves it to the beginning. Negative lengths are
 * its errors.
 */
static mb_status to_front(uint8_t *out, int len, size_t *out_len)
{
    if (len < 0)
        return adapter_fail(len);
    *out_len = (size_t)len;
    memmove(out, out + ROOM - *out_len, *out_len);
    return MB_OK;
}

static mb_status generate(mb_job *job)
{
    signature_state *s = job->ctx;
    const adapter_signature *row = row_of(job);
    mbedtls_pk_free(&s->pk);
    mbedtls_pk_init(&s->pk);
    int code = empty_key(row, &s->pk);
    if (code == 0 && row->bits > 0)
        code =
            mbedtls_rsa_gen_key(mbedtls_pk_rsa(s->pk), adapter_random, NULL, row->bits, EXPONENT);
    else if (code == 0)
        code = mbedtls_ecp_gen_key(
            MBEDTLS_ECP_DP_SECP256R1, mbedtls_pk_ec(s->pk), adapter_random, NULL);
    return adapter_check(code);
}

static mb_status generate_all(mb_job *job, uint32_t n)
{
    signature_state *s = job->ctx;
    mb_status status = mb_repeat(job, n, generate);
    if (status != MB_OK)
        return status;
    if (row_of(job)->bits > 0)
        return to_front(job->out, mbedtls_pk_write_key_der(&s->pk, job->out, ROOM), &job->out_len);
    job->out_len = SCALAR;
    return adapter_check(mbedtls_mpi_write_binary(&mbedtls_pk_ec(s->pk)->d, job->out, SCALAR));
}

static void signature_close(mb_job *job)
{
    signature_state *s = job->ctx;
    mbedtls_md_free(&s->md);
    mbedtls_pk_free(&s->pk);
}

static mb_status export_public(mb_job *job)
{
    signature_state *s = job->ctx;
    if (row_of(job)->bits > 0) {
        uint8_t *at = job->out + ROOM;
        return to_front(job->out, mbedtls_pk_write_pubkey(&at, job->out, &s->pk), &job->out_len);
    }
    mbedtls_ecp_keypair *ec = mbedtls_pk_ec(s->pk);
    int code = mbedtls_ecp_mul(&ec->grp, &ec->Q, &ec->d, &ec->grp.G, adapter_random, NULL);
    if (code == 0)
        code = mbedtls_ecp_point_write_binary(
            &ec->grp, &ec->Q, MBEDTLS_ECP_PF_UNCOMPRESSED, &job->out_len, job->out, POINT);
    return adapter_check(code);
}

static const mb_signing how = {
    .load = load,
    .generate = generate_all,
    .hash = hash,
    .sign = sign,
    .verify = verify,
    .begin = begin,
    .update = update,
    .finish = finish,
    .export_public = export_public,
    .room = ROOM};

static void set_up(mb_job *job)
{
    signature_state *s = job->ctx;
    mbedtls_pk_init(&s->pk);
    mbedtls_md_init(&s->md);
    s->info = mbedtls_md_info_from_type(row_of(job)->md);
}

static mb_status signature_open(mb_job *job)
{
    set_up(job);
    return mb_sign_open(job, &how);
}

static mb_status signature_public_key(mb_job *job)
{
    set_up(job);
    mb_status status = mb_sign_public_key(job, &how);
    signature_close(job);
    return status;
}

const mb_kind adapter_signature_kind = {
    .open = signature_open,
    .start = mb_sign_start,
    .run = mb_drive_run,
    .update = mb_sign_update,
    .final = mb_sign_final,
    .close = signature_close,
    .public_key = signature_public_key,
};

/*
 * RSA (RFC 8017), ECDSA with P-256 (DER signatures, RFC 3279 2.2.3) and Ed25519 (RFC 8032): keys,
 * signing, verifying.
 *
 * What the library (5.5.4) accepts is left as it is, and known answers may show it: PKCS#1 v1.5
 * signatures that are no smaller than the modulus (RFC 8017 5.2.2 wants them refused), and Ed25519
 * signatures with an S of L or a little more (RFC 8032 5.1.7).
 */
#include "support/der.h"
#include "wolfssl_adapter.h"

#include <string.h>
#include <wolfssl/wolfcrypt/asn_public.h>

enum {
    EXPONENT = 65537,
    PUBLIC_NUMBERS = 2,
    SECRET_NUMBERS = 9,
    SCALAR = 32,
    POINT = 65,
    ED_SIGNATURE = 64
};

/* DigestInfo of RFC 8017 9.2: 15 to 19 bytes and the digest. */
enum { DIGEST_INFO_MAX = 32 + WC_MAX_DIGEST_SIZE };

static int rsa_init(adapter_pk_state *s)
{
    return wc_InitRsaKey_ex(&s->key.rsa, NULL, INVALID_DEVID);
}

static void rsa_free(adapter_pk_state *s)
{
    (void)wc_FreeRsaKey(&s->key.rsa);
}

/* The library reads laxer DER, and a public key inside other structures too. */
static mb_status rsa_load(const mb_job *job, adapter_pk_state *s, bool secret)
{
    const adapter_pk *pk = job->scheme->param;
    mb_number numbers[SECRET_NUMBERS];
    word32 at = 0;
    if (!mb_der_read(job->key, job->key_len, numbers, secret ? SECRET_NUMBERS : PUBLIC_NUMBERS))
        return mb_note(MB_ERROR, "the key is not in PKCS#1 format");
    int err = secret ? wc_RsaPrivateKeyDecode(job->key, &at, &s->key.rsa, (word32)job->key_len)
                     : wc_RsaPublicKeyDecodeRaw(numbers[0].at, (word32)numbers[0].len,
                                                numbers[1].at, (word32)numbers[1].len, &s->key.rsa);
    if (!err && wc_RsaEncryptSize(&s->key.rsa) * 8 != pk->bits)
        return mb_note(MB_UNSUPPORTED, "the length of the key is not that of the scheme");
    if (!err && secret)
        err = wc_RsaSetRNG(&s->key.rsa, &adapter_rng); /* for blinding */
    return adapter_check(err);
}

static int rsa_generate(const mb_job *job, adapter_pk_state *s)
{
    const adapter_pk *pk = job->scheme->param;
    return wc_MakeRsaKey(&s->key.rsa, pk->bits, EXPONENT, &adapter_rng);
}

/* Return value of the library: a length, or an error. */
static int taken(int result, word32 *len)
{
    *len = result > 0 ? (word32)result : 0;
    return result > 0 ? 0 : result < 0 ? result : BAD_FUNC_ARG;
}

static int rsa_export_secret(adapter_pk_state *s, uint8_t *out, word32 *len)
{
    return taken(wc_RsaKeyToDer(&s->key.rsa, out, *len), len);
}

static int rsa_export_public(adapter_pk_state *s, uint8_t *out, word32 *len)
{
    return taken(wc_RsaKeyToPublicDer_ex(&s->key.rsa, out, *len, 0), len);
}

static int rsa_sign(const mb_job *job, adapter_pk_state *s, const uint8_t *value, word32 value_len,
                    uint8_t *out, word32 *len)
{
    const adapter_pk *pk = job->scheme->param;
    uint8_t info[DIGEST_INFO_MAX];
    if (pk->mgf != WC_MGF1NONE)
        return taken(wc_RsaPSS_Sign_ex(value, value_len, out, *len, pk->hash, pk->mgf,
                                       RSA_PSS_SALT_LEN_DEFAULT, &s->key.rsa, &adapter_rng),
                     len);
    word32 info_len = wc_EncodeSignature(info, value, value_len, wc_HashGetOID(pk->hash));
    return taken(wc_RsaSSL_Sign(info, info_len, out, *len, &s->key.rsa, &adapter_rng), len);
}

static bool pkcs1_verify(const mb_job *job, adapter_pk_state *s, const uint8_t *value,
                         word32 value_len)
{
    const adapter_pk *pk = job->scheme->param;
    uint8_t info[DIGEST_INFO_MAX];
    uint8_t found[ADAPTER_RSA_MAX_BYTES];
    int found_len = wc_RsaSSL_Verify(
        job->signature, (word32)job->signature_len, found, sizeof found, &s->key.rsa);
    word32 info_len = wc_EncodeSignature(info, value, value_len, wc_HashGetOID(pk->hash));
    return found_len > 0 && (word32)found_len == info_len && memcmp(found, info, info_len) == 0;
}

/* The library writes over the signature. */
static bool pss_verify(const mb_job *job, adapter_pk_state *s, const uint8_t *value,
                       word32 value_len)
{
    const adapter_pk *pk = job->scheme->param;
    uint8_t copy[ADAPTER_RSA_MAX_BYTES];
    uint8_t *found = NULL;
    memcpy(copy, job->signature, job->signature_len);
    return wc_RsaPSS_VerifyCheckInline(copy, (word32)job->signature_len, &found, value, value_len,
                                       pk->hash, pk->mgf, &s->key.rsa) > 0;
}

static bool rsa_verify(const mb_job *job, adapter_pk_state *s, const uint8_t *value,
                       word32 value_len)
{
    const adapter_pk *pk = job->scheme->param;
    if (job->signature_len != pk->bits / 8u) /* RFC 8017 8.1.2 and 8.2.2 */
        return false;
    return (pk->mgf != WC_MGF1NONE ? pss_verify : pkcs1_verify)(job, s, value, value_len);
}

const adapter_pk_family adapter_rsa_family = {
    .init = rsa_init,
    .free = rsa_free,
    .load = rsa_load,
    .generate = rsa_generate,
    .export_secret = rsa_export_secret,
    .export_public = rsa_export_public,
    .sign = rsa_sign,
    .verify = rsa_verify,
};

static int ecdsa_init(adapter_pk_state *s)
{
    int err = wc_ecc_init_ex(&s->key.ecc, NULL, INVALID_DEVID);
    return err ? err : wc_ecc_set_rng(&s->key.ecc, &adapter_rng);
}

static void ecdsa_free(adapter_pk_state *s)
{
    (void)wc_ecc_free(&s->key.ecc);
}

static mb_status ecdsa_load(const mb_job *job, adapter_pk_state *s, bool secret)
{
    if (job->key_len != (secret ? SCALAR : POINT) || (!secret && job->key[0] != 4))
        return mb_note(MB_UNSUPPORTED,
                       "a private key has 32 bytes, a public key 65 (an uncompressed point)");
    int err =
        secret ? wc_ecc_import_private_key_ex(job->key, SCALAR, NULL, 0, &s->key.ecc, ECC_SECP256R1)
               : wc_ecc_import_x963_ex(job->key, POINT, &s->key.ecc, ECC_SECP256R1);
    if (!err && secret)
        err = wc_ecc_make_pub_ex(&s->key.ecc, NULL, &adapter_rng);
    return adapter_check(err ? err : wc_ecc_check_key(&s->key.ecc));
}

static int ecdsa_generate(const mb_job *job, adapter_pk_state *s)
{
    (void)job;
    return wc_ecc_make_key_ex(&adapter_rng, SCALAR, &s->key.ecc, ECC_SECP256R1);
}

static int ecdsa_export_secret(adapter_pk_state *s, uint8_t *out, word32 *len)
{
    return wc_ecc_export_private_only(&s->key.ecc, out, len);
}

static int ecdsa_export_public(adapter_pk_state *s, uint8_t *out, word32 *len)
{
    return wc_ecc_export_x963(&s->key.ecc, out, len);
}

static int ecdsa_sign(const mb_job *job, adapter_pk_state *s, const uint8_t *value,
                      word32 value_len, uint8_t *out, word32 *len)
{
    (void)job;
    return wc_ecc_sign_hash(value, value_len, out, len, &adapter_rng, &s->key.ecc);
}

static bool ecdsa_verify(const mb_job *job, adapter_pk_state *s, const uint8_t *value,
                         word32 value_len)
{
    int right = 0;
    int err = wc_ecc_verify_hash(adapter_bytes(job->signature), (word32)job->signature_len, value,
                                 value_len, &right, &s->key.ecc);
    return !err && right == 1;
}

const adapter_pk_family adapter_ecdsa_family = {
    .init = ecdsa_init,
    .free = ecdsa_free,
    .load = ecdsa_load,
    .generate = ecdsa_generate,
    .export_secret = ecdsa_export_secret,
    .export_public = ecdsa_export_public,
    .sign = ecdsa_sign,
    .verify = ecdsa_verify,
};

static int ed25519_init(adapter_pk_state *s)
{
    return wc_ed25519_init_ex(&s->key.ed25519, NULL, INVALID_DEVID);
}

static void ed25519_free(adapter_pk_state *s)
{
    wc_ed25519_free(&s->key.ed25519);
}

static mb_status ed25519_load(const mb_job *job, adapter_pk_state *s, bool secret)
{
    ed25519_key *key = &s->key.ed25519;
    uint8_t point[ED25519_PUB_KEY_SIZE];
    if (!secret)
        return adapter_check(wc_ed25519_import_public(job->key, ED25519_PUB_KEY_SIZE, key));
    int err = wc_ed25519_import_private_only(job->key, ED25519_KEY_SIZE, key);
    if (!err)
        err = wc_ed25519_make_public(key, point, sizeof point);
    if (!err)
        err = wc_ed25519_import_private_key(job->key, ED25519_KEY_SIZE, point, sizeof point, key);
    return adapter_check(err);
}

static int ed25519_generate(const mb_job *job, adapter_pk_state *s)
{
    (void)job;
    return wc_ed25519_make_key(&adapter_rng, ED25519_KEY_SIZE, &s->key.ed25519);
}

static int ed25519_export_secret(adapter_pk_state *s, uint8_t *out, word32 *len)
{
    return wc_ed25519_export_private_only(&s->key.ed25519, out, len);
}

static int ed25519_export_public(adapter_pk_state *s, uint8_t *out, word32 *len)
{
    return wc_ed25519_export_public(&s->key.ed25519, out, len);
}

static int ed25519_sign(const mb_job *job, adapter_pk_state *s, const uint8_t *value,
                        word32 value_len, uint8_t *out, word32 *len)
{
    (void)job;
    return wc_ed25519_sign_msg(value, value_len, out, len, &s->key.ed25519);
}

static bool ed25519_verify(const mb_job *job, adapter_pk_state *s, const uint8_t *value,
                           word32 value_len)
{
    int right = 0;
    if (job->signature_len != ED_SIGNATURE)
        return false;
    int err = wc_ed25519_verify_msg(
        job->signature, ED_SIGNATURE, value, value_len, &right, &s->key.ed25519);
    return !err && right == 1;
}

const adapter_pk_family adapter_ed25519_family = {
    .init = ed25519_init,
    .free = ed25519_free,
    .load = ed25519_load,
    .generate = ed25519_generate,
    .export_secret = ed25519_export_secret,
    .export_public = ed25519_export_public,
    .sign = ed25519_sign,
    .verify = ed25519_verify,
};

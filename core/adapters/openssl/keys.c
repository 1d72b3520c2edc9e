/*
 * Keys of signatures and agreement, from and to the formats of mb_job: RSA PKCS#1 DER (RFC 8017,
 * A.1), P-256 a 32-byte scalar and a 65-byte uncompressed point (SEC 1, 2.3), Ed25519 and X25519
 * raw 32 bytes (RFC 8032, RFC 7748).
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <string.h>

#include "openssl_adapter.h"

#define SCALAR_BYTES 32 /* P-256 */
#define POINT_BYTES 65

static int is(const mbo_detail *detail, const char *type)
{
    return strcmp(detail->fetch, type) == 0;
}

static EVP_PKEY *read_rsa(int private_key, const uint8_t *bytes, size_t len)
{
    EVP_PKEY *key = NULL;
    int selection = private_key ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    OSSL_DECODER_CTX *ctx =
        OSSL_DECODER_CTX_new_for_pkey(&key, "DER", "type-specific", "RSA", selection, NULL, NULL);
    int ok = ctx != NULL && OSSL_DECODER_from_data(ctx, &bytes, &len) == 1;

    OSSL_DECODER_CTX_free(ctx);
    if (ok && len > 0)
        ERR_raise_data(ERR_LIB_EVP, EVP_R_DECODE_ERROR, "%zu bytes after the key", len);
    if (!ok || len > 0) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    return key;
}

static EVP_PKEY *p256_from(int selection, OSSL_PARAM *params)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);

    if (ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1)
        (void)EVP_PKEY_fromdata(ctx, &key, selection, params);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static OSSL_PARAM p256_group(void)
{
    static char group[] = "P-256";

    return OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0);
}

/* The point is computed here: OpenSSL does not do it when a key is made of a scalar alone. */
static int p256_point(const uint8_t scalar[SCALAR_BYTES], uint8_t point[POINT_BYTES])
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *product = group != NULL ? EC_POINT_new(group) : NULL;
    BIGNUM *factor = BN_secure_new();
    int ok = product != NULL && factor != NULL && BN_bin2bn(scalar, SCALAR_BYTES, factor) != NULL &&
             BN_cmp(factor, EC_GROUP_get0_order(group)) < 0 &&
             EC_POINT_mul(group, product, factor, NULL, NULL, NULL) == 1 &&
             EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, point, POINT_BYTES,
                                NULL) == POINT_BYTES;

    if (product != NULL && !ok && ERR_peek_error() == 0)
        ERR_raise(ERR_LIB_EC, EC_R_INVALID_PRIVATE_KEY);
    BN_clear_free(factor);
    EC_POINT_free(product);
    EC_GROUP_free(group);
    return ok;
}

static EVP_PKEY *read_p256_private(const uint8_t *bytes)
{
    uint8_t native[SCALAR_BYTES], point[POINT_BYTES];
    BIGNUM *scalar = BN_secure_new();
    EVP_PKEY *key = NULL;

    if (scalar != NULL && BN_bin2bn(bytes, SCALAR_BYTES, scalar) != NULL &&
        BN_bn2nativepad(scalar, native, SCALAR_BYTES) == SCALAR_BYTES && p256_point(bytes, point)) {
        OSSL_PARAM params[4] = {
            p256_group(),
            OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, SCALAR_BYTES),
            OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, POINT_BYTES),
            OSSL_PARAM_construct_end(),
        };
        key = p256_from(EVP_PKEY_KEYPAIR, params);
    }
    OPENSSL_cleanse(native, sizeof native);
    BN_clear_free(scalar);
    return key;
}

static EVP_PKEY *read_p256_public(const uint8_t *bytes)
{
    uint8_t point[POINT_BYTES];

    memcpy(point, bytes, POINT_BYTES);
    OSSL_PARAM params[3] = {
        p256_group(),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, POINT_BYTES),
        OSSL_PARAM_construct_end(),
    };
    return p256_from(EVP_PKEY_PUBLIC_KEY, params);
}

EVP_PKEY *mbo_key_read(const mbo_detail *detail, int private_key, const uint8_t *bytes, size_t len)
{
    if (is(detail, "RSA"))
        return read_rsa(private_key, bytes, len);
    if (is(detail, "EC")) {
        if (len != (private_key ? SCALAR_BYTES : POINT_BYTES)) {
            ERR_raise_data(ERR_LIB_EVP, EVP_R_INVALID_KEY_LENGTH, "%zu bytes", len);
            return NULL;
        }
        /* OpenSSL also reads points in hybrid form, which RFC 5480 2.2 forbids. */
        if (!private_key && bytes[0] != POINT_CONVERSION_UNCOMPRESSED)
            return NULL;
        return private_key ? read_p256_private(bytes) : read_p256_public(bytes);
    }
    return private_key ? EVP_PKEY_new_raw_private_key_ex(NULL, detail->fetch, NULL, bytes, len)
                       : EVP_PKEY_new_raw_public_key_ex(NULL, detail->fetch, NULL, bytes, len);
}

static size_t write_rsa(EVP_PKEY *key, int selection, uint8_t *out, size_t cap)
{
    OSSL_ENCODER_CTX *ctx =
        OSSL_ENCODER_CTX_new_for_pkey(key, selection, "DER", "type-specific", NULL);
    size_t left = cap;
    int ok = ctx != NULL && OSSL_ENCODER_to_data(ctx, &out, &left) == 1;

    OSSL_ENCODER_CTX_free(ctx);
    return ok ? cap - left : 0;
}

size_t mbo_key_write_private(const mbo_detail *detail, EVP_PKEY *key, uint8_t *out, size_t cap)
{
    size_t len = cap;

    if (is(detail, "RSA"))
        return write_rsa(key, EVP_PKEY_KEYPAIR, out, cap);
    if (is(detail, "EC")) {
        BIGNUM *scalar = NULL;
        int ok = cap >= SCALAR_BYTES &&
                 EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1 &&
                 BN_bn2binpad(scalar, out, SCALAR_BYTES) == SCALAR_BYTES;
        BN_clear_free(scalar);
        return ok ? SCALAR_BYTES : 0;
    }
    return EVP_PKEY_get_raw_private_key(key, out, &len) == 1 ? len : 0;
}

size_t mbo_key_write_public(const mbo_detail *detail, EVP_PKEY *key, uint8_t *out, size_t cap)
{
    size_t len = cap;

    if (is(detail, "RSA"))
        return write_rsa(key, EVP_PKEY_PUBLIC_KEY, out, cap);
    if (is(detail, "EC"))
        return EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, out, cap, &len) == 1
                   ? len
                   : 0;
    return EVP_PKEY_get_raw_public_key(key, out, &len) == 1 ? len : 0;
}

mb_status mbo_key_check_size(const mbo_detail *detail, const EVP_PKEY *key)
{
    return detail->bits == 0 || EVP_PKEY_get_bits(key) == detail->bits ? MB_OK : MB_UNSUPPORTED;
}

mb_status mbo_key_public(mb_job *job)
{
    const mbo_detail *detail = mbo_detail_of(job);
    mb_status status = mb_check_lengths(job, false);
    EVP_PKEY *key;

    if (status != MB_OK)
        return status;
    key = mbo_key_read(detail, 1, job->key, job->key_len);
    status = key != NULL ? mbo_key_check_size(detail, key) : mbo_fail();
    if (status == MB_OK) {
        job->out_len = mbo_key_write_public(detail, key, job->out, job->out_cap);
        if (job->out_len == 0)
            status = mbo_fail();
    }
    EVP_PKEY_free(key);
    return status;
}

mb_status mbo_keygen_open(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);
    const mbo_detail *detail = mbo_detail_of(job);
    OSSL_PARAM curve[2] = {p256_group(), OSSL_PARAM_construct_end()};

    state->key_ctx = EVP_PKEY_CTX_new_from_name(NULL, detail->fetch, NULL);
    if (state->key_ctx == NULL || EVP_PKEY_keygen_init(state->key_ctx) != 1 ||
        (is(detail, "RSA") &&
         EVP_PKEY_CTX_set_rsa_keygen_bits(state->key_ctx, detail->bits) != 1) ||
        (is(detail, "EC") && EVP_PKEY_CTX_set_params(state->key_ctx, curve) != 1))
        return mbo_fail();
    return MB_OK;
}

static mb_status generate(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    EVP_PKEY_free(state->key);
    state->key = NULL;
    return mbo_check(EVP_PKEY_generate(state->key_ctx, &state->key));
}

mb_status mbo_generate_keys(mb_job *job, uint32_t n)
{
    mb_status status = mb_repeat(job, n, generate);

    if (status != MB_OK)
        return status;
    job->out_len =
        mbo_key_write_private(mbo_detail_of(job), mbo_state_of(job)->key, job->out, job->out_cap);
    return mbo_check(job->out_len > 0);
}

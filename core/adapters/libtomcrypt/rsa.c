/*
 * RSA: keys as PKCS#1 DER (RFC 8017 A.1), which the library reads and writes. PSS salts are as long
 * as the hash.
 *
 * The library (1.18.2) accepts a PKCS#1 v1.5 signature whose DigestInfo is a SET instead of a
 * SEQUENCE (RFC 8017 9.2). That is its behaviour, and known answers may show it.
 */
#include "libtomcrypt_adapter.h"

enum { EXPONENT = 65537 };

static int load(const mb_job *job, bool secret, adapter_key *key)
{
    const adapter_signature *row = job->scheme->param;
    int code = rsa_import(job->key, job->key_len, &key->rsa);
    if (code != CRYPT_OK)
        return code;
    if (rsa_get_size(&key->rsa) == row->bits / 8 && (key->rsa.type == PK_PRIVATE) == secret)
        return CRYPT_OK;
    rsa_free(&key->rsa);
    return secret ? CRYPT_PK_NOT_PRIVATE : CRYPT_PK_INVALID_TYPE;
}

static int generate(const mb_job *job, adapter_key *key)
{
    const adapter_signature *row = job->scheme->param;
    return rsa_make_key(adapter_random(), adapter_random_index(), row->bits / 8, EXPONENT,
                        &key->rsa);
}

static void release(adapter_key *key)
{
    rsa_free(&key->rsa);
}

static int sign(const mb_job *job, adapter_key *key, const uint8_t *digest, uint8_t *out,
                unsigned long *out_len)
{
    const adapter_signature *row = job->scheme->param;
    unsigned long len = row->hash->hashsize;
    return rsa_sign_hash_ex(digest, len, out, out_len, row->padding, adapter_random(),
                            adapter_random_index(), find_hash(row->hash->name), len, &key->rsa);
}

static int verify(const mb_job *job, adapter_key *key, const uint8_t *digest, int *good)
{
    const adapter_signature *row = job->scheme->param;
    unsigned long len = row->hash->hashsize;
    return rsa_verify_hash_ex(job->signature, job->signature_len, digest, len, row->padding,
                              find_hash(row->hash->name), len, good, &key->rsa);
}

static int export_secret(adapter_key *key, uint8_t *out, unsigned long *out_len)
{
    return rsa_export(out, out_len, PK_PRIVATE, &key->rsa);
}

static int export_public(adapter_key *key, uint8_t *out, unsigned long *out_len)
{
    return rsa_export(out, out_len, PK_PUBLIC, &key->rsa);
}

const adapter_family adapter_rsa_family = {
    .load = load,
    .generate = generate,
    .free = release,
    .sign = sign,
    .verify = verify,
    .export_secret = export_secret,
    .export_public = export_public,
};

/*
 * RSA: keys as PKCS#1 DER (RFC 8017 A.1), which the library reads and writes. PSS salts are as long as the hash.
 *
 * The library (1.18.2) accepts a PKCS#1 v1.5 signature whose DigestInfo is a SET instead of a SEQUENCE (RFC 8017 9.2).
 * That is its behaviour, and known answers may show it.
 */
#include "lt.h"

enum { EXPONENT = 65537 };

static int load(const mb_job *job, bool secret, lt_key *key)
{
    const lt_signature *row = job->scheme->param;
    int code = rsa_import(job->key, job->key_len, &key->rsa);
    if (code != CRYPT_OK)
        return code;
    if (rsa_get_size(&key->rsa) == row->bits / 8 && (key->rsa.type == PK_PRIVATE) == secret)
        return CRYPT_OK;
    rsa_free(&key->rsa);
    return secret ? CRYPT_PK_NOT_PRIVATE : CRYPT_PK_INVALID_TYPE;
}

static int generate(const mb_job *job, lt_key *key)
{
    const lt_signature *row = job->scheme->param;
    return rsa_make_key(lt_random(), lt_random_index(), row->bits / 8, EXPONENT, &key->rsa);
}

static void release(lt_key *key)
{
    rsa_free(&key->rsa);
}

static int sign(const mb_job *job, lt_key *key, const uint8_t *digest, uint8_t *out, unsigned long *out_len)
{
    const lt_signature *row = job->scheme->param;
    unsigned long len = row->hash->hashsize;
    return rsa_sign_hash_ex(digest, len, out, out_len, row->padding, lt_random(), lt_random_index(),
                            find_hash(row->hash->name), len, &key->rsa);
}

static int verify(const mb_job *job, lt_key *key, const uint8_t *digest, int *good)
{
    const lt_signature *row = job->scheme->param;
    unsigned long len = row->hash->hashsize;
    return rsa_verify_hash_ex(job->tag, job->tag_len, digest, len, row->padding, find_hash(row->hash->name), len, good,
                              &key->rsa);
}

static int export_secret(lt_key *key, uint8_t *out, unsigned long *out_len)
{
    return rsa_export(out, out_len, PK_PRIVATE, &key->rsa);
}

static int export_public(lt_key *key, uint8_t *out, unsigned long *out_len)
{
    return rsa_export(out, out_len, PK_PUBLIC, &key->rsa);
}

const lt_family lt_rsa_family = {
    .load = load,
    .generate = generate,
    .free = release,
    .sign = sign,
    .verify = verify,
    .export_secret = export_secret,
    .export_public = export_public,
};

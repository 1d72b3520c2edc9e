/*
 * ECDSA with P-256. Public keys are read by the library; private ones, bare numbers here, it reads
 * only together with their public key, so that is computed with the library's arithmetic.
 *
 * What the library (1.18.2) makes of signatures is left as it is, and known answers may show it: it
 * accepts BER that is not DER, bytes left over inside the SEQUENCE, and a SET in its place; and it
 * rejects good signatures at edges of its arithmetic (Wycheproof's EdgeCaseShamirMultiplication and
 * ArithmeticError), which no honest signature reaches.
 */
#include "libtomcrypt_adapter.h"

#include <string.h>

enum { SCALAR = 32, POINT = 65, HEX = 16 };

/* P-256 among the library's curves; -1: it was built without. */
static int curve(void)
{
    for (int i = 0; ltc_ecc_sets[i].size != 0; i++)
        if (ltc_ecc_sets[i].size == SCALAR)
            return i;
    return -1;
}

/* key->k and key->pubkey of the scalar at `bytes`; `base` and `prime` are places to work in. */
static int complete(ecc_key *key, const uint8_t *bytes, ecc_point *base, void *prime)
{
    uint8_t copy[SCALAR]; /* the library's argument is not const */
    memcpy(copy, bytes, sizeof copy);
    int code = ltc_mp.unsigned_read(key->k, copy, sizeof copy);
    if (code == CRYPT_OK)
        code = ltc_mp.read_radix(prime, key->dp->order, HEX);
    if (code == CRYPT_OK &&
        (ltc_mp.compare_d(key->k, 0) != LTC_MP_GT || ltc_mp.compare(key->k, prime) != LTC_MP_LT))
        return CRYPT_INVALID_ARG;
    if (code == CRYPT_OK)
        code = ltc_mp.read_radix(prime, key->dp->prime, HEX);
    if (code == CRYPT_OK)
        code = ltc_mp.read_radix(base->x, key->dp->Gx, HEX);
    if (code == CRYPT_OK)
        code = ltc_mp.read_radix(base->y, key->dp->Gy, HEX);
    if (code == CRYPT_OK)
        code = ltc_mp.set_int(base->z, 1);
    return code == CRYPT_OK ? ltc_mp.ecc_ptmul(key->k, base, &key->pubkey, prime, 1) : code;
}

static int load_secret(const mb_job *job, ecc_key *key)
{
    void *prime;
    key->type = PK_PRIVATE;
    key->idx = curve();
    if (key->idx < 0 || job->key_len != SCALAR)
        return CRYPT_INVALID_KEYSIZE;
    key->dp = &ltc_ecc_sets[key->idx];
    int code =
        ltc_init_multi(&key->pubkey.x, &key->pubkey.y, &key->pubkey.z, &key->k, &prime, NULL);
    if (code != CRYPT_OK)
        return code;
    ecc_point *base = ltc_ecc_new_point();
    code = base != NULL ? complete(key, job->key, base, prime) : CRYPT_MEM;
    if (base != NULL)
        ltc_ecc_del_point(base);
    ltc_deinit_multi(prime, NULL);
    if (code != CRYPT_OK)
        ecc_free(key);
    return code;
}

static int load(const mb_job *job, bool secret, adapter_key *key)
{
    if (secret)
        return load_secret(job, &key->ecc);
    if (job->key_len != POINT || job->key[0] != 4)
        return CRYPT_INVALID_KEYSIZE;
    return ecc_ansi_x963_import(job->key, job->key_len, &key->ecc);
}

static int generate(const mb_job *job, adapter_key *key)
{
    (void)job;
    return ecc_make_key(adapter_random(), adapter_random_index(), SCALAR, &key->ecc);
}

static void release(adapter_key *key)
{
    ecc_free(&key->ecc);
}

static int sign(const mb_job *job, adapter_key *key, const uint8_t *digest, uint8_t *out,
                unsigned long *out_len)
{
    const adapter_signature *row = job->scheme->param;
    return ecc_sign_hash(digest, row->hash->hashsize, out, out_len, adapter_random(),
                         adapter_random_index(), &key->ecc);
}

static int verify(const mb_job *job, adapter_key *key, const uint8_t *digest, int *good)
{
    const adapter_signature *row = job->scheme->param;
    return ecc_verify_hash(
        job->signature, job->signature_len, digest, row->hash->hashsize, good, &key->ecc);
}

static int export_secret(adapter_key *key, uint8_t *out, unsigned long *out_len)
{
    size_t len = ltc_mp.unsigned_size(key->ecc.k);
    if (len > SCALAR)
        return CRYPT_INVALID_KEYSIZE;
    memset(out, 0, SCALAR);
    *out_len = SCALAR;
    return ltc_mp.unsigned_write(key->ecc.k, out + SCALAR - len);
}

static int export_public(adapter_key *key, uint8_t *out, unsigned long *out_len)
{
    return ecc_ansi_x963_export(&key->ecc, out, out_len);
}

const adapter_family adapter_ecdsa_family = {
    .load = load,
    .generate = generate,
    .free = release,
    .sign = sign,
    .verify = verify,
    .export_secret = export_secret,
    .export_public = export_public,
};

/*
 * BearSSL's HMAC. Timed for MAC: br_hmac_init, update and out with a key that is set;
 * KEY_SETUP: br_hmac_key_init. BearSSL claims constant time but for the length of the message.
 */
#include <bearssl_hash.h>
#include <bearssl_hmac.h>

#include "vendor/mac.h"

typedef struct job_state {
    mb_hash_state hash;
    br_hmac_key_context key;
    br_hmac_context mac;
} job_state;

#define OPEN(job) ((void)(job), MB_OK)

static mb_status set_key(mb_job *job)
{
    job_state *s = job->ctx;
    br_hmac_key_init(&s->key, mac_what(job), job->key, job->key_len);
    return MB_OK;
}

static mb_status begin(mb_job *job)
{
    job_state *s = job->ctx;
    br_hmac_init(&s->mac, &s->key, 0);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    job_state *s = job->ctx;
    br_hmac_update(&s->mac, in, len);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    job_state *s = job->ctx;
    br_hmac_out(&s->mac, out);
    return MB_OK;
}

#include "vendor/mac_kind.h"

#define ROW(id) \
    static const mac_row id##_row __attribute__((unused)) = {&mac_kind, &br_##id##_vtable};
ROW(md5)
ROW(sha1)
ROW(sha224)
ROW(sha256)
ROW(sha384)
ROW(sha512)

static const mb_scheme schemes[] = {
    MOTE_PICK(hmac_md5, MAC_SCHEME("hmac-md5", 0, UINT16_MAX, br_md5_SIZE, &md5_row))
        MOTE_PICK(hmac_sha1, MAC_SCHEME("hmac-sha1", 0, UINT16_MAX, br_sha1_SIZE, &sha1_row))
            MOTE_PICK(hmac_sha224,
                      MAC_SCHEME("hmac-sha224", 0, UINT16_MAX, br_sha224_SIZE, &sha224_row))
                MOTE_PICK(hmac_sha256,
                          MAC_SCHEME("hmac-sha256", 0, UINT16_MAX, br_sha256_SIZE, &sha256_row))
                    MOTE_PICK(hmac_sha384,
                              MAC_SCHEME("hmac-sha384", 0, UINT16_MAX, br_sha384_SIZE, &sha384_row))
                        MOTE_PICK(hmac_sha512, MAC_SCHEME("hmac-sha512", 0, UINT16_MAX,
                                                          br_sha512_SIZE, &sha512_row))};

MOTE_ADAPTER(bearssl_hmac)
#include "vendor/public_key.h"

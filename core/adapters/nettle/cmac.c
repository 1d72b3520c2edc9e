/*
 * AES-CMAC.
 *
 * Timed for MAC: cmac_aes128_update and digest, which leaves the context keyed for the next
 * message; KEY_SETUP: cmac_aes128_set_key. The library has no AES-192 here.
 */
#include "nettle_adapter.h"

#include <nettle/cmac.h>

typedef struct cmac_job {
    mb_hash_state hash; /* first: see support/hashes.h */
    union {
        struct cmac_aes128_ctx aes128;
        struct cmac_aes256_ctx aes256;
    };
} cmac_job;

_Static_assert(sizeof(cmac_job) <= sizeof(adapter_cipher_ctx), "ctx_size is that of the largest");

/* The steps for one length of the key. */
#define STEPS(aes)                                                            \
    static mb_status aes##_set_key(mb_job *job)                               \
    {                                                                         \
        cmac_job *s = job->ctx;                                               \
        cmac_##aes##_set_key(&s->aes, job->key);                              \
        return MB_OK;                                                         \
    }                                                                         \
    static mb_status aes##_update(mb_job *job, const uint8_t *in, size_t len) \
    {                                                                         \
        cmac_job *s = job->ctx;                                               \
        cmac_##aes##_update(&s->aes, len, in);                                \
        return MB_OK;                                                         \
    }                                                                         \
    static mb_status aes##_finish(mb_job *job, uint8_t *out)                  \
    {                                                                         \
        cmac_job *s = job->ctx;                                               \
        cmac_##aes##_digest(&s->aes, job->scheme->tag_max, out);              \
        return MB_OK;                                                         \
    }                                                                         \
    MB_REPEAT(aes##_keys, aes##_set_key)                                      \
    MB_HASH_WHOLE(aes##_all, NULL, aes##_update, aes##_finish)
STEPS(aes128)
STEPS(aes256)

/* No call drops an unfinished message and keeps the key: it is set again, before what is timed. */
static mb_status cmac_open(mb_job *job)
{
    static const mb_hashing with_128 = {
        .set_key = aes128_set_key,
        .set_keys = aes128_keys,
        .whole = aes128_all,
        .begin = aes128_set_key,
        .update = aes128_update,
        .finish = aes128_finish};
    static const mb_hashing with_256 = {
        .set_key = aes256_set_key,
        .set_keys = aes256_keys,
        .whole = aes256_all,
        .begin = aes256_set_key,
        .update = aes256_update,
        .finish = aes256_finish};
    return mb_mac_open(job, job->scheme->key_min == 16 ? &with_128 : &with_256);
}

const mb_kind adapter_cmac_kind = {
    .open = cmac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
};

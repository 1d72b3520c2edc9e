/*
 * AES-CMAC, through the library's cipher layer.
 *
 * Timed for MAC: mbedtls_cipher_cmac_reset, update and finish, which derives the subkeys anew
 * each time. KEY_SETUP is not offered: mbedtls_cipher_cmac_starts allocates at each call, and loses
 * what it allocated before.
 */
#include "mbedtls_adapter.h"

#include <mbedtls/cipher.h>
#include <mbedtls/cmac.h>

#if defined(MBEDTLS_CMAC_C)

typedef struct cmac_job {
    mb_hash_state hash; /* first: see support/hashes.h */
    mbedtls_cipher_context_t cipher;
} cmac_job;

_Static_assert(sizeof(cmac_job) <= sizeof(adapter_state), "ctx_size is that of the largest");

static mb_status set_key(mb_job *job)
{
    cmac_job *s = job->ctx;
    return adapter_check(mbedtls_cipher_cmac_starts(&s->cipher, job->key, job->key_len * 8));
}

static mb_status begin(mb_job *job)
{
    cmac_job *s = job->ctx;
    return adapter_check(mbedtls_cipher_cmac_reset(&s->cipher));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    cmac_job *s = job->ctx;
    return len == 0 ? MB_OK : adapter_check(mbedtls_cipher_cmac_update(&s->cipher, in, len));
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    cmac_job *s = job->ctx;
    return adapter_check(mbedtls_cipher_cmac_finish(&s->cipher, out));
}

MB_HASH_WHOLE(all, begin, update, finish)

static mb_status cmac_open(mb_job *job)
{
    static const mb_hashing how = {
        .set_key = set_key, .whole = all, .begin = begin, .update = update, .finish = finish};
    cmac_job *s = job->ctx;
    mbedtls_cipher_init(&s->cipher);
    const mbedtls_cipher_info_t *info = mbedtls_cipher_info_from_values(
        MBEDTLS_CIPHER_ID_AES, job->scheme->key_min * 8, MBEDTLS_MODE_ECB);
    const mb_status status = adapter_check(mbedtls_cipher_setup(&s->cipher, info));
    return status == MB_OK ? mb_mac_open(job, &how) : status;
}

static void cmac_close(mb_job *job)
{
    cmac_job *s = job->ctx;
    mbedtls_cipher_free(&s->cipher);
}

const mb_kind adapter_cmac_kind = {
    .open = cmac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = cmac_close,
};

#endif

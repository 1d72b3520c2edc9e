/*
 * AES-CMAC of Mbed TLS through its cipher layer, of 2.28 and of 3.6. Included once by the file of a
 * release, which follows with MOTE_ADAPTER. Timed for MAC: mbedtls_cipher_cmac_reset,
 * update and finish (which derives the subkeys anew each time); KEY_SETUP:
 * mbedtls_cipher_cmac_starts.
 */
#ifndef MOTE_VENDOR_MBEDTLS_CMAC_BOTH_H
#define MOTE_VENDOR_MBEDTLS_CMAC_BOTH_H

#include <mbedtls/aes.h>
#include <mbedtls/cipher.h>
#include <mbedtls/cmac.h>

#include "vendor/mac.h"

/* Release of the memory of a key before the next one: nothing where memory is static. */
#if !defined CMAC_FREE
#define CMAC_FREE(cipher) (void)(cipher)
#endif

typedef struct job_state {
    mb_hash_state hash;
    mbedtls_cipher_context_t cipher;
} job_state;

/*
 * Memory that the library allocates: the context of the cipher, and at each key that of the MAC,
 * which it never frees.
 */
static mbedtls_aes_context cipher_slot;
static mbedtls_cmac_context_t mac_slot;

void *mote_slot_calloc(size_t count, size_t size)
{
    if (count == 1 && size == sizeof cipher_slot)
        return memset(&cipher_slot, 0, sizeof cipher_slot);
    return count == 1 && size == sizeof mac_slot ? memset(&mac_slot, 0, sizeof mac_slot) : NULL;
}

void mote_slot_free(void *block)
{
    (void)block;
}

static mb_status checked(int code)
{
    return code == 0 ? MB_OK : mb_note(MB_ERROR, "the library reported an error");
}

static mb_status ready(mb_job *job)
{
    job_state *s = job->ctx;
    const mbedtls_cipher_id_t id = MBEDTLS_CIPHER_ID_AES;
    mbedtls_cipher_init(&s->cipher);
    return checked(mbedtls_cipher_setup(
        &s->cipher,
        mbedtls_cipher_info_from_values(id, job->scheme->key_min * 8, MBEDTLS_MODE_ECB)));
}
#define OPEN(job) ready(job)

static mb_status set_key(mb_job *job)
{
    job_state *s = job->ctx;
    CMAC_FREE(&s->cipher);
    return checked(mbedtls_cipher_cmac_starts(&s->cipher, job->key, job->key_len * 8));
}

static mb_status begin(mb_job *job)
{
    job_state *s = job->ctx;
    return checked(mbedtls_cipher_cmac_reset(&s->cipher));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    job_state *s = job->ctx;
    return len == 0 ? MB_OK : checked(mbedtls_cipher_cmac_update(&s->cipher, in, len));
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    job_state *s = job->ctx;
    return checked(mbedtls_cipher_cmac_finish(&s->cipher, out));
}

#include "vendor/mac_kind.h"

static const mac_row row = {&mac_kind, NULL};
static const mb_scheme schemes[] = {
    MOTE_PICK(aes_128_cmac, MAC_SCHEME("aes-128-cmac", 16, 16, 16, &row))
        MOTE_PICK(aes_192_cmac, MAC_SCHEME("aes-192-cmac", 24, 24, 16, &row))
            MOTE_PICK(aes_256_cmac, MAC_SCHEME("aes-256-cmac", 32, 32, 16, &row))};

#endif

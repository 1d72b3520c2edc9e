/*
 * AES-GMAC of Mbed TLS: its GCM with additional data and no text. Timed for MAC:
 * mbedtls_gcm_starts, which takes all of the message, and finish; KEY_SETUP: mbedtls_gcm_setkey,
 * with the tables of GHASH.
 */
#include MBEDTLS_CONFIG_FILE

#include <mbedtls/aes.h>
#include <mbedtls/cipher.h>
#include <mbedtls/gcm.h>

#include "vendor/mac.h"

enum { NONCE = 12, TAG = 16 };

typedef struct job_state {
    mb_hash_state hash;
    mbedtls_gcm_context gcm;
} job_state;

/*
 * Memory that the library allocates: the context of the cipher, which it frees before a key is set
 * anew.
 */
static mbedtls_aes_context slot;

void *mote_slot_calloc(size_t count, size_t size)
{
    return count == 1 && size == sizeof slot ? memset(&slot, 0, sizeof slot) : NULL;
}

void mote_slot_free(void *block)
{
    (void)block;
}

static mb_status checked(int code)
{
    return code == 0 ? MB_OK : mb_note(MB_ERROR, "the library reported an error");
}

static mb_status set_key(mb_job *job)
{
    job_state *s = job->ctx;
    return checked(
        mbedtls_gcm_setkey(&s->gcm, MBEDTLS_CIPHER_ID_AES, job->key, (unsigned)job->key_len * 8));
}

static mb_status whole(mb_job *job)
{
    job_state *s = job->ctx;
    const int code = mbedtls_gcm_starts(
        &s->gcm, MBEDTLS_GCM_ENCRYPT, job->nonce, job->nonce_len, job->message, job->message_len);
    return checked(code != 0 ? code : mbedtls_gcm_finish(&s->gcm, job->out, TAG));
}

MB_REPEAT(keys, set_key)
MB_REPEAT(all, whole)

static mb_status open_job(mb_job *job)
{
    static const mb_hashing how = {.set_key = set_key, .set_keys = keys, .whole = all};
    job_state *s = job->ctx;
    const mb_status status = job->op == MB_KEY_SETUP ? MB_OK : mb_check_lengths(job, true);
    mbedtls_gcm_init(&s->gcm);
    return status == MB_OK ? mb_mac_open(job, &how) : status;
}

static void close_job(mb_job *job)
{
    volatile uint8_t *at = job->ctx;
    for (size_t i = 0; i < sizeof(job_state); i++)
        at[i] = 0;
}

static const mb_kind kind = {
    .open = open_job, .start = mb_hash_start, .run = mb_drive_run, .close = close_job};
static const mac_row row = {&kind, NULL};
#define GMAC(label, key)                                              \
    {.name = (label),                                                 \
     .operations = (uint16_t)(MB_CAN(MB_MAC) | MB_CAN(MB_KEY_SETUP)), \
     .key_min = (key),                                                \
     .key_max = (key),                                                \
     .nonce_min = NONCE,                                              \
     .nonce_max = NONCE,                                              \
     .tag_min = TAG,                                                  \
     .tag_max = TAG,                                                  \
     .block = 1,                                                      \
     .param = &row}
static const mb_scheme schemes[] = {MOTE_PICK(aes_128_gmac, GMAC("aes-128-gmac", 16)) MOTE_PICK(
    aes_192_gmac, GMAC("aes-192-gmac", 24)) MOTE_PICK(aes_256_gmac, GMAC("aes-256-gmac", 32))};

MOTE_ADAPTER(mbedtls_gmac)
#include "vendor/public_key.h"

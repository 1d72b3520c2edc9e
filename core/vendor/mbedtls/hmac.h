/*
 * HMAC of Mbed TLS through its layer of hash functions. Included once by the file of a hash
 * function, which defines CONTEXT, the type of its state, and schemes with HMAC_SCHEME, and follows
 * with MOTE_ADAPTER. 3.6 hides what it knows of hash functions: its files define HMAC_INFO, that of
 * a job, and HMAC_HASH, what a scheme names the function by.
 *
 * Timed for MAC: mbedtls_md_hmac_reset, update and finish; KEY_SETUP: mbedtls_md_hmac_starts.
 */
#include MBEDTLS_CONFIG_FILE

#include <mbedtls/md.h>
#if !defined HMAC_INFO
#include <mbedtls/md_internal.h>
#define HMAC_INFO(job) mac_what(job)
#define HMAC_HASH(id) &mbedtls_##id##_info
#endif

#include "vendor/mac.h"

typedef struct job_state {
    mb_hash_state hash;
    mbedtls_md_context_t md;
} job_state;

/* Memory that the library allocates: the state of the hash function, and two blocks for the key. */
static CONTEXT state_slot;
static uint8_t key_slot[2][KEY_BLOCK];

void *mote_slot_calloc(size_t count, size_t size)
{
    void *const slot = count == 1 ? (void *)&state_slot : (void *)key_slot;
    const size_t room = count == 1 ? sizeof state_slot : sizeof key_slot;
    if (count * size > room)
        return NULL;
    return memset(slot, 0, room);
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
    mbedtls_md_init(&s->md);
    return checked(mbedtls_md_setup(&s->md, HMAC_INFO(job), 1));
}
#define OPEN(job) ready(job)

static mb_status set_key(mb_job *job)
{
    job_state *s = job->ctx;
    return checked(mbedtls_md_hmac_starts(&s->md, job->key, job->key_len));
}

static mb_status begin(mb_job *job)
{
    job_state *s = job->ctx;
    return checked(mbedtls_md_hmac_reset(&s->md));
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    job_state *s = job->ctx;
    return checked(mbedtls_md_hmac_update(&s->md, in, len));
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    job_state *s = job->ctx;
    return checked(mbedtls_md_hmac_finish(&s->md, out));
}

#include "vendor/mac_kind.h"

#define HMAC_ROW(id) \
    static const mac_row id##_row __attribute__((unused)) = {&mac_kind, HMAC_HASH(id)};
#define HMAC_SCHEME(id, len) \
    MOTE_PICK(hmac_##id, MAC_SCHEME("hmac-" #id, 0, UINT16_MAX, len, &id##_row))

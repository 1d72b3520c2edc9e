/*
 * HMAC.
 *
 * Timed: MAC: hmac_init, hmac_process, hmac_done. The library takes the key at the
 * beginning of each message and forgets it at the end, so its schedule is part of every message and
 * KEY_SETUP is not offered.
 */
#include "libtomcrypt_adapter.h"

typedef struct mac_state {
    mb_hash_state state; /* first: see support/hashes.h */
    hmac_state hmac;
    int hash;     /* the library's index of it */
    bool started; /* hmac holds memory */
} mac_state;

_Static_assert(sizeof(mac_state) <= sizeof(adapter_state), "ctx_size is that of the largest");

static mb_status begin(mb_job *job)
{
    mac_state *s = job->ctx;
    mb_status status = adapter_check(hmac_init(&s->hmac, s->hash, job->key, job->key_len));
    s->started = status == MB_OK;
    return status;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    mac_state *s = job->ctx;
    return adapter_check(hmac_process(&s->hmac, in, len));
}

/* Also after a failure: hmac_done is what gives the memory back. */
static mb_status finish(mb_job *job, uint8_t *out)
{
    mac_state *s = job->ctx;
    unsigned long len = job->scheme->tag_max;
    s->started = false;
    return adapter_check(hmac_done(&s->hmac, out, &len));
}

/* A streamed message is begun by its first chunk: `start` comes before messages in memory too. */
static mb_status update_stream(mb_job *job, const uint8_t *in, size_t len)
{
    const mac_state *s = job->ctx;
    mb_status status = s->started ? MB_OK : begin(job);
    return status == MB_OK ? update(job, in, len) : status;
}

static mb_status finish_stream(mb_job *job, uint8_t *out)
{
    const mac_state *s = job->ctx;
    mb_status status = s->started ? MB_OK : begin(job);
    return status == MB_OK ? finish(job, out) : status;
}

MB_HASH_WHOLE(all, begin, update, finish)

static mb_status mac_open(mb_job *job)
{
    static const mb_hashing how = {.whole = all, .update = update_stream, .finish = finish_stream};
    const adapter_digest *digest = job->scheme->param;
    mac_state *s = job->ctx;
    s->hash = find_hash(digest->descriptor->name);
    return mb_mac_open(job, &how);
}

static void mac_close(mb_job *job)
{
    mac_state *s = job->ctx;
    uint8_t unwanted[MAXBLOCKSIZE];
    unsigned long len = sizeof unwanted;
    if (s->started)
        (void)hmac_done(&s->hmac, unwanted, &len);
    s->started = false;
}

const mb_kind adapter_mac_kind = {
    .open = mac_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final,
    .close = mac_close,
};

/* Nettle: SHA-256 through its low-level functions. */
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stdio.h>

#include "support/hashes.h"
#include "support/the_adapter.h"

/* The state of a job: the probe hands it over in job->ctx, zeroed. Nothing to allocate or free. */
typedef struct digest_state {
    mb_hash_state hash; /* first: what the driver keeps */
    struct sha256_ctx sha;
} digest_state;

static mb_status begin(mb_job *job)
{
    digest_state *s = job->ctx;
    sha256_init(&s->sha);
    return MB_OK;
}

static mb_status update(mb_job *job, const uint8_t *in, size_t len)
{
    digest_state *s = job->ctx;
    sha256_update(&s->sha, len, in);
    return MB_OK;
}

static mb_status finish(mb_job *job, uint8_t *out)
{
    digest_state *s = job->ctx;
    sha256_digest(&s->sha, SHA256_DIGEST_SIZE, out); /* which begins the next one */
    return MB_OK;
}

/* The loop, with update and finish inlined; each finish begins the next message. */
MB_HASH_WHOLE(all, NULL, update, finish)

static mb_status sha256_open(mb_job *job)
{
    static const mb_hashing how = {
        .whole = all, .begin = begin, .update = update, .finish = finish};
    return mb_hash_open(job, &how);
}

static const mb_kind sha256_kind = {
    .open = sha256_open,
    .start = mb_hash_start,
    .run = mb_drive_run,
    .update = mb_hash_update,
    .final = mb_hash_final};

static const mb_scheme SCHEMES[] = {
    {.name = "sha256",
     .operations = MB_CAN(MB_DIGEST),
     .can_stream = 1,
     .tag_min = SHA256_DIGEST_SIZE,
     .tag_max = SHA256_DIGEST_SIZE,
     .block = 1,
     .param = &(const mb_row){&sha256_kind}},
};

MB_SCHEMES(SCHEMES)

static mb_status init(void)
{
    return MB_OK;
}

static const char *version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "Nettle %d.%d", nettle_version_major(), nettle_version_minor());
    return text;
}

MB_THE_ADAPTER("nettle", scheme, .ctx_size = sizeof(digest_state))

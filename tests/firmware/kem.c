/*
 * The toy KEM of the fake as an adapter for boards: two outputs, and seeds, in memory that is laid
 * out for each job.
 */
#include <stddef.h>

#include "adapters/fake/kem.h"

static const mb_scheme SCHEME = {
    .name = "fake-kem",
    .operations = MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | MB_TAKES_SEED,
    .key_min = FAKE_PUBLIC,
    .key_max = FAKE_PRIVATE,
    .public_bytes = FAKE_PUBLIC,
    .private_bytes = FAKE_PRIVATE,
    .ciphertext_bytes = FAKE_CIPHERTEXT,
    .secret_bytes = FAKE_SECRET,
    .block = 1};

static size_t scheme_count(void)
{
    return 1;
}

static const mb_scheme *scheme_at(size_t i)
{
    (void)i;
    return &SCHEME;
}

static mb_status good(mb_job *job)
{
    (void)job;
    return MB_OK;
}

static mb_status init(void)
{
    return MB_OK;
}

static const char *version(void)
{
    return "toy";
}

static void close(mb_job *job)
{
    (void)job;
}

static mb_status run(mb_job *job, uint32_t n)
{
    mb_status status = MB_OK;
    for (; n > 0 && status == MB_OK; n--)
        status = fake_kem(job);
    return status;
}

const mb_adapter mb_the_adapter = {
    .implementation = "toykem",
    .scheme_count = scheme_count,
    .scheme_at = scheme_at,
    .init = init,
    .version = version,
    .open = good,
    .start = good,
    .run = run,
    .close = close,
    .public_key = fake_kem_public,
};

/*
 * The toy KEM of the fake as an adapter for boards: two outputs, and seeds, in memory that is laid
 * out for each job.
 */
#include "adapters/fake/kem.h"

#include "frame.h"

static const mb_scheme SCHEMES[] = {
    {.name = "fake-kem",
     .operations = MB_CAN(MB_KEYGEN) | MB_KEM_OPERATIONS | MB_TAKES_SEED,
     .key_min = FAKE_PUBLIC,
     .key_max = FAKE_PRIVATE,
     .public_bytes = FAKE_PUBLIC,
     .private_bytes = FAKE_PRIVATE,
     .ciphertext_bytes = FAKE_CIPHERTEXT,
     .secret_bytes = FAKE_SECRET,
     .block = 1}};

static mb_status run(mb_job *job, uint32_t n)
{
    mb_status status = MB_OK;
    for (; n > 0 && status == MB_OK; n--)
        status = fake_kem(job);
    return status;
}

FRAME("toykem", SCHEMES, .public_key = fake_kem_public);

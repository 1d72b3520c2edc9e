/*
 * The rest of an adapter whose schemes can only be verified: included by an adapter before its
 * schemes. The state of a job is empty, and messages are taken whole. A signature of another length
 * than the scheme's is rejected.
 */
#ifndef MOTE_PUBLIC_VERIFYING_H
#define MOTE_PUBLIC_VERIFYING_H

#include <string.h>

#include "motebench/adapter.h"
#include "support/driver.h"
#include "support/kind.h"
#include "vendor/pick.h"

typedef struct job_state { uint8_t unused; } job_state;

/* MB_OK or MB_REJECTED; key and signature have the lengths of the scheme. */
static mb_status verify(mb_job *job);

static mb_status verify_once(mb_job *job)
{
    job->out_len = 0;
    return verify(job);
}

static mb_status reject(mb_job *job)
{
    job->out_len = 0;
    return MB_REJECTED;
}

static mb_status open_job(mb_job *job)
{
    return mb_check_lengths(job, true);
}

static mb_status run(mb_job *job, uint32_t n)
{
    return mb_repeat(job, n, job->signature_len == job->scheme->tag_max ? verify_once : reject);
}

static const mb_kind verifying = {.open = open_job, .run = run};

/* A line of the schemes: `entry` points to its mb_row. */
#define VERIFIES(label, public, signature, context, entry) \
    {.name = (label),                                      \
     .operations = MB_CAN(MB_VERIFY),                      \
     .key_min = (public),                                  \
     .key_max = (public),                                  \
     .context_max = (context),                             \
     .tag_min = (signature),                               \
     .tag_max = (signature),                               \
     .block = 1,                                           \
     .param = (entry)}

#endif

/*
 * The adapter as the probe sees it: sets the library up; support/kind.h passes each call on to the
 * kind of the scheme.
 */
#include "support/the_adapter.h"
#include "wolfssl_adapter.h"

#include <wolfssl/version.h>

static mb_status init(void)
{
    adapter_table_fill();
    return adapter_check(adapter_seed_random());
}

/*
 * The library does not tell its version at run time below its TLS layer: it is that of the headers.
 */
static const char *version(void)
{
    return "wolfSSL " LIBWOLFSSL_VERSION_STRING;
}

static mb_status open_job(mb_job *job)
{
    if (job->in_len > UINT32_MAX - MB_BLOCK_BUFFER_MAX || job->aad_len > UINT32_MAX)
        return mb_note(MB_UNSUPPORTED, "the library accepts less than 4 GiB at once");
    return mb_kind_open(job);
}

MB_THE_ADAPTER("wolfssl", adapter_table, .ctx_size = sizeof(adapter_state), .open = open_job)

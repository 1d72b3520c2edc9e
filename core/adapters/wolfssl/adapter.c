/*
 * The adapter as the probe sees it: sets the library up; support/kind.h passes each call on to the
 * kind of the scheme.
 */
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

const mb_adapter mb_the_adapter = {
    .implementation = "wolfssl",
    .scheme_count = adapter_table_count,
    .scheme_at = adapter_table_at,
    .ctx_size = sizeof(adapter_state),
    .init = init,
    .version = version,
    .open = open_job,
    .start = mb_kind_start,
    .run = mb_kind_run,
    .update = mb_kind_update,
    .final = mb_kind_final,
    .close = mb_kind_close,
    .public_key = mb_kind_public_key,
    .error = mb_kind_error,
    .idle = mb_drive_idle,
};

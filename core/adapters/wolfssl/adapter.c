/* The adapter as the probe sees it: sets the library up; support/kind.h passes each call on to the kind of the scheme. */
#include "ws.h"

#include <stdio.h>
#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/wc_port.h>

WC_RNG ws_rng;

mb_status ws_check(int err)
{
    if (err == 0)
        return MB_OK;
    char text[128];
    snprintf(text, sizeof text, "wolfCrypt %d: %s", err, wc_GetErrorString(err));
    switch (err) {
    case MEMORY_E:
        return mb_note_words(MB_TOO_BIG, text);
    case AES_GCM_OVERFLOW_E:
    case CHACHA_POLY_OVERFLOW:
    case NOT_COMPILED_IN:
        return mb_note_words(MB_UNSUPPORTED, text);
    default:
        return mb_note_words(MB_ERROR, text);
    }
}

static mb_status init(void)
{
    int err = wolfCrypt_Init();
    if (err == 0)
        err = wc_InitRng_ex(&ws_rng, NULL, INVALID_DEVID);
    if (err)
        return ws_check(err);
    ws_table_fill();
    return MB_OK;
}

/* The library does not tell its version at run time below its TLS layer: it is that of the headers. */
static const char *version(void)
{
    return "wolfSSL " LIBWOLFSSL_VERSION_STRING;
}

static mb_status open_job(mb_job *job)
{
    if (job->in_len > UINT32_MAX - MB_BLOCK_BUFFER_MAX || job->aad_len > UINT32_MAX)
        return mb_note(MB_UNSUPPORTED, "the library takes less than 4 GiB at once");
    return mb_kind_open(job);
}

const mb_adapter mb_the_adapter = {
    .implementation = "wolfssl",
    .scheme_count = ws_table_count,
    .scheme_at = ws_table_at,
    .ctx_size = sizeof(ws_state),
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
};

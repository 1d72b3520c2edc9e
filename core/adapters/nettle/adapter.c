/* The adapter as the probe sees it. */
#include "nettle_adapter.h"
#include "public_key.h"

#include <nettle/version.h>
#include <stdio.h>

static mb_status init(void)
{
    return adapter_seed_random()
               ? MB_OK
               : mb_note(MB_ERROR, "the random generator cannot be seeded from /dev/urandom");
}

static const char *version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "Nettle %d.%d", nettle_version_major(), nettle_version_minor());
    return text;
}

_Static_assert(sizeof(adapter_pk_ctx) <= sizeof(adapter_cipher_ctx),
               "ctx_size is that of the largest");

const mb_adapter mb_the_adapter = {
    .implementation = "nettle",
    .scheme_count = adapter_scheme_count,
    .scheme_at = adapter_scheme_at,
    .ctx_size = sizeof(adapter_cipher_ctx),
    .init = init,
    .version = version,
    .open = mb_kind_open,
    .start = mb_kind_start,
    .run = mb_kind_run,
    .update = mb_kind_update,
    .final = mb_kind_final,
    .close = mb_kind_close,
    .public_key = mb_kind_public_key,
    .error = mb_kind_error,
    .idle = mb_drive_idle,
};

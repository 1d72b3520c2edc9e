/*
 * The adapter as the probe sees it: sets the library up; support/kind.h passes each call on to the
 * kind of the scheme.
 */
#include "mbedtls_adapter.h"

#include <stdio.h>

static mb_status init(void)
{
    adapter_table_fill();
    return adapter_check(adapter_seed_random());
}

static const char *version(void)
{
    static char text[32];
    char number[16];
    mbedtls_version_get_string(number);
    snprintf(text, sizeof text, "Mbed TLS %s", number);
    return text;
}

const mb_adapter mb_the_adapter = {
    .implementation = "mbedtls",
    .scheme_count = adapter_table_count,
    .scheme_at = adapter_table_at,
    .ctx_size = sizeof(adapter_state),
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

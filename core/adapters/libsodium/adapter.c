/* The adapter as the probe sees it. */
#include "libsodium_adapter.h"

#include <stdio.h>

static mb_status init(void)
{
    if (sodium_init() < 0)
        return mb_note(MB_ERROR, "sodium_init failed");
    adapter_table_fill();
    return MB_OK;
}

static const char *version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "libsodium %s", sodium_version_string());
    return text;
}

const mb_adapter mb_the_adapter = {
    .implementation = "libsodium",
    .scheme_count = adapter_table_count,
    .scheme_at = adapter_table_at,
    .ctx_size = sizeof(adapter_ctx),
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

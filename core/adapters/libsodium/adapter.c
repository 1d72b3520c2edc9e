/* The adapter as the probe sees it. */
#include "libsodium_adapter.h"
#include "support/the_adapter.h"

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

MB_THE_ADAPTER("libsodium", adapter_table, .ctx_size = sizeof(adapter_ctx))

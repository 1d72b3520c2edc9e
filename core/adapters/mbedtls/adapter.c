/*
 * The adapter as the probe sees it: sets the library up; support/kind.h passes each call on to the
 * kind of the scheme.
 */
#include "mbedtls_adapter.h"
#include "support/the_adapter.h"

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

MB_THE_ADAPTER("mbedtls", adapter_table, .ctx_size = sizeof(adapter_state))

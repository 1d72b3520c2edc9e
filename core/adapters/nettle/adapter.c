/* The adapter as the probe sees it. */
#include "nettle_adapter.h"
#include "public_key.h"
#include "support/the_adapter.h"

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

MB_THE_ADAPTER("nettle", adapter_scheme, .ctx_size = sizeof(adapter_cipher_ctx))

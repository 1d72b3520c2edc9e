/*
 * The adapter as the probe sees it: sets the library up; support/kind.h passes each call on to the
 * kind of the scheme.
 */
#include "libtomcrypt_adapter.h"
#include "support/the_adapter.h"

static mb_status init(void)
{
    ltc_mp = ltm_desc;
    adapter_table_fill();
    return adapter_check(adapter_seed_random());
}

static const char *version(void)
{
    return "LibTomCrypt " SCRYPT;
}

MB_THE_ADAPTER("libtomcrypt", adapter_table, .ctx_size = sizeof(adapter_state))

/* AES-CMAC of Mbed TLS 3.6. On hosts it allocates memory at each key, and frees it with the
 * cipher. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS
#include <mbedtls/platform.h>

#if !defined MBEDTLS_PLATFORM_CALLOC_MACRO
#define CMAC_FREE(cipher) mbedtls_free((cipher)->cmac_ctx)
#endif
#include "vendor/mbedtls/cmac_both.h"

MOTE_ADAPTER(mbedtls_3_cmac)
#include "vendor/public_key.h"

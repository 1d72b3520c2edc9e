/* AES-CMAC of Mbed TLS. */
#include MBEDTLS_CONFIG_FILE

#include "cmac_both.h"

MOTE_ADAPTER(mbedtls_cmac)
#include "vendor/public_key.h"

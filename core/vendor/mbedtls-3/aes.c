/*
 * AES-CCM and AES-GCM of Mbed TLS 3.6. Neither decrypts blocks, so that firmware is without that
 * half of AES (MBEDTLS_BLOCK_CIPHER_NO_DECRYPT).
 */
#include <mbedtls/aes.h>

#define ID MBEDTLS_CIPHER_ID_AES
#define CONTEXT mbedtls_aes_context
#include "vendor/mbedtls/aead.h"

static const mote_aead aeads[] = {AEAD_ROWS(aes_128, "aes-128", 16) AEAD_ROWS(
    aes_192, "aes-192", 24) AEAD_ROWS(aes_256, "aes-256", 32)};

MOTE_IMPLEMENTATION(mbedtls_3_aes) = {.name = "aes", MOTE_AEADS(aeads)};

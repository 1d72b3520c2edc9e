/* Shared by all files: error texts, random numbers. */
#include "wolfssl_adapter.h"

#include <stdio.h>
#include <wolfssl/wolfcrypt/wc_port.h>

WC_RNG adapter_rng;

mb_status adapter_check(int err)
{
    if (err == 0)
        return MB_OK;
    char text[128];
    snprintf(text, sizeof text, "wolfCrypt %d: %s", err, wc_GetErrorString(err));
    switch (err) {
    case MEMORY_E:
        return mb_note_words(MB_TOO_BIG, text);
    case AES_GCM_OVERFLOW_E:
    case CHACHA_POLY_OVERFLOW:
    case NOT_COMPILED_IN:
        return mb_note_words(MB_UNSUPPORTED, text);
    default:
        return mb_note_words(MB_ERROR, text);
    }
}

int adapter_seed_random(void)
{
    int err = wolfCrypt_Init();
    return err == 0 ? wc_InitRng_ex(&adapter_rng, NULL, INVALID_DEVID) : err;
}

/* The adapter as the probe sees it: sets the library up; support/kind.h passes each call on to the kind of the scheme. */
#include "mt.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <stdio.h>

static mbedtls_entropy_context entropy;
static mbedtls_ctr_drbg_context random_generator;

mb_status mt_fail(int code)
{
    char text[128];
    mbedtls_strerror(code, text, sizeof text);
    return mb_note_words(MB_ERROR, text);
}

int mt_random(void *unused, unsigned char *out, size_t len)
{
    (void)unused;
    return mbedtls_ctr_drbg_random(&random_generator, out, len);
}

static mb_status init(void)
{
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&random_generator);
    mt_table_fill();
    return mt_check(mbedtls_ctr_drbg_seed(&random_generator, mbedtls_entropy_func, &entropy, NULL, 0));
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
    .scheme_count = mt_table_count,
    .scheme_at = mt_table_at,
    .ctx_size = sizeof(mt_state),
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
};

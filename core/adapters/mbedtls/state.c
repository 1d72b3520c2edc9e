/* Shared by all files: error texts, random numbers, the IV. */
#include "mbedtls_adapter.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <string.h>

static mbedtls_entropy_context entropy;
static mbedtls_ctr_drbg_context random_generator;

mb_status adapter_fail(int code)
{
    char text[128];
    mbedtls_strerror(code, text, sizeof text);
    return mb_note_words(MB_ERROR, text);
}

int adapter_random(void *unused, unsigned char *out, size_t len)
{
    (void)unused;
    return mbedtls_ctr_drbg_random(&random_generator, out, len);
}

int adapter_seed_random(void)
{
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&random_generator);
    return mbedtls_ctr_drbg_seed(&random_generator, mbedtls_entropy_func, &entropy, NULL, 0);
}

mb_status adapter_begin_iv(mb_job *job, size_t len)
{
    adapter_state *s = job->ctx;
    (void)len;
    memcpy(s->iv, job->nonce, job->nonce_len);
    s->used = 0;
    return MB_OK;
}

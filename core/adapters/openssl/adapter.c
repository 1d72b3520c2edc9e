/*
 * The adapter of OpenSSL 3 and 4: start-up, and what OpenSSL wants checked before all else.
 */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include <stdlib.h>

#include "openssl_adapter.h"
#include "support/the_adapter.h"

#ifndef MBO_IMPLEMENTATION
#define MBO_IMPLEMENTATION "openssl"
#endif

static OSSL_PROVIDER *default_provider, *legacy_provider;

/*
 * OpenSSL's own clean-up at exit runs after this one and does not unload what was loaded by name.
 */
static void unload_providers(void)
{
    OSSL_PROVIDER_unload(legacy_provider);
    OSSL_PROVIDER_unload(default_provider);
}

/*
 * Loading any provider by name switches off the automatic loading of the default one, so it is
 * named too.
 */
static mb_status init(void)
{
    default_provider = OSSL_PROVIDER_load(NULL, "default");
    if (default_provider == NULL)
        return mbo_fail();
    /* Without it, its schemes are not offered. */
    legacy_provider = OSSL_PROVIDER_load(NULL, "legacy");
    if (atexit(unload_providers) != 0 || !mbo_table_build())
        return mbo_fail();
    ERR_clear_error();
    return MB_OK;
}

static const char *version(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}

static mb_status adapter_open(mb_job *job)
{
    static const uint8_t empty[1];

    ERR_clear_error();
    if (job->in_len > MBO_MAX_INPUT || job->aad_len > MBO_MAX_INPUT)
        return mb_note(MB_UNSUPPORTED, "the library accepts at most 1 GiB at once");
    mbo_state_of(job)->key_bytes = job->key_len > 0 ? job->key : empty;
    if (job->in == NULL) { /* OpenSSL takes a null input for "finish" */
        job->in = empty;
        job->in_len = 0;
    }
    return mb_kind_open(job);
}

static mb_status adapter_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out,
                                size_t *out_len)
{
    *out_len = 0;
    if (in_len > MBO_MAX_INPUT)
        return mb_note(MB_UNSUPPORTED, "the library accepts at most 1 GiB at once");
    return in_len == 0 ? MB_OK : mb_kind_update(job, in, in_len, out, out_len);
}

static mb_status adapter_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    job->tag_out_len = 0;
    return mb_kind_final(job, out, out_len);
}

static mb_status adapter_public_key(mb_job *job)
{
    ERR_clear_error();
    job->out_len = 0;
    return mb_kind_public_key(job);
}

static const char *adapter_cpu_features(void)
{
    return OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
}

MB_THE_ADAPTER(MBO_IMPLEMENTATION, mbo_table, .ctx_size = sizeof(mbo_state), .open = adapter_open,
               .update = adapter_update, .final = adapter_final, .public_key = adapter_public_key,
               .cpu_features = adapter_cpu_features)

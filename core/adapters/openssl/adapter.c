/*
 * The OpenSSL 3 adapter: start-up, dispatch to the families, error texts.
 */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>

#include "openssl_adapter.h"

static char last_error[256];
static OSSL_PROVIDER *default_provider, *legacy_provider;

static const mbo_family *family_of(const mb_job *job)
{
    return mbo_detail_of(job)->family;
}

mb_status mbo_fail(void)
{
    const char *data = NULL;
    int flags = 0;
    unsigned long code = ERR_peek_last_error_all(NULL, NULL, NULL, &data, &flags);
    const char *library = ERR_lib_error_string(code), *reason = ERR_reason_error_string(code);

    if (code == 0) {
        snprintf(last_error, sizeof last_error, "OpenSSL reported a failure without a reason");
    } else if (reason == NULL) {
        ERR_error_string_n(code, last_error, sizeof last_error);
    } else {
        int has_data = (flags & ERR_TXT_STRING) != 0 && data != NULL && data[0] != '\0';
        snprintf(last_error, sizeof last_error, "%s: %s%s%s%s", library ? library : "OpenSSL", reason,
                 has_data ? " (" : "", has_data ? data : "", has_data ? ")" : "");
    }
    ERR_clear_error();
    return MB_ERROR;
}

mb_status mbo_reject(mb_job *job)
{
    size_t dirty = job->in_len < job->out_cap ? job->in_len : job->out_cap;

    if (dirty > 0)
        OPENSSL_cleanse(job->out, dirty);
    job->out_len = 0;
    ERR_clear_error();
    return MB_REJECTED;
}

/* OpenSSL's own clean-up at exit runs after this one and does not unload what was loaded by name. */
static void unload_providers(void)
{
    OSSL_PROVIDER_unload(legacy_provider);
    OSSL_PROVIDER_unload(default_provider);
}

/* Loading any provider by name switches off the automatic loading of the default one, so it is named too. */
static mb_status adapter_init(void)
{
    default_provider = OSSL_PROVIDER_load(NULL, "default");
    if (default_provider == NULL)
        return mbo_fail();
    legacy_provider = OSSL_PROVIDER_load(NULL, "legacy"); /* without it, its schemes are not offered */
    if (atexit(unload_providers) != 0 || !mbo_table_build())
        return mbo_fail();
    ERR_clear_error();
    return MB_OK;
}

static const char *adapter_version(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}

static int inside(size_t value, uint16_t low, uint16_t high)
{
    return value >= low && value <= high;
}

static mb_status adapter_open(mb_job *job)
{
    const mb_scheme *scheme = job->scheme;
    static const uint8_t empty[1];

    last_error[0] = '\0';
    ERR_clear_error();
    if ((unsigned)job->op >= MB_OPERATION_COUNT || (scheme->operations & MB_CAN(job->op)) == 0)
        return MB_UNSUPPORTED;
    if (job->op != MB_KEYGEN && job->op != MB_DIGEST && !inside(job->key_len, scheme->key_min, scheme->key_max))
        return MB_UNSUPPORTED;
    if (job->in_len > MBO_MAX_INPUT || job->aad_len > MBO_MAX_INPUT)
        return MB_UNSUPPORTED;
    mbo_state_of(job)->key_bytes = job->key_len > 0 ? job->key : empty;
    if (job->in == NULL) { /* OpenSSL takes a null input for "finish" */
        job->in = empty;
        job->in_len = 0;
    }
    return family_of(job)->open(job);
}

static mb_status adapter_start(mb_job *job)
{
    return family_of(job)->start(job);
}

/* Only AEAD encryption leaves a tag; `open` has read the length that is wanted. */
static mb_status adapter_run(mb_job *job, uint32_t n)
{
    job->tag_out_len = 0;
    return family_of(job)->run(job, n);
}

/* Whole files are whole messages: the operations that have an end. */
static int can_stream(const mb_job *job)
{
    const uint16_t operations = MB_CAN(MB_ENCRYPT_MESSAGE) | MB_CAN(MB_DECRYPT_MESSAGE) | MB_CAN(MB_DIGEST)
                                | MB_CAN(MB_MAC) | MB_CAN(MB_SIGN) | MB_CAN(MB_VERIFY);

    return job->scheme->can_stream && (operations & MB_CAN(job->op)) != 0;
}

static mb_status adapter_update(mb_job *job, const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    if (out_len != NULL)
        *out_len = 0;
    if (!can_stream(job) || in_len > MBO_MAX_INPUT)
        return MB_UNSUPPORTED;
    return in_len == 0 ? MB_OK : family_of(job)->update(job, in, in_len, out, out_len);
}

static mb_status adapter_final(mb_job *job, uint8_t *out, size_t *out_len)
{
    if (out_len != NULL)
        *out_len = 0;
    job->tag_out_len = 0;
    if (!can_stream(job))
        return MB_UNSUPPORTED;
    return family_of(job)->final(job, out, out_len);
}

static void adapter_close(mb_job *job)
{
    mbo_state *state = mbo_state_of(job);

    EVP_CIPHER_CTX_free(state->cipher_ctx);
    EVP_CIPHER_free(state->cipher);
    EVP_MD_CTX_free(state->md_ctx);
    EVP_MD_free(state->md);
    EVP_MAC_CTX_free(state->mac_ctx);
    EVP_MAC_free(state->mac);
    EVP_PKEY_CTX_free(state->key_ctx);
    EVP_PKEY_free(state->key);
    OPENSSL_cleanse(state, sizeof *state);
    ERR_clear_error();
}

static mb_status adapter_public_key(mb_job *job)
{
    last_error[0] = '\0';
    ERR_clear_error();
    job->out_len = 0;
    if (family_of(job)->public_key == NULL || !inside(job->key_len, job->scheme->key_min, job->scheme->key_max))
        return MB_UNSUPPORTED;
    return family_of(job)->public_key(job);
}

static const char *adapter_error(void)
{
    return last_error[0] != '\0' ? last_error : NULL;
}

static const char *adapter_cpu_features(void)
{
    return OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
}

const mb_adapter mb_the_adapter = {
    .implementation = "openssl",
    .scheme_count = mbo_table_count,
    .scheme_at = mbo_table_at,
    .ctx_size = sizeof(mbo_state),
    .init = adapter_init,
    .version = adapter_version,
    .open = adapter_open,
    .start = adapter_start,
    .run = adapter_run,
    .update = adapter_update,
    .final = adapter_final,
    .close = adapter_close,
    .public_key = adapter_public_key,
    .error = adapter_error,
    .cpu_features = adapter_cpu_features,
};

/*
 * The adapter as the probe sees it: sets the library up and passes each call on to the kind of the
 * scheme.
 */
#include "libgcrypt_adapter.h"
#include "support/the_adapter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * "intel-aesni,intel-pclmul": features to leave unused; "all": every one. Must come before anything
 * else.
 */
static void leave_unused(const char *names)
{
    char name[64];
    while (names != NULL && *names != '\0') {
        size_t len = strcspn(names, ",");
        if (len < sizeof name) {
            memcpy(name, names, len);
            name[len] = '\0';
            /* A name that this version does not know is not there to be used. */
            (void)gcry_control(GCRYCTL_DISABLE_HWF, name, NULL);
        }
        names += len + (names[len] == ',');
    }
}

/* The line "hwflist:a:b:" of the library's configuration. */
static const char *cpu_features(void)
{
    static char text[512];
    char *line = gcry_get_config(0, "hwflist");
    if (line == NULL)
        return NULL;
    (void)snprintf(text, sizeof text, "%s", line);
    gcry_free(line);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

static mb_status init(void)
{
    leave_unused(getenv("MOTEBENCH_LIBGCRYPT_WITHOUT"));
    if (!gcry_check_version(GCRYPT_VERSION))
        return mb_note(MB_ERROR,
                       "the installed library is older than the one that this probe was built for");
    /*
     * Secret memory is a few locked pages and not what is compared here; without it keys lie in
     * ordinary memory.
     */
    gcry_error_t err = gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    if (!err)
        err = gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    if (err)
        return adapter_check(err);
    adapter_table_fill();
    return MB_OK;
}

static const char *version(void)
{
    static char text[64];
    snprintf(text, sizeof text, "libgcrypt %s", gcry_check_version(NULL));
    return text;
}

MB_THE_ADAPTER("libgcrypt", adapter_table, .ctx_size = sizeof(adapter_cipher_ctx),
               .cpu_features = cpu_features)

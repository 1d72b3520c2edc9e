/*
 * ML-KEM (FIPS 203) of mlkem-native, its portable C.
 *
 * mlkem_native.c is the library's own single unit, included once for each parameter set.
 */
#include "motebench/adapter.h"
#include "support/kind.h"
#include "vendor/pick.h"

/* The first set that is included brings what all sets share. */
#if defined(MOTE_PICKED)
#define MLK_CONFIG_MULTILEVEL_WITH_SHARED
#if MOTE_PICK_ml_kem_512
#define MLK_CONFIG_PARAMETER_SET 512
#elif MOTE_PICK_ml_kem_768
#define MLK_CONFIG_PARAMETER_SET 768
#else
#define MLK_CONFIG_PARAMETER_SET 1024
#endif
#include <mlkem_native.c>
#else
#define MLK_CONFIG_MONOBUILD_KEEP_SHARED_HEADERS
#define MLK_CONFIG_MULTILEVEL_WITH_SHARED
#define MLK_CONFIG_PARAMETER_SET 512
#include <mlkem_native.c>
#undef MLK_CONFIG_PARAMETER_SET
#undef MLK_CONFIG_MULTILEVEL_WITH_SHARED
#define MLK_CONFIG_MULTILEVEL_NO_SHARED
#define MLK_CONFIG_PARAMETER_SET 768
#include <mlkem_native.c>
#undef MLK_CONFIG_PARAMETER_SET
#undef MLK_CONFIG_MONOBUILD_KEEP_SHARED_HEADERS
#define MLK_CONFIG_PARAMETER_SET 1024
#include <mlkem_native.c>
#endif
/* The unit takes its macros with it. */
#define MLK_CONFIG_CONSTANTS_ONLY
#include <mlkem_native.h>

static mb_status status_of(int error)
{
    if (error == MLK_ERR_INVALID_PK || error == MLK_ERR_INVALID_SK)
        return MB_REJECTED;
    return error == 0 ? MB_OK : mb_note(MB_ERROR, "mlkem-native failed");
}

#define KEYGEN(level) mlkem##level##_keypair_derand
#define ENCAPSULATE(level) mlkem##level##_enc_derand
#define DECAPSULATE(level) mlkem##level##_dec

MOTE_ADAPTER(mlkem_native_ml_kem)
#include "vendor/ml_kem.h"

/*
 * LMS of Mbed TLS: verification of the one set that it has, MBEDTLS_LMS_C. Hashes go through the
 * library's PSA functions, as it has no other way; those need no psa_crypto_init().
 */
#include <mbedtls/lms.h>

#include "mote/public/verifying.h"
#include "psa_random.h"

enum {
    PUBLIC = MBEDTLS_LMS_PUBLIC_KEY_LEN(MBEDTLS_LMS_SHA256_M32_H10),
    SIGNATURE = MBEDTLS_LMS_SIG_LEN(MBEDTLS_LMS_SHA256_M32_H10, MBEDTLS_LMOTS_SHA256_N32_W8)
};

static mb_status verify(mb_job *job)
{
    mbedtls_lms_public_t key;
    mbedtls_lms_public_init(&key);
    const bool verifies =
        mbedtls_lms_import_public_key(&key, job->key, PUBLIC) == 0 &&
        mbedtls_lms_verify(&key, job->message, job->message_len, job->signature, SIGNATURE) == 0;
    mbedtls_lms_public_free(&key);
    return verifies ? MB_OK : MB_REJECTED;
}

static const mb_row row = {&verifying};
static const mb_scheme schemes[] = {MOTE_PICK(
    lms_sha256_m32_h10_w8, VERIFIES("lms-sha256-m32-h10-w8", PUBLIC, SIGNATURE, 0, &row))};

MOTE_ADAPTER(mbedtls_3_lms)
#include "vendor/public_key.h"

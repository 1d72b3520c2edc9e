/* ML-KEM (FIPS 203) in the least memory: core/ciphers/ml-kem. */
#include "mote/ml_kem.h"

#include "motebench/adapter.h"
#include "vendor/pick.h"

static mb_status status_of(int rejected)
{
    return rejected ? MB_REJECTED : MB_OK;
}

#define KEYGEN(level) mote_ml_kem_small_##level##_keygen
#define ENCAPSULATE(level) mote_ml_kem_small_##level##_encapsulate
#define DECAPSULATE(level) mote_ml_kem_small_##level##_decapsulate

MOTE_ADAPTER(ml_kem_small)
#include "vendor/ml_kem.h"

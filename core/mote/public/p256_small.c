/* P-256 in the least flash: core/ciphers/small_curves. A firmware has its scheme alone. */
#include "mote/small_curves.h"
#include "vendor/pick.h"

#ifdef MOTE_PICKED
#define WITH_ECDH MOTE_IS(MOTE_PICK_ecdh_p256)
#define WITH_ECDSA MOTE_IS(MOTE_PICK_ecdsa_p256_sha256)
#endif
#define OURS(name) mote_p256_small_##name
#define HASHES mote_sha_256_small
#include "own_p256.h"

MOTE_ADAPTER(p256_small)
#include "vendor/public_key.h"

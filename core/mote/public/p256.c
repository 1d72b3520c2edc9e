/* Our own P-256: core/ciphers/p256. */
#include "mote/p256.h"

#define OURS(name) mote_p256_##name
#define HASHES mote_sha_256
#include "own_p256.h"

MOTE_ADAPTER(p256)
#include "vendor/public_key.h"

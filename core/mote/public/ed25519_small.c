/* Ed25519 (RFC 8032) in the least flash: core/ciphers/small_curves. */
#include "mote/small_curves.h"

#define OURS(name) mote_ed25519_small_##name
#include "own_ed25519.h"

MOTE_ADAPTER(ed25519_small)
#include "vendor/public_key.h"

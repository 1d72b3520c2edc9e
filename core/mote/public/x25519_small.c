/* X25519 (RFC 7748) in the least flash: core/ciphers/small_curves. */
#include "mote/small_curves.h"

#define AGREE mote_x25519_small
#define PUBLIC mote_x25519_small_public
#include "vendor/x25519.h"

MOTE_ADAPTER(x25519_small)
#include "vendor/public_key.h"

/* X25519 (RFC 7748): core/ciphers/curve25519. */
#include "mote/curve25519.h"

#define AGREE mote_x25519
#define PUBLIC mote_x25519_public
#include "vendor/x25519.h"

MOTE_ADAPTER(x25519)
#include "vendor/public_key.h"

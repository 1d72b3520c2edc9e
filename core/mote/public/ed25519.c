/* Our own Ed25519 (RFC 8032): core/ciphers/ed25519. */
#include "mote/ed25519.h"

#define OURS(name) mote_ed25519_##name
#include "own_ed25519.h"

MOTE_ADAPTER(ed25519)
#include "vendor/public_key.h"

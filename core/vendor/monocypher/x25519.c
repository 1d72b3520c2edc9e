/* Monocypher's X25519. The library leaves the check of the secret to its user. */
#include <monocypher.h>
#include <stdbool.h>

#define AGREE(secret, private, peer) (crypto_x25519(secret, private, peer), false)
#define PUBLIC crypto_x25519_public_key
#include "vendor/x25519.h"

MOTE_ADAPTER(monocypher_x25519)
#include "vendor/public_key.h"

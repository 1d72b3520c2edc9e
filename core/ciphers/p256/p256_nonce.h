/* The steps that nonces are made with (RFC 6979, 3.2), for files that make signatures. */
#ifndef MOTE_P256_NONCE_H
#define MOTE_P256_NONCE_H

#include "mote/hmac.h"
#include "mote/p256.h"

enum { SHA256_STATES = 3 * 112 };

/* The HMAC of RFC 6979, 3.2: V is what it gives. */
static void update_v(mote_hmac *hmac, uint8_t v[32])
{
    mote_hmac_start(hmac);
    mote_hmac_update(hmac, v, MOTE_P256_NUMBER);
    mote_hmac_finish(hmac, v);
}

/* K = HMAC(K, V | separator | seed), then V = HMAC(K, V); `key` has the last K. */
static void update_k(mote_hmac *hmac, uint8_t v[32], uint8_t separator, const uint8_t *seed,
                     size_t len)
{
    uint8_t key[MOTE_P256_NUMBER];
    mote_hmac_start(hmac);
    mote_hmac_update(hmac, v, MOTE_P256_NUMBER);
    mote_hmac_update(hmac, &separator, 1);
    mote_hmac_update(hmac, seed, len);
    mote_hmac_finish(hmac, key);
    mote_hmac_set_key(hmac, hmac->hash, hmac->states, key, sizeof key);
    update_v(hmac, v);
}

#endif

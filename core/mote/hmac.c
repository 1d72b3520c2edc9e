#include "mote/hmac.h"

#include <string.h>

enum { INNER = 0x36, OUTER = 0x5c, PIECE = 16 };

static uint8_t *message_state(const mote_hmac *hmac)
{
    return hmac->states + 2 * mote_hmac_stride(hmac->hash);
}

/* Begins `state` with a block of the key, filled up with zeros, XOR `pad`. */
static void absorb_key(const mote_hash *hash, uint8_t *state, const uint8_t *key, size_t key_len,
                       uint8_t pad)
{
    uint8_t piece[PIECE];
    hash->start(state);
    for (uint8_t at = 0; at < hash->block_len;) {
        uint8_t n = 0;
        for (; n < PIECE && at < hash->block_len; n++, at++)
            piece[n] = (uint8_t)((at < key_len ? key[at] : 0) ^ pad);
        hash->update(state, piece, n);
    }
    mote_wipe(piece, sizeof piece);
}

void mote_hmac_set_key(mote_hmac *hmac, const mote_hash *hash, void *states, const uint8_t *key,
                       size_t key_len)
{
    uint8_t digest[MOTE_DIGEST_MAX];
    hmac->hash = hash;
    hmac->states = states;
    if (key_len > hash->block_len) {
        uint8_t *state = message_state(hmac);
        hash->start(state);
        hash->update(state, key, key_len);
        hash->finish(state, digest);
        key = digest;
        key_len = hash->digest_len;
    }
    absorb_key(hash, hmac->states, key, key_len, INNER);
    absorb_key(hash, hmac->states + mote_hmac_stride(hash), key, key_len, OUTER);
    mote_wipe(digest, sizeof digest);
}

void mote_hmac_start(mote_hmac *hmac)
{
    memcpy(message_state(hmac), hmac->states, hmac->hash->state_len);
}

void mote_hmac_update(mote_hmac *hmac, const uint8_t *in, size_t len)
{
    hmac->hash->update(message_state(hmac), in, len);
}

void mote_hmac_finish(mote_hmac *hmac, uint8_t *mac)
{
    const mote_hash *hash = hmac->hash;
    uint8_t *state = message_state(hmac);
    uint8_t digest[MOTE_DIGEST_MAX];
    hash->finish(state, digest);
    memcpy(state, hmac->states + mote_hmac_stride(hash), hash->state_len);
    hash->update(state, digest, hash->digest_len);
    hash->finish(state, mac);
    mote_wipe(digest, sizeof digest);
}

/* HMAC (RFC 2104, FIPS 198-1) over any hash with a block_len. */
#ifndef MOTE_HMAC_H
#define MOTE_HMAC_H

#include "mote/cipher.h"

#define MOTE_DIGEST_MAX 64u

/*
 * A key, and a message under way. `states` is the caller's, for uint64_t aligned,
 * mote_hmac_states_len bytes long; it has to stay where it is, and to be wiped. Digests have at
 * most MOTE_DIGEST_MAX bytes.
 */
typedef struct mote_hmac {
    const mote_hash *hash;
    /* Three: keyed for the inner hash, keyed for the outer one, and the message's. */
    uint8_t *states;
} mote_hmac;

/* Bytes between one of the three states and the next. */
static inline size_t mote_hmac_stride(const mote_hash *hash)
{
    return ((size_t)hash->state_len + 7u) & ~(size_t)7;
}

static inline size_t mote_hmac_states_len(const mote_hash *hash)
{
    return 3 * mote_hmac_stride(hash);
}

/* A key of any length; longer than block_len it is hashed first. */
void mote_hmac_set_key(mote_hmac *hmac, const mote_hash *hash, void *states, const uint8_t *key,
                       size_t key_len);
/* Begins a message; again and again after one set_key. */
void mote_hmac_start(mote_hmac *hmac);
void mote_hmac_update(mote_hmac *hmac, const uint8_t *in, size_t len);
/* The MAC, digest_len bytes; what is shorter are its first bytes. */
void mote_hmac_finish(mote_hmac *hmac, uint8_t *mac);

#endif

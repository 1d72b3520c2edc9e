/*
 * SHA-224 and SHA-256 for a file that has defined SHA256_COMPRESS, the function that takes a block,
 * before.
 */
#ifndef MOTE_SHA256_HASHES_H
#define MOTE_SHA256_HASHES_H

#include "mote/cipher.h"
#include "sha256_state.h"

static const mote_md_kind kind = {
    .block_len = 64, .length_len = 8, .big_endian = 1, .compress = SHA256_COMPRESS};

static void update(void *state, const uint8_t *in, size_t len)
{
    mote_sha256_update(&kind, state, in, len);
}

static void finish_224(void *state, uint8_t *digest)
{
    mote_sha256_finish(&kind, state, digest, 28);
}

static void finish_256(void *state, uint8_t *digest)
{
    mote_sha256_finish(&kind, state, digest, 32);
}

static const mote_hash hashes[] = {
    {.name = "sha224",
     .digest_len = 28,
     .block_len = 64,
     .state_len = sizeof(mote_sha256_state),
     .start = mote_sha224_start,
     .update = update,
     .finish = finish_224},
    {.name = "sha256",
     .digest_len = 32,
     .block_len = 64,
     .state_len = sizeof(mote_sha256_state),
     .start = mote_sha256_start,
     .update = update,
     .finish = finish_256},
};

#endif

/*
 * The state of SHA-256 and SHA-224, and everything but the compression of a block; shared by the
 * implementations.
 */
#ifndef MOTE_SHA256_STATE_H
#define MOTE_SHA256_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "../merkle_damgard/merkle_damgard.h"
#include "mote/flash.h"

typedef struct mote_sha256_state {
    uint32_t h[8];
    uint64_t bytes;
    uint8_t block[64];
} mote_sha256_state;

/* FIPS 180-4, section 4.1.2. */
#define BIG0(x) (mote_rotr32(x, 2) ^ mote_rotr32(x, 13) ^ mote_rotr32(x, 22))
#define BIG1(x) (mote_rotr32(x, 6) ^ mote_rotr32(x, 11) ^ mote_rotr32(x, 25))
#define SMALL0(x) (mote_rotr32(x, 7) ^ mote_rotr32(x, 18) ^ (x) >> 3)
#define SMALL1(x) (mote_rotr32(x, 17) ^ mote_rotr32(x, 19) ^ (x) >> 10)

/* Section 4.2.2. */
extern const uint32_t MOTE_FLASH mote_sha256_k[64];

/*
 * The compression of mote/sha-256: `chain` has eight words. For algorithms that hash short strings
 * many times.
 */
void mote_sha256_compress(void *chain, const uint8_t *block);

void mote_sha256_start(void *state);
void mote_sha224_start(void *state);
void mote_sha256_update(const mote_md_kind *kind, void *state, const uint8_t *in, size_t len);
void mote_sha256_finish(const mote_md_kind *kind, void *state, uint8_t *digest, uint8_t digest_len);

#endif

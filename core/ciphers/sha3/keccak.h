/*
 * Keccak-f[1600] (FIPS 202, section 3). What lanes of a state hold between calls is known to these
 * functions only.
 */
#ifndef MOTE_KECCAK_H
#define MOTE_KECCAK_H

#include <stdint.h>

#include "mote/sha3.h"

/* All bits 0. */
void mote_keccak_clear(uint64_t a[MOTE_SHA3_LANES]);

void mote_keccak_permute(uint64_t a[MOTE_SHA3_LANES]);

/* XORs `len` bytes to those of the state from byte `at` on; at + len <= 200. */
void mote_keccak_add(uint64_t a[MOTE_SHA3_LANES], uint8_t at, const uint8_t *in, uint8_t len);

/* The `len` bytes of the state from byte `at` on. */
void mote_keccak_get(const uint64_t a[MOTE_SHA3_LANES], uint8_t at, uint8_t *out, uint8_t len);

#endif

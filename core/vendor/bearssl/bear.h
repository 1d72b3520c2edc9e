/*
 * Shared by all wrappers of BearSSL. The library works in place; its inputs are read through no
 * other pointer.
 */
#ifndef MOTE_VENDOR_BEAR_H
#define MOTE_VENDOR_BEAR_H

#include <bearssl_block.h>
#include <bearssl_hash.h>
#include <string.h>

#include "mote/bytes.h"
#include "mote/library.h"
#include "vendor/lengths.h"
#include "vendor/pick.h"

/* BEAR(aes_small, cbcenc_run): br_aes_small_cbcenc_run. */
#define BEAR_OF(variant, what) br_##variant##_##what
#define BEAR(variant, what) BEAR_OF(variant, what)

/* GHASH and Poly1305 with products of 32 bits, as the library takes where it finds none of 64. */
#define BEAR_GHASH br_ghash_ctmul32
#ifdef __AVR__
#define BEAR_POLY1305 br_poly1305_i15_run /* the other one is wrong where int has 16 bits */
#else
#define BEAR_POLY1305 br_poly1305_ctmul32_run
#endif

static inline void bear_place(uint8_t *out, const uint8_t *in, size_t len)
{
    if (out != in && len > 0)
        memcpy(out, in, len);
}

/* The counter in the last four bytes of a block. */
static inline uint32_t bear_counter(const uint8_t iv[16])
{
    return mote_load32be(iv + 12);
}

static inline void bear_set_counter(uint8_t iv[16], uint32_t counter)
{
    mote_store32be(iv + 12, counter);
}

/* The library counts in 32 bits, SP 800-38A in all: whether this is the same for `len` bytes. */
static inline uint8_t bear_counts(mote_chain *chain, size_t len)
{
    return len == 0 || (uint32_t)((len - 1) / 16) <= UINT32_MAX - bear_counter(chain->iv);
}

#endif

/* Poly1305 (RFC 8439, section 2.5): authenticates one message with a key that is used once. */
#ifndef MOTE_POLY1305_H
#define MOTE_POLY1305_H

#include "mote/assembly.h"

#ifndef __ASSEMBLER__
#include <stdint.h>
#endif

/*
 * Words of 32 bits: poly1305_armv7m.S, and C for machines that multiply two at once (RISC-V with
 * the extension M, machines of 64 bits).
 */
#if (MOTE_ASSEMBLY_ARMV7M && defined(__ARM_FEATURE_DSP)) || defined(__riscv_mul) || \
    (defined(UINTPTR_MAX) && UINTPTR_MAX > 0xffffffff)
#define MOTE_POLY1305_WORDS 1
#else
#define MOTE_POLY1305_WORDS 0
#endif

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>

enum { POLY1305_BLOCK = 16, POLY1305_LIMBS = 10 };

/*
 * Numbers modulo 2^130 - 5 have ten limbs of 13 bits, so that sums of products fit into 32 bits; or
 * words.
 */
typedef struct mote_poly1305 {
#if MOTE_POLY1305_WORDS
    uint32_t h[5]; /* the sum */
    uint32_t r[4]; /* the multiplier */
#else
    uint16_t h[POLY1305_LIMBS];     /* the sum */
    uint16_t r[2 * POLY1305_LIMBS]; /* 5 times the multiplier, then the multiplier */
#endif
    uint8_t s[16];
    uint8_t pending[POLY1305_BLOCK];
    uint8_t pending_len;
} mote_poly1305;

void mote_poly1305_start(mote_poly1305 *p, const uint8_t key[32]);
void mote_poly1305_update(mote_poly1305 *p, const uint8_t *in, size_t len);
/* Zeros up to a whole block, as AEAD_CHACHA20_POLY1305 wants them. */
void mote_poly1305_pad(mote_poly1305 *p);
void mote_poly1305_finish(mote_poly1305 *p, uint8_t tag[16]);
#endif

#endif

/*
 * The permutation of SP 800-232 on words of 64 bits: what ascon_modes.h wants to be defined before
 * it. See ascon.c.
 */
#ifndef MOTE_ASCON_WORDS_H
#define MOTE_ASCON_WORDS_H

#include "mote/assembly.h"
#include "mote/bytes.h"

#if MOTE_ASSEMBLY_ARMV7M
#define ASCON_BLOCKS 1
typedef struct ascon_state { uint32_t even[5], odd[5]; /* ascon_blocks.h */ } ascon_state;

void mote_ascon_permute(ascon_state *x, uint8_t rounds);

static void permute(ascon_state *x, uint8_t rounds)
{
    mote_ascon_permute(x, rounds);
}
#else
typedef union ascon_state {
    uint64_t w[5];
    uint32_t half[10];
    uint8_t bytes[40];
} ascon_state;

#if MOTE_ASSEMBLY
void mote_ascon_permute(uint64_t words[5], uint8_t rounds);

static void permute(ascon_state *x, uint8_t rounds)
{
    mote_ascon_permute(x->w, rounds);
}
#else
static void permute(ascon_state *x, uint8_t rounds)
{
    uint64_t x0 = x->w[0], x1 = x->w[1], x2 = x->w[2], x3 = x->w[3], x4 = x->w[4], t0, t1;
    uint8_t c;
    for (c = (uint8_t)(0xf0 - (12 - rounds) * 0x0f); c != 0x3c; c = (uint8_t)(c - 0x0f)) {
        x2 ^= c;
        x0 ^= x4;
        x4 ^= x3;
        x2 ^= x1;
        t0 = x0;
        t1 = x1;
        x0 ^= ~x1 & x2;
        x1 ^= ~x2 & x3;
        x2 ^= ~x3 & x4;
        x3 ^= ~x4 & t0;
        x4 ^= ~t0 & t1;
        x1 ^= x0;
        x0 ^= x4;
        x3 ^= x2;
        x2 = ~x2;
        x0 ^= mote_rotr64(x0, 19) ^ mote_rotr64(x0, 28);
        x1 ^= mote_rotr64(x1, 61) ^ mote_rotr64(x1, 39);
        x2 ^= mote_rotr64(x2, 1) ^ mote_rotr64(x2, 6);
        x3 ^= mote_rotr64(x3, 10) ^ mote_rotr64(x3, 17);
        x4 ^= mote_rotr64(x4, 7) ^ mote_rotr64(x4, 41);
    }
    x->w[0] = x0;
    x->w[1] = x1;
    x->w[2] = x2;
    x->w[3] = x3;
    x->w[4] = x4;
}
#endif

#if MOTE_ASSEMBLY_ARMV6M
#define ASCON_IN_PLACE 1
#else
static void absorb(ascon_state *x, uint8_t word, const uint8_t b[8])
{
    x->w[word] ^= mote_load64le(b);
}

static void squeeze(const ascon_state *x, uint8_t word, uint8_t b[8])
{
    mote_store64le(b, x->w[word]);
}

static void crypt_word(ascon_state *x, uint8_t word, const uint8_t in[8], uint8_t out[8],
                       uint8_t decrypting)
{
    const uint64_t from = mote_load64le(in), to = from ^ x->w[word];
    mote_store64le(out, to);
    x->w[word] = decrypting ? from : to;
}
#endif
#endif

#endif

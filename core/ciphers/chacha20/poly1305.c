#include "poly1305.h"

#include <string.h>

#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"

#if !MOTE_POLY1305_WORDS
#define LIMB_MASK 0x1fffu

static inline uint16_t limb(const uint8_t *p, uint8_t shift)
{
    const uint32_t v = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    return (uint16_t)(v >> shift & LIMB_MASK);
}

/* The 130 bits of 17 bytes; one byte behind them is read, and does not count. */
static void split(uint16_t t[POLY1305_LIMBS], const uint8_t b[18])
{
    t[0] = limb(b, 0);
    t[1] = limb(b + 1, 5);
    t[2] = limb(b + 3, 2);
    t[3] = limb(b + 4, 7);
    t[4] = limb(b + 6, 4);
    t[5] = limb(b + 8, 1);
    t[6] = limb(b + 9, 6);
    t[7] = limb(b + 11, 3);
    t[8] = limb(b + 13, 0);
    t[9] = limb(b + 14, 5);
}

/* Every limb below 2^13; 2^130 is 5. */
static void carry(uint16_t h[POLY1305_LIMBS])
{
    uint16_t c = 0;
    uint8_t i;
    for (i = 0; i < POLY1305_LIMBS; i++) {
        c = (uint16_t)(c + h[i]);
        h[i] = c & LIMB_MASK;
        c >>= 13;
    }
    h[0] = (uint16_t)(h[0] + 5 * c);
}
#endif

#if MOTE_POLY1305_WORDS && !MOTE_ASSEMBLY_ARMV7M
/*
 * Adds a block, of which `last` is the byte behind its 16, and multiplies; so many times. The head
 * of poly1305_armv7m.S has the columns. A product is below 2^61, for r has no bits above 2^28.
 */
static void mote_poly1305_blocks(mote_poly1305 *p, const uint8_t *in, size_t blocks, uint32_t last)
{
    const uint64_t r0 = p->r[0], r1 = p->r[1], r2 = p->r[2], r3 = p->r[3];
    const uint64_t s1 = r1 + (r1 >> 2), s2 = r2 + (r2 >> 2), s3 = r3 + (r3 >> 2);
    uint32_t h0 = p->h[0], h1 = p->h[1], h2 = p->h[2], h3 = p->h[3], h4 = p->h[4];
    for (; blocks > 0; blocks--, in += POLY1305_BLOCK) {
        uint64_t c = (uint64_t)h0 + mote_load32le(in);
        h0 = (uint32_t)c;
        c = (c >> 32) + h1 + mote_load32le(in + 4);
        h1 = (uint32_t)c;
        c = (c >> 32) + h2 + mote_load32le(in + 8);
        h2 = (uint32_t)c;
        c = (c >> 32) + h3 + mote_load32le(in + 12);
        h3 = (uint32_t)c;
        h4 += (uint32_t)(c >> 32) + last;
        const uint64_t d0 = h0 * r0 + h1 * s3 + h2 * s2 + h3 * s1;
        const uint64_t d1 = h0 * r1 + h1 * r0 + h2 * s3 + h3 * s2 + h4 * s1 + (d0 >> 32);
        const uint64_t d2 = h0 * r2 + h1 * r1 + h2 * r0 + h3 * s3 + h4 * s2 + (d1 >> 32);
        const uint64_t d3 = h0 * r3 + h1 * r2 + h2 * r1 + h3 * r0 + h4 * s3 + (d2 >> 32);
        const uint32_t d4 = h4 * (uint32_t)r0 + (uint32_t)(d3 >> 32);
        /* 2^130 is 5: of what is above, four times are its bits where they lie. */
        c = (d0 & UINT32_MAX) + (d4 & ~UINT32_C(3)) + (d4 >> 2);
        h0 = (uint32_t)c;
        c = (c >> 32) + (uint32_t)d1;
        h1 = (uint32_t)c;
        c = (c >> 32) + (uint32_t)d2;
        h2 = (uint32_t)c;
        c = (c >> 32) + (uint32_t)d3;
        h3 = (uint32_t)c;
        h4 = (d4 & 3) + (uint32_t)(c >> 32);
    }
    p->h[0] = h0;
    p->h[1] = h1;
    p->h[2] = h2;
    p->h[3] = h3;
    p->h[4] = h4;
}
#elif MOTE_ASSEMBLY_ARMV6M || MOTE_ASSEMBLY_ARMV7M
void mote_poly1305_blocks(mote_poly1305 *p, const uint8_t *in, size_t blocks, uint32_t last);
#endif

#if MOTE_POLY1305_WORDS || MOTE_ASSEMBLY_ARMV6M || MOTE_ASSEMBLY_ARMV7M
static void block(mote_poly1305 *p, const uint8_t in[POLY1305_BLOCK], uint8_t last)
{
    mote_poly1305_blocks(p, in, 1, last);
}

/* As many blocks as go at once: returns their length. */
static size_t some_blocks(mote_poly1305 *p, const uint8_t *in, size_t len)
{
    mote_poly1305_blocks(p, in, len / POLY1305_BLOCK, 1);
    return len - len % POLY1305_BLOCK;
}
#else
/*
 * h = m times the multiplier, whose ten limbs are from `r` on; five times those are before them, so
 * that all that is to be multiplied with m[0], m[1] and so on is found backwards from r[i]. What is
 * left over counts 2^130.
 */
#if MOTE_ASSEMBLY_AVR
uint32_t mote_poly1305_multiply(uint16_t h[POLY1305_LIMBS], const uint16_t m[POLY1305_LIMBS],
                                const uint16_t *r);
#define multiply mote_poly1305_multiply
#else
static uint32_t multiply(uint16_t h[POLY1305_LIMBS], const uint16_t m[POLY1305_LIMBS],
                         const uint16_t *r)
{
    uint32_t d = 0;
    uint8_t i, j;
    for (i = 0; i < POLY1305_LIMBS; i++) {
        const uint16_t *next = r + i;
        for (j = 0; j < POLY1305_LIMBS; j++)
            d += (uint32_t)m[j] * *next--;
        h[i] = (uint16_t)(d & LIMB_MASK);
        d >>= 13;
    }
    return d;
}
#endif

/* Adds a block, of which `last` is the byte behind its 16, and multiplies. */
static void block(mote_poly1305 *p, const uint8_t in[POLY1305_BLOCK], uint8_t last)
{
    uint8_t b[18];
    uint16_t m[POLY1305_LIMBS], *h = p->h;
    uint32_t d;
    uint8_t i;
    memcpy(b, in, POLY1305_BLOCK);
    b[16] = last;
    b[17] = 0;
    split(m, b);
    for (i = 0; i < POLY1305_LIMBS; i++)
        m[i] = (uint16_t)(m[i] + h[i]);
    carry(m); /* limbs below 2^13 + 5: ten products with 5 r are below 2^32 */
    d = multiply(h, m, p->r + POLY1305_LIMBS);
    d = d * 5 + h[0];
    h[0] = (uint16_t)(d & LIMB_MASK);
    d = (d >> 13) + h[1];
    h[1] = (uint16_t)(d & LIMB_MASK);
    h[2] = (uint16_t)(h[2] + (d >> 13));
    mote_wipe(b, sizeof b);
    mote_wipe(m, sizeof m);
}

static size_t some_blocks(mote_poly1305 *p, const uint8_t *in, size_t len)
{
    (void)len;
    block(p, in, 1);
    return POLY1305_BLOCK;
}
#endif

#if MOTE_POLY1305_WORDS
void mote_poly1305_start(mote_poly1305 *p, const uint8_t key[32])
{
    for (uint8_t i = 0; i < 4; i++) /* the clamp of RFC 8439, 2.5 */
        p->r[i] =
            mote_load32le(key + 4 * i) & (i == 0 ? UINT32_C(0x0fffffff) : UINT32_C(0x0ffffffc));
    memset(p->h, 0, sizeof p->h);
    memcpy(p->s, key + 16, 16);
    p->pending_len = 0;
}
#else
void mote_poly1305_start(mote_poly1305 *p, const uint8_t key[32])
{
    uint8_t r[18], i;
    memcpy(r, key, 16);
    r[16] = r[17] = 0;
    for (i = 3; i < 16; i = (uint8_t)(i + 4))
        r[i] &= 15; /* the clamp of RFC 8439, 2.5 */
    for (i = 4; i < 16; i = (uint8_t)(i + 4))
        r[i] &= 252;
    split(p->r + POLY1305_LIMBS, r);
    for (i = 0; i < POLY1305_LIMBS; i++)
        p->r[i] = (uint16_t)(5 * p->r[POLY1305_LIMBS + i]);
    memset(p->h, 0, sizeof p->h);
    memcpy(p->s, key + 16, 16);
    p->pending_len = 0;
    mote_wipe(r, sizeof r);
}
#endif

void mote_poly1305_update(mote_poly1305 *p, const uint8_t *in, size_t len)
{
    while (len > 0) {
        if (p->pending_len == 0 && len >= POLY1305_BLOCK) {
            const size_t done = some_blocks(p, in, len);
            in += done;
            len -= done;
            continue;
        }
        p->pending[p->pending_len++] = *in++;
        len--;
        if (p->pending_len == POLY1305_BLOCK) {
            block(p, p->pending, 1);
            p->pending_len = 0;
        }
    }
}

void mote_poly1305_pad(mote_poly1305 *p)
{
    if (p->pending_len == 0)
        return;
    memset(p->pending + p->pending_len, 0, (size_t)(POLY1305_BLOCK - p->pending_len));
    block(p, p->pending, 1);
    p->pending_len = 0;
}

#if MOTE_POLY1305_WORDS
void mote_poly1305_finish(mote_poly1305 *p, uint8_t tag[16])
{
    uint32_t g[4];
    uint64_t c = 5; /* h - p is h + 5 - 2^130; h is below 5 * 2^128 */
    if (p->pending_len > 0) {
        p->pending[p->pending_len] = 1;
        memset(p->pending + p->pending_len + 1, 0, (size_t)(POLY1305_BLOCK - 1 - p->pending_len));
        block(p, p->pending, 0);
    }
    for (uint8_t i = 0; i < 4; i++) {
        c += p->h[i];
        g[i] = (uint32_t)c;
        c >>= 32;
    }
    /* All ones if h is below p. */
    const uint32_t keep = mote_hidden(((p->h[4] + (uint32_t)c) >> 2) - 1);
    c = 0;
    for (uint8_t i = 0; i < 4; i++) {
        c += (uint64_t)((p->h[i] & keep) | (g[i] & ~keep)) + mote_load32le(p->s + 4 * i);
        mote_store32le(tag + 4 * i, (uint32_t)c);
        c >>= 32;
    }
    mote_wipe(g, sizeof g);
    mote_wipe(p, sizeof *p);
}
#else
void mote_poly1305_finish(mote_poly1305 *p, uint8_t tag[16])
{
    uint16_t g[POLY1305_LIMBS], *h = p->h;
    uint32_t bits = 0;
    uint16_t c, keep;
    uint8_t i, have = 0, o = 0;
    if (p->pending_len > 0) {
        p->pending[p->pending_len] = 1;
        memset(p->pending + p->pending_len + 1, 0, (size_t)(POLY1305_BLOCK - 1 - p->pending_len));
        block(p, p->pending, 0);
    }
    carry(h);
    carry(h); /* now below 2^130 */
    c = 5;    /* h - p is h + 5 - 2^130 */
    for (i = 0; i < POLY1305_LIMBS; i++) {
        c = (uint16_t)(c + h[i]);
        g[i] = c & LIMB_MASK;
        c >>= 13;
    }
    keep = (uint16_t)mote_hidden(c - 1u); /* all ones if h is below p */
    c = 0;
    for (i = 0; i < POLY1305_LIMBS; i++) {
        bits |= (uint32_t)(uint16_t)((h[i] & keep) | (g[i] & ~keep)) << have;
        have = (uint8_t)(have + 13);
        for (; have >= 8 && o < 16; have = (uint8_t)(have - 8)) {
            c = (uint16_t)(c + (bits & 0xff) + p->s[o]);
            tag[o++] = (uint8_t)c;
            c >>= 8;
            bits >>= 8;
        }
    }
    mote_wipe(g, sizeof g);
    mote_wipe(p, sizeof *p);
}
#endif

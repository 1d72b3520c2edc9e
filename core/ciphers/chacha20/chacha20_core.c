#include "chacha20_core.h"

#include <string.h>

#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/modes.h"
#include "mote/xor.h"

#define BLOCK_ASSEMBLY (MOTE_ASSEMBLY || MOTE_ASSEMBLY_RISCV32)
#if BLOCK_ASSEMBLY
/* 20 rounds and the addition of what went in; both are aligned to words. */
void mote_chacha20_block(const uint32_t input[16], uint8_t stream[CHACHA20_BLOCK]);
#endif

#if MOTE_ASSEMBLY_ARMV7M
/*
 * XORs so many blocks, at least one, to `in`; NULL: to zeros. Counts them. `input` is aligned to
 * words.
 */
void mote_chacha20_blocks(uint32_t input[16], const uint8_t *in, uint8_t *out, size_t blocks);
#endif

#if MOTE_ASSEMBLY_AVR
/* 20 rounds, in place. */
void mote_chacha20_rounds(uint32_t x[16]);
#define rounds mote_chacha20_rounds
#elif MOTE_ASSEMBLY_ARMV6M || MOTE_ASSEMBLY_RISCV32
static void rounds(uint32_t x[16])
{
    uint32_t sum[16];
    uint8_t i;
    mote_chacha20_block(x, (uint8_t *)sum);
    for (i = 0; i < 16; i++)
        x[i] = sum[i] - x[i];
    mote_wipe(sum, sizeof sum);
}
#elif MOTE_ASSEMBLY_ARMV7M
static void rounds(uint32_t x[16])
{
    uint32_t sum[16];
    mote_chacha20_blocks(x, NULL, (uint8_t *)sum, 1);
    x[12]--;
    for (uint8_t i = 0; i < 16; i++)
        x[i] = sum[i] - x[i];
    mote_wipe(sum, sizeof sum);
}
#elif MOTE_SMALL
static inline void quarter_round(uint32_t *pa, uint32_t *pb, uint32_t *pc, uint32_t *pd)
{
    uint32_t a = *pa, b = *pb, c = *pc, d = *pd;
    a += b;
    d = mote_rotl32(d ^ a, 16);
    c += d;
    b = mote_rotl32(b ^ c, 12);
    a += b;
    d = mote_rotl32(d ^ a, 8);
    c += d;
    b = mote_rotl32(b ^ c, 7);
    *pa = a;
    *pb = b;
    *pc = c;
    *pd = d;
}

static void rounds(uint32_t x[16])
{
    uint8_t i;
    for (i = 0; i < 10; i++) {
        quarter_round(&x[0], &x[4], &x[8], &x[12]);
        quarter_round(&x[1], &x[5], &x[9], &x[13]);
        quarter_round(&x[2], &x[6], &x[10], &x[14]);
        quarter_round(&x[3], &x[7], &x[11], &x[15]);
        quarter_round(&x[0], &x[5], &x[10], &x[15]);
        quarter_round(&x[1], &x[6], &x[11], &x[12]);
        quarter_round(&x[2], &x[7], &x[8], &x[13]);
        quarter_round(&x[3], &x[4], &x[9], &x[14]);
    }
}
#else
#define QUARTER_ROUND(a, b, c, d)   \
    do {                            \
        a += b;                     \
        d = mote_rotl32(d ^ a, 16); \
        c += d;                     \
        b = mote_rotl32(b ^ c, 12); \
        a += b;                     \
        d = mote_rotl32(d ^ a, 8);  \
        c += d;                     \
        b = mote_rotl32(b ^ c, 7);  \
    } while (0)

/* In variables of its own each word can be in a register, where there are enough. */
static void rounds(uint32_t x[16])
{
    uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6];
    uint32_t x7 = x[7], x8 = x[8], x9 = x[9], x10 = x[10], x11 = x[11], x12 = x[12];
    uint32_t x13 = x[13], x14 = x[14], x15 = x[15];
    for (uint8_t i = 10; i > 0; i--) {
        QUARTER_ROUND(x0, x4, x8, x12);
        QUARTER_ROUND(x1, x5, x9, x13);
        QUARTER_ROUND(x2, x6, x10, x14);
        QUARTER_ROUND(x3, x7, x11, x15);
        QUARTER_ROUND(x0, x5, x10, x15);
        QUARTER_ROUND(x1, x6, x11, x12);
        QUARTER_ROUND(x2, x7, x8, x13);
        QUARTER_ROUND(x3, x4, x9, x14);
    }
    x[0] = x0;
    x[1] = x1;
    x[2] = x2;
    x[3] = x3;
    x[4] = x4;
    x[5] = x5;
    x[6] = x6;
    x[7] = x7;
    x[8] = x8;
    x[9] = x9;
    x[10] = x10;
    x[11] = x11;
    x[12] = x12;
    x[13] = x13;
    x[14] = x14;
    x[15] = x15;
}
#endif

static void load_key(uint32_t x[12], const uint8_t key[CHACHA20_KEY])
{
    x[0] = UINT32_C(0x61707865); /* "expand 32-byte k" */
    x[1] = UINT32_C(0x3320646e);
    x[2] = UINT32_C(0x79622d32);
    x[3] = UINT32_C(0x6b206574);
#if MOTE_COPIES_WORDS
    mote_copy_words(x + 4, key, 8);
#else
    for (uint8_t i = 0; i < 8; i++)
        x[4 + i] = mote_load32le(key + 4 * i);
#endif
}

void mote_chacha20_key(mote_chacha20_state *c, const uint8_t key[CHACHA20_KEY])
{
    load_key(c->input, key);
}

void mote_chacha20_start(mote_chacha20_state *c, uint32_t counter, const uint8_t nonce[12])
{
    uint8_t i;
    c->input[12] = counter;
    for (i = 0; i < 3; i++)
        c->input[13 + i] = mote_load32le(nonce + 4 * i);
    c->used = CHACHA20_BLOCK;
}

void mote_chacha20_next(mote_chacha20_state *c)
{
#if MOTE_ASSEMBLY_ARMV7M
    mote_chacha20_blocks(c->input, NULL, c->stream, 1);
#else
#if BLOCK_ASSEMBLY
    mote_chacha20_block(c->input, c->stream);
#else
    uint32_t x[16];
    uint8_t i;
    memcpy(x, c->input, sizeof x);
    rounds(x);
    for (i = 0; i < 16; i++) {
        const uint32_t sum = x[i] + c->input[i];
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        memcpy(__builtin_assume_aligned(c->stream + 4 * i, 4), &sum, sizeof sum);
#else
        mote_store32le(c->stream + 4 * i, sum);
#endif
    }
    mote_wipe(x, sizeof x);
#endif
    c->input[12]++;
#endif
    c->used = 0;
}

void mote_chacha20_process(mote_chacha20_state *c, const uint8_t *in, uint8_t *out, size_t len)
{
    while (len > 0) {
#if MOTE_ASSEMBLY_ARMV7M
        if (c->used == CHACHA20_BLOCK && len >= CHACHA20_BLOCK) {
            const size_t whole = len - len % CHACHA20_BLOCK;
            mote_chacha20_blocks(c->input, in, out, len / CHACHA20_BLOCK);
            in += whole;
            out += whole;
            len -= whole;
            continue;
        }
#endif
        if (c->used == CHACHA20_BLOCK)
            mote_chacha20_next(c);
        const uint8_t left = (uint8_t)(CHACHA20_BLOCK - c->used);
        const uint8_t n = (uint8_t)(len < left ? len : left);
        const uint8_t *s = c->stream + c->used;
#if MOTE_SMALL
        for (uint8_t i = n; i > 0; i--)
            *out++ = *in++ ^ *s++;
#else
        mote_xor(out, in, s, n);
        in += n;
        out += n;
#endif
        c->used = (uint8_t)(c->used + n);
        len -= n;
    }
}

void mote_hchacha20(uint8_t subkey[CHACHA20_KEY], const uint8_t key[CHACHA20_KEY],
                    const uint8_t nonce[16])
{
    uint32_t x[16];
    uint8_t i;
    load_key(x, key);
    for (i = 0; i < 4; i++)
        x[12 + i] = mote_load32le(nonce + 4 * i);
    rounds(x);
    for (i = 0; i < 4; i++) {
        mote_store32le(subkey + 4 * i, x[i]);
        mote_store32le(subkey + 16 + 4 * i, x[12 + i]);
    }
    mote_wipe(x, sizeof x);
}

/*
 * Cycles of the AES of Schwabe and Stoffelen, as their own programs read them: all of a call, with
 * a random key and message each time, and nothing subtracted. Macros of the command line: EXPAND
 * and ENCRYPT, their functions; KEY_BYTES; AT, where EXPAND's keys begin; CTR: 0 one block, 1 the
 * first word of the counter block counts, 2 the last one does, in the order of bytes of a network.
 *
 * The line "wrong" counts bytes that are not those of NIST SP 800-38A, F.1.1, F.5.1, F.5.3 and
 * F.5.5, and bytes of a long message that differ from the same block alone.
 */
#include "bare.h"

enum { RUNS = 64, BLOCK = 16, BLOCKS = CTR ? 256 : 1, BYTES = BLOCKS * BLOCK, NONCE = 12 };

/* The counter block and the keys, of which the bitsliced ones are the longest. */
typedef struct context {
    uint32_t counter;
    uint8_t nonce[NONCE], keys[2 * 11 * BLOCK];
} context;

void EXPAND(const uint8_t *key, uint8_t *keys);
#if CTR
void ENCRYPT(const context *context, const uint8_t *in, uint8_t *out, uint32_t length);
#define CALL(length) ENCRYPT(&state, in, out, length)
#else
void ENCRYPT(const uint8_t *keys, const uint8_t *in, uint8_t *out);
#define CALL(length) ENCRYPT(state.keys, in, out)
#endif

#if KEY_BYTES == 16
static const uint8_t known_key[] = {
    0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
#if CTR
static const uint8_t answer[] = {
    0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26, 0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce};
#else
static const uint8_t answer[] = {
    0x3a, 0xd7, 0x7b, 0xb4, 0x0d, 0x7a, 0x36, 0x60, 0xa8, 0x9e, 0xca, 0xf3, 0x24, 0x66, 0xef, 0x97};
#endif
#elif KEY_BYTES == 24
static const uint8_t known_key[] = {
    0x8e, 0x73, 0xb0, 0xf7, 0xda, 0x0e, 0x64, 0x52, 0xc8, 0x10, 0xf3, 0x2b,
    0x80, 0x90, 0x79, 0xe5, 0x62, 0xf8, 0xea, 0xd2, 0x52, 0x2c, 0x6b, 0x7b};
static const uint8_t answer[] = {
    0x1a, 0xbc, 0x93, 0x24, 0x17, 0x52, 0x1c, 0xa2, 0x4f, 0x2b, 0x04, 0x59, 0xfe, 0x7e, 0x6e, 0x0b};
#else
static const uint8_t known_key[] = {
    0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
    0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4};
static const uint8_t answer[] = {
    0x60, 0x1e, 0xc3, 0x13, 0x77, 0x57, 0x89, 0xa5, 0xb7, 0xa7, 0xf5, 0x04, 0xbb, 0xf3, 0xd2, 0x28};
#endif
static const uint8_t known_text[BLOCK] = {
    0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};

static uint32_t draw = 42;

static void fill_at_random(uint8_t *to, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        draw ^= draw << 13;
        draw ^= draw >> 17;
        draw ^= draw << 5;
        to[i] = (uint8_t)(draw >> 8);
    }
}

static void copy(uint8_t *to, const uint8_t *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] = from[i];
}

static unsigned differences(const uint8_t *is, const uint8_t *other, unsigned count)
{
    unsigned number = 0;
    for (unsigned i = 0; i < count; i++)
        number += is[i] != other[i];
    return number;
}

static unsigned wrong_block(void)
{
    context state = {.counter = UINT32_C(0xf3f2f1f0)};
    uint8_t in[2 * BLOCK] = {0}, out[2 * BLOCK];
    for (unsigned i = 0; i < NONCE; i++)
        state.nonce[i] = (uint8_t)(0xf4 + i);
    copy(state.keys, known_key, KEY_BYTES);
    copy(in, known_text, BLOCK);
    EXPAND(known_key, state.keys + AT);
    CALL(BLOCK);
    return differences(out, answer, BLOCK);
}

#if CTR
/* The context of the block behind so many. */
static context later(context state, unsigned blocks)
{
    if (CTR == 1) {
        state.counter += blocks;
        return state;
    }
    for (unsigned i = NONCE; blocks > 0 && i > NONCE - 4; i--) {
        blocks += state.nonce[i - 1];
        state.nonce[i - 1] = (uint8_t)blocks;
        blocks >>= 8;
    }
    return state;
}

/* Blocks of a long message that are not those of their counters. */
static unsigned wrong_blocks(context first, const uint8_t *message, const uint8_t *whole)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < BLOCKS; i++) {
        context state = later(first, i);
        uint8_t in[2 * BLOCK] = {0}, out[2 * BLOCK];
        copy(in, message + BLOCK * i, BLOCK);
        CALL(BLOCK);
        wrong += differences(out, whole + BLOCK * i, BLOCK);
    }
    return wrong;
}
#endif

void mb_bare_main(void)
{
    uint32_t expanded = 0, encrypted = 0;
    unsigned wrong = wrong_block();
    for (unsigned run = 0; run < RUNS; run++) {
        context state = {.counter = 0};
        uint8_t key[KEY_BYTES], in[BYTES], out[BYTES];
        fill_at_random(state.nonce, NONCE);
        fill_at_random(key, KEY_BYTES);
        fill_at_random(in, BYTES);
        copy(state.keys, key, KEY_BYTES);

        uint32_t before = CYCLES;
        EXPAND(key, state.keys + AT);
        expanded += CYCLES - before;
        const context first = state; /* bitsliced code counts in the state */
        before = CYCLES;
        CALL(BYTES);
        encrypted += CYCLES - before;
#if CTR
        if (run == 0)
            wrong += wrong_blocks(first, in, out);
#else
        (void)first;
#endif
    }
    mb_bare_say("wrong", wrong);
    mb_bare_say("expansion", expanded);
    mb_bare_say("encryption", encrypted);
}

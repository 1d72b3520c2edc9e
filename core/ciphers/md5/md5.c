/*
 * MD5.
 *
 * RFC 1321. Four steps are written out, so that no word moves. Time and memory addresses do not
 * depend on the message.
 */
#include "../merkle_damgard/merkle_damgard.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

enum { DIGEST = 16, BLOCK = 64 };

typedef struct md5_state {
    uint32_t h[4];
    uint64_t bytes;
    uint8_t block[BLOCK];
} md5_state;

/* The table T of section 3.4: 2^32 times |sin(i + 1)|, i in radians. */
static const uint32_t MOTE_FLASH constants[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

/* Section 3.4. */
#define F(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define G(x, y, z) ((y) ^ ((z) & ((x) ^ (y))))
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))

#define STEP(f, a, b, c, d, word, turn) \
    a = b + mote_rotl32(a + f(b, c, d) + w[(word) & 15] + *k++, turn)

/* Sixteen steps; from one to the next the number of the word grows by `stride`. */
#define ROUND(f, first, stride, s0, s1, s2, s3)           \
    do {                                                  \
        uint8_t word = (first);                           \
        for (i = 0; i < 4; i++) {                         \
            STEP(f, a, b, c, d, word, s0);                \
            STEP(f, d, a, b, c, word + (stride), s1);     \
            STEP(f, c, d, a, b, word + 2 * (stride), s2); \
            STEP(f, b, c, d, a, word + 3 * (stride), s3); \
            word = (uint8_t)(word + 4 * (stride));        \
        }                                                 \
    } while (0)

static void compress(void *chain, const uint8_t *block)
{
    const uint32_t MOTE_FLASH *k = constants;
    uint32_t *h = chain, w[16];
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
    uint8_t i;
    for (i = 0; i < 16; i++)
        w[i] = mote_load32le(block + 4 * i);
    ROUND(F, 0, 1, 7, 12, 17, 22);
    ROUND(G, 1, 5, 5, 9, 14, 20);
    ROUND(H, 5, 3, 4, 11, 16, 23);
    ROUND(I, 0, 7, 6, 10, 15, 21);
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    mote_wipe(w, sizeof w);
}

static const mote_md_kind kind = {
    .block_len = BLOCK, .length_len = 8, .big_endian = 0, .compress = compress};

static void start(void *state)
{
    md5_state *s = state;
    s->h[0] = UINT32_C(0x67452301); /* section 3.3 */
    s->h[1] = UINT32_C(0xefcdab89);
    s->h[2] = UINT32_C(0x98badcfe);
    s->h[3] = UINT32_C(0x10325476);
    s->bytes = 0;
}

static void update(void *state, const uint8_t *in, size_t len)
{
    md5_state *s = state;
    mote_md_update(&kind, s->h, &s->bytes, s->block, in, len);
}

static void finish(void *state, uint8_t *digest)
{
    md5_state *s = state;
    uint8_t i;
    mote_md_finish(&kind, s->h, &s->bytes, s->block);
    for (i = 0; i < 4; i++)
        mote_store32le(digest + 4 * i, s->h[i]);
}

static const mote_hash hashes[] = {
    {.name = "md5",
     .digest_len = DIGEST,
     .block_len = BLOCK,
     .state_len = sizeof(md5_state),
     .start = start,
     .update = update,
     .finish = finish},
};

MOTE_IMPLEMENTATION(md5) = {.name = "md5", MOTE_HASHES(hashes), .constant_time = 1};

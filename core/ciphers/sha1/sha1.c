/*
 * SHA-1.
 *
 * FIPS 180-4. The message schedule is kept to its last sixteen words; five rounds are written out,
 * so that no word moves. No tables. Time and memory addresses do not depend on the message.
 */
#include "../merkle_damgard/merkle_damgard.h"
#include "mote/bytes.h"
#include "mote/cipher.h"

enum { DIGEST = 20, BLOCK = 64 };

typedef struct sha1_state {
    uint32_t h[5];
    uint64_t bytes;
    uint8_t block[BLOCK];
} sha1_state;

/* Section 4.1.1. */
#define CHOOSE(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define MAJORITY(b, c, d) (((b) & (c)) | ((d) & ((b) | (c))))

/* The word of round i, which makes room for that of round i + 16. */
static uint32_t word(uint32_t w[16], uint8_t i)
{
    const uint32_t now = w[i & 15];
    w[i & 15] = mote_rotl32(now ^ w[(i + 2) & 15] ^ w[(i + 8) & 15] ^ w[(i + 13) & 15], 1);
    return now;
}

#define ROUND(f, k, a, b, c, d, e, i)                                              \
    do {                                                                           \
        e += mote_rotl32(a, 5) + f(b, c, d) + UINT32_C(k) + word(w, (uint8_t)(i)); \
        b = mote_rotl32(b, 30);                                                    \
    } while (0)

#define TWENTY(f, k)                             \
    do {                                         \
        const uint8_t end = (uint8_t)(i + 20);   \
        for (; i != end; i = (uint8_t)(i + 5)) { \
            ROUND(f, k, a, b, c, d, e, i);       \
            ROUND(f, k, e, a, b, c, d, i + 1);   \
            ROUND(f, k, d, e, a, b, c, i + 2);   \
            ROUND(f, k, c, d, e, a, b, i + 3);   \
            ROUND(f, k, b, c, d, e, a, i + 4);   \
        }                                        \
    } while (0)

static void compress(void *chain, const uint8_t *block)
{
    uint32_t *h = chain, w[16];
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    uint8_t i;
    for (i = 0; i < 16; i++)
        w[i] = mote_load32be(block + 4 * i);
    i = 0;
    TWENTY(CHOOSE, 0x5a827999); /* section 4.2.1 */
    TWENTY(PARITY, 0x6ed9eba1);
    TWENTY(MAJORITY, 0x8f1bbcdc);
    TWENTY(PARITY, 0xca62c1d6);
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    mote_wipe(w, sizeof w);
}

static const mote_md_kind kind = {
    .block_len = BLOCK, .length_len = 8, .big_endian = 1, .compress = compress};

static void start(void *state)
{
    sha1_state *s = state;
    s->h[0] = UINT32_C(0x67452301); /* section 5.3.1 */
    s->h[1] = UINT32_C(0xefcdab89);
    s->h[2] = UINT32_C(0x98badcfe);
    s->h[3] = UINT32_C(0x10325476);
    s->h[4] = UINT32_C(0xc3d2e1f0);
    s->bytes = 0;
}

static void update(void *state, const uint8_t *in, size_t len)
{
    sha1_state *s = state;
    mote_md_update(&kind, s->h, &s->bytes, s->block, in, len);
}

static void finish(void *state, uint8_t *digest)
{
    sha1_state *s = state;
    uint8_t i;
    mote_md_finish(&kind, s->h, &s->bytes, s->block);
    for (i = 0; i < 5; i++)
        mote_store32be(digest + 4 * i, s->h[i]);
}

static const mote_hash hashes[] = {
    {.name = "sha1",
     .digest_len = DIGEST,
     .block_len = BLOCK,
     .state_len = sizeof(sha1_state),
     .start = start,
     .update = update,
     .finish = finish},
};

MOTE_IMPLEMENTATION(sha_1) = {.name = "sha-1", MOTE_HASHES(hashes), .constant_time = 1};

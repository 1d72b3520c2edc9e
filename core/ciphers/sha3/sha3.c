/*
 * SHA-3 and SHAKE.
 *
 * FIPS 202; SHAKE128 gives 256 bits here and SHAKE256 512 bits. ROM: 24 bytes of tables. RAM: 208 bytes of state; 180
 * bytes of stack on an ATmega2560. Time and memory addresses do not depend on the message.
 */
#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"
#include "mote/sha3.h"

enum { LANES = MOTE_SHA3_LANES, ROUNDS = 24 };

/* Round constants (section 3.2.5): bit j here is bit 2^j - 1 of the constant. */
static const uint8_t MOTE_FLASH constants[ROUNDS] = {
    0x01, 0x1a, 0x5e, 0x70, 0x1f, 0x21, 0x79, 0x55, 0x0e, 0x0c, 0x35, 0x26,
    0x3f, 0x4f, 0x5d, 0x53, 0x52, 0x48, 0x16, 0x66, 0x79, 0x58, 0x21, 0x74,
};

static uint64_t constant(uint8_t round)
{
    const uint8_t c = constants[round];
    uint8_t b[8] = {0};
    b[0] = (uint8_t)((c & 3) | (c & 4) << 1 | (c & 8) << 4);
    b[1] = (uint8_t)((c & 0x10) << 3);
    b[3] = (uint8_t)((c & 0x20) << 2);
    b[7] = (uint8_t)((c & 0x40) << 1);
    return mote_load64le(b);
}

/* Section 3.2.1. */
static void theta(uint64_t a[LANES])
{
    uint64_t c[5];
    uint8_t x, y;
    for (x = 0; x < 5; x++)
        c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (x = 0; x < 5; x++) {
        const uint64_t d = c[x == 0 ? 4 : x - 1] ^ mote_rotl64(c[x == 4 ? 0 : x + 1], 1);
        for (y = 0; y < LANES; y = (uint8_t)(y + 5))
            a[x + y] ^= d;
    }
}

/* Sections 3.2.2 and 3.2.3: every lane but the first turns, and moves to the place of the next. */
static void rho_pi(uint64_t a[LANES])
{
    uint64_t moved = a[1], t;
    t = a[10];
    a[10] = mote_rotl64(moved, 1);
    moved = t;
    t = a[7];
    a[7] = mote_rotl64(moved, 3);
    moved = t;
    t = a[11];
    a[11] = mote_rotl64(moved, 6);
    moved = t;
    t = a[17];
    a[17] = mote_rotl64(moved, 10);
    moved = t;
    t = a[18];
    a[18] = mote_rotl64(moved, 15);
    moved = t;
    t = a[3];
    a[3] = mote_rotl64(moved, 21);
    moved = t;
    t = a[5];
    a[5] = mote_rotl64(moved, 28);
    moved = t;
    t = a[16];
    a[16] = mote_rotl64(moved, 36);
    moved = t;
    t = a[8];
    a[8] = mote_rotl64(moved, 45);
    moved = t;
    t = a[21];
    a[21] = mote_rotl64(moved, 55);
    moved = t;
    t = a[24];
    a[24] = mote_rotl64(moved, 2);
    moved = t;
    t = a[4];
    a[4] = mote_rotl64(moved, 14);
    moved = t;
    t = a[15];
    a[15] = mote_rotl64(moved, 27);
    moved = t;
    t = a[23];
    a[23] = mote_rotl64(moved, 41);
    moved = t;
    t = a[19];
    a[19] = mote_rotl64(moved, 56);
    moved = t;
    t = a[13];
    a[13] = mote_rotl64(moved, 8);
    moved = t;
    t = a[12];
    a[12] = mote_rotl64(moved, 25);
    moved = t;
    t = a[2];
    a[2] = mote_rotl64(moved, 43);
    moved = t;
    t = a[20];
    a[20] = mote_rotl64(moved, 62);
    moved = t;
    t = a[14];
    a[14] = mote_rotl64(moved, 18);
    moved = t;
    t = a[22];
    a[22] = mote_rotl64(moved, 39);
    moved = t;
    t = a[9];
    a[9] = mote_rotl64(moved, 61);
    moved = t;
    t = a[6];
    a[6] = mote_rotl64(moved, 20);
    moved = t;
    t = a[1];
    a[1] = mote_rotl64(moved, 44);
    moved = t;
}

/* Section 3.2.4. */
static void chi(uint64_t a[LANES])
{
    uint8_t y;
    for (y = 0; y < 5; y++, a += 5) {
        const uint64_t a0 = a[0], a1 = a[1];
        a[0] ^= ~a1 & a[2];
        a[1] ^= ~a[2] & a[3];
        a[2] ^= ~a[3] & a[4];
        a[3] ^= ~a[4] & a0;
        a[4] ^= ~a0 & a1;
    }
}

static void permute(uint64_t a[LANES])
{
    uint8_t round;
    for (round = 0; round < ROUNDS; round++) {
        theta(a);
        rho_pi(a);
        chi(a);
        a[0] ^= constant(round);
    }
}

static void absorb_byte(mote_sha3 *s, uint8_t at, uint8_t v)
{
    uint8_t b[8] = {0};
    b[at & 7] = v;
    s->a[at >> 3] ^= mote_load64le(b);
}

void mote_sha3_absorb(mote_sha3 *s, const uint8_t *in, size_t len)
{
    while (len > 0) {
        if ((s->at & 7) == 0 && len >= 8) {
            s->a[s->at >> 3] ^= mote_load64le(in);
            s->at = (uint8_t)(s->at + 8);
            in += 8;
            len -= 8;
        } else {
            absorb_byte(s, s->at++, *in++);
            len--;
        }
        if (s->at == s->rate) {
            permute(s->a);
            s->at = 0;
        }
    }
}

/* A block is permuted when its first byte is asked for. */
void mote_sha3_end(mote_sha3 *s, uint8_t suffix)
{
    absorb_byte(s, s->at, suffix);
    absorb_byte(s, (uint8_t)(s->rate - 1), 0x80);
    s->at = s->rate;
}

void mote_sha3_squeeze(mote_sha3 *s, uint8_t *out, size_t len)
{
    uint8_t b[8];
    while (len > 0) {
        const uint8_t from = s->at & 7;
        uint8_t some = (uint8_t)(8 - from);
        if (s->at == s->rate) {
            permute(s->a);
            s->at = 0;
        }
        if (len < some)
            some = (uint8_t)len;
        if (some == 8) {
            mote_store64le(out, s->a[s->at >> 3]);
        } else {
            mote_store64le(b, s->a[s->at >> 3]);
            memcpy(out, b + from, some);
        }
        s->at = (uint8_t)(s->at + some);
        out += some;
        len -= some;
    }
}

void mote_sha3_start(mote_sha3 *s, uint8_t rate)
{
    memset(s, 0, sizeof *s);
    s->rate = rate;
}

static void update(void *state, const uint8_t *in, size_t len)
{
    mote_sha3_absorb(state, in, len);
}

#define FUNCTIONS(name, rate, digest_len, suffix)                                                                      \
    static void start_##name(void *state)                                                                              \
    {                                                                                                                  \
        mote_sha3_start(state, rate);                                                                                  \
    }                                                                                                                  \
    static void finish_##name(void *state, uint8_t *digest)                                                            \
    {                                                                                                                  \
        mote_sha3_end(state, suffix);                                                                                  \
        mote_sha3_squeeze(state, digest, digest_len);                                                                  \
    }

FUNCTIONS(224, 144, 28, MOTE_SHA3_SUFFIX)
FUNCTIONS(256, 136, 32, MOTE_SHA3_SUFFIX)
FUNCTIONS(384, 104, 48, MOTE_SHA3_SUFFIX)
FUNCTIONS(512, 72, 64, MOTE_SHA3_SUFFIX)
FUNCTIONS(shake128, 168, 32, MOTE_SHAKE_SUFFIX)
FUNCTIONS(shake256, 136, 64, MOTE_SHAKE_SUFFIX)

#define HASH(label, symbol, bytes, block)                                                                              \
    {.name = (label), .digest_len = (bytes), .block_len = (block), .state_len = sizeof(mote_sha3),                    \
     .start = start_##symbol, .update = update, .finish = finish_##symbol}

static const mote_hash hashes[] = {
    HASH("sha3-224", 224, 28, 144), HASH("sha3-256", 256, 32, 136),     HASH("sha3-384", 384, 48, 104),
    HASH("sha3-512", 512, 64, 72),  HASH("shake128", shake128, 32, 0), HASH("shake256", shake256, 64, 0),
};

MOTE_IMPLEMENTATION(sha_3) = {.name = "sha-3", MOTE_HASHES(hashes), .constant_time = 1};

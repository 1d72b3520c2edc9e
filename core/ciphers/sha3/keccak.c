/*
 * Keccak-f[1600] in C, and the bytes of its state. FIPS 202, section 3.
 *
 * In assembly for machines of 32 bits a lane is two words of alternating bits.
 */
#include "keccak.h"

#include <string.h>

#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/flash.h"

#if MOTE_ASSEMBLY_AVR
/* Lanes are little-endian there. */
void mote_keccak_add(uint64_t a[MOTE_SHA3_LANES], uint8_t at, const uint8_t *in, uint8_t len)
{
    uint8_t *byte = (uint8_t *)a + at;
    for (; len > 0; len--)
        *byte++ ^= *in++;
}

void mote_keccak_get(const uint64_t a[MOTE_SHA3_LANES], uint8_t at, uint8_t *out, uint8_t len)
{
    memcpy(out, (const uint8_t *)a + at, len);
}
#else
#if MOTE_ASSEMBLY_RISCV32
void mote_keccak_clear(uint64_t a[MOTE_SHA3_LANES])
{
    memset(a, 0, MOTE_SHA3_LANES * sizeof a[0]);
}
#endif

#if MOTE_ASSEMBLY_ARMV6M || MOTE_ASSEMBLY_ARMV7M || MOTE_ASSEMBLY_RISCV32
void mote_keccak_add_lanes(uint64_t a[MOTE_SHA3_LANES], uint8_t lane, const uint8_t *in,
                           uint8_t lanes);
void mote_keccak_get_lanes(const uint64_t a[MOTE_SHA3_LANES], uint8_t lane, uint8_t *out,
                           uint8_t lanes);
#define add_lanes mote_keccak_add_lanes
#define get_lanes mote_keccak_get_lanes
#else
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

void mote_keccak_permute(uint64_t a[LANES])
{
    uint8_t round;
    for (round = 0; round < ROUNDS; round++) {
        theta(a);
        rho_pi(a);
        chi(a);
        a[0] ^= constant(round);
    }
}

void mote_keccak_clear(uint64_t a[LANES])
{
    memset(a, 0, LANES * sizeof a[0]);
}

static void add_lanes(uint64_t a[LANES], uint8_t lane, const uint8_t *in, uint8_t lanes)
{
    for (a += lane; lanes > 0; lanes--, in += 8)
        *a++ ^= mote_load64le(in);
}

static void get_lanes(const uint64_t a[LANES], uint8_t lane, uint8_t *out, uint8_t lanes)
{
    for (a += lane; lanes > 0; lanes--, out += 8)
        mote_store64le(out, *a++);
}
#endif

/* Number of the `len` bytes before the next whole lane. */
static uint8_t before_lane(uint8_t at, uint8_t len)
{
    const uint8_t left = (uint8_t)(-at & 7);
    return (uint8_t)(len < left ? len : left);
}

static void add_part(uint64_t a[MOTE_SHA3_LANES], uint8_t at, const uint8_t *in, uint8_t len)
{
    uint8_t b[8] = {0};
    memcpy(b + (at & 7), in, len);
    add_lanes(a, at >> 3, b, 1);
}

void mote_keccak_add(uint64_t a[MOTE_SHA3_LANES], uint8_t at, const uint8_t *in, uint8_t len)
{
    const uint8_t first = before_lane(at, len), lanes = (uint8_t)(len - first) >> 3,
                  last = (uint8_t)(len - first) & 7;
    if (first > 0)
        add_part(a, at, in, first);
    at = (uint8_t)(at + first);
    in += first;
    if (lanes > 0)
        add_lanes(a, at >> 3, in, lanes);
    if (last > 0)
        add_part(a, (uint8_t)(at + 8 * lanes), in + 8 * lanes, last);
}

static void get_part(const uint64_t a[MOTE_SHA3_LANES], uint8_t at, uint8_t *out, uint8_t len)
{
    uint8_t b[8];
    get_lanes(a, at >> 3, b, 1);
    memcpy(out, b + (at & 7), len);
}

void mote_keccak_get(const uint64_t a[MOTE_SHA3_LANES], uint8_t at, uint8_t *out, uint8_t len)
{
    const uint8_t first = before_lane(at, len), lanes = (uint8_t)(len - first) >> 3,
                  last = (uint8_t)(len - first) & 7;
    if (first > 0)
        get_part(a, at, out, first);
    at = (uint8_t)(at + first);
    out += first;
    if (lanes > 0)
        get_lanes(a, at >> 3, out, lanes);
    if (last > 0)
        get_part(a, (uint8_t)(at + 8 * lanes), out + 8 * lanes, last);
}
#endif

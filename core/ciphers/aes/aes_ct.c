/*
 * AES in constant time by construction: bitsliced, without look-ups, two blocks at a time.
 *
 * Specification: FIPS 197.
 *
 * Trades: time where blocks come alone: one costs as much as two. No tables. Time: no look-up and
 * no branch depends on a secret.
 */
#include <stdint.h>
#include <string.h>

#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/modes.h"

/*
 * Two blocks lie across eight words: word k has bit k of all 32 bytes, row r of column c of block b
 * at bit 8r + 2c + b. So ShiftRows turns the bits in each byte of the words, and MixColumns turns
 * whole words by bytes.
 */
typedef uint32_t state[8];

/*
 * Content of a register: on small machines a byte of each word, one after the other, because that
 * needs less memory.
 */
#if MOTE_SMALL
typedef uint8_t lane;
#else
typedef uint32_t lane;
#endif
/* NOLINTNEXTLINE(bugprone-sizeof-expression): on large machines it is 1 */
enum { LANES = sizeof(uint32_t) / sizeof(lane), NEXT = LANES };
#define ONES ((lane) - 1)

typedef struct ct_schedule {
    uint32_t rounds;
    state keys[]; /* rounds + 1, the same for both blocks */
} ct_schedule;

#define SCHEDULE_LEN(key_len) (4 + 32 * ((key_len) / 4 + 7))

#if MOTE_ASSEMBLY_ARMV7M
uint32_t mote_aes_ct_sub_word(uint32_t word);
/*
 * A round key as bits, its rows as after n rounds without ShiftRows; complement: for bits 0, 1, 5
 * and 6.
 */
void mote_aes_ct_pack_key(uint32_t key[8], const uint32_t words[4], uint32_t n,
                          uint32_t complement);
void mote_aes_ct_encrypt_two(const ct_schedule *s, const uint8_t *in, const uint8_t *in2,
                             uint8_t *out, uint8_t *out2);
void mote_aes_ct_decrypt_two(const ct_schedule *s, const uint8_t *in, const uint8_t *in2,
                             uint8_t *out, uint8_t *out2);
#define encrypt_two mote_aes_ct_encrypt_two
#define decrypt_two mote_aes_ct_decrypt_two
#else
static inline void swap_bits(uint32_t *a, uint32_t *b, uint32_t mask, uint8_t shift)
{
    uint32_t differ = (*a >> shift ^ *b) & mask;
    *b ^= differ;
    *a ^= differ << shift;
}

/* Bit j of each byte of word k changes places with bit k of the same byte of word j. */
static void transpose(state q)
{
    for (uint8_t i = 0; i < 8; i = (uint8_t)(i + 2)) {
        swap_bits(&q[i], &q[i + 1], 0x55555555, 1);
    }
    for (uint8_t i = 0; i < 8; i = (uint8_t)(i + (i & 1 ? 3 : 1))) {
        swap_bits(&q[i], &q[i + 2], 0x33333333, 2);
    }
    for (uint8_t i = 0; i < 4; i++) {
        swap_bits(&q[i], &q[i + 4], 0x0f0f0f0f, 4);
    }
}

/*
 * SubBytes by the 115 logical operations of Boyar and Peralta, "A new combinational logic
 * minimization technique with applications to cryptology" (SEA 2010), figures 5 to 7; names as
 * there, x0 being the highest bit.
 */
static inline void sub_lane(lane *q)
{
    const lane x0 = q[7 * NEXT], x1 = q[6 * NEXT], x2 = q[5 * NEXT], x3 = q[4 * NEXT];
    const lane x4 = q[3 * NEXT], x5 = q[2 * NEXT], x6 = q[NEXT], x7 = q[0];

    const lane y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2;
    const lane y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6,
               y3 = y5 ^ y8;
    const lane t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0,
               y11 = y20 ^ y9;
    const lane y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16,
               y18 = x0 ^ y16;

    const lane t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2;
    const lane t7 = y13 & y16, t9 = (y5 & y1) ^ t7, t11 = (y2 & y7) ^ t7;
    const lane t12 = y9 & y11, t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
    const lane t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21,
               t24 = t11 ^ t16 ^ y18;

    const lane t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t29 = (t25 & t27) ^ t22;
    const lane t30 = t23 ^ t24, t31 = t22 ^ t26, t33 = (t31 & t30) ^ t24;
    const lane t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36;
    const lane t40 = t25 ^ (t29 & t38), t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40;
    const lane t44 = t33 ^ t37, t45 = t42 ^ t41;

    const lane z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1,
               z5 = t29 & y7;
    const lane z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3,
               z11 = t33 & y4;
    const lane z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14,
               z17 = t41 & y8;

    const lane t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12,
               t51 = z2 ^ z5;
    const lane t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48,
               t57 = t50 ^ t53;
    const lane t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58,
               t63 = t49 ^ t58;
    const lane t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63, t67 = t64 ^ t65, s3 = t53 ^ t66;
    q[7 * NEXT] = t59 ^ t63;
    q[6 * NEXT] = t64 ^ s3 ^ ONES;
    q[5 * NEXT] = t55 ^ t67 ^ ONES;
    q[4 * NEXT] = s3;
    q[3 * NEXT] = t51 ^ t66;
    q[2 * NEXT] = t47 ^ t65;
    q[NEXT] = t56 ^ t62 ^ ONES;
    q[0] = t48 ^ t60 ^ ONES;
}

static void sub_bytes(state q)
{
    lane *first = (lane *)(void *)q;
    for (uint8_t i = 0; i < LANES; i++)
        sub_lane(first + i);
}

/* The inverse of the affine map in the S-box. */
static inline void affine_back(lane *q)
{
    const lane x0 = q[0], x1 = q[NEXT], x2 = q[2 * NEXT], x3 = q[3 * NEXT];
    const lane x4 = q[4 * NEXT], x5 = q[5 * NEXT], x6 = q[6 * NEXT], x7 = q[7 * NEXT];
    q[0] = x2 ^ x5 ^ x7 ^ ONES;
    q[NEXT] = x3 ^ x6 ^ x0;
    q[2 * NEXT] = x4 ^ x7 ^ x1 ^ ONES;
    q[3 * NEXT] = x5 ^ x0 ^ x2;
    q[4 * NEXT] = x6 ^ x1 ^ x3;
    q[5 * NEXT] = x7 ^ x2 ^ x4;
    q[6 * NEXT] = x0 ^ x3 ^ x5;
    q[7 * NEXT] = x1 ^ x4 ^ x6;
}

/* S = affine(1 / x), so the inverse of S is 1 / affine_back(x), and 1 / x is affine_back(S(x)). */
static void sub_bytes_back(state q)
{
    lane *first = (lane *)(void *)q;
    for (uint8_t i = 0; i < LANES; i++) {
        affine_back(first + i);
        sub_lane(first + i);
        affine_back(first + i);
    }
}

/* ShiftRows and its inverse: byte r turns right or left by 2r bits. */
#if MOTE_SMALL
static inline uint32_t turn(uint32_t x, uint8_t right1, uint8_t right3)
{
    uint8_t row1 = (uint8_t)(x >> 8), row2 = (uint8_t)(x >> 16), row3 = (uint8_t)(x >> 24);
    row1 = (uint8_t)(row1 >> right1 | row1 << (8 - right1));
    row2 = (uint8_t)(row2 >> 4 | row2 << 4);
    row3 = (uint8_t)(row3 >> right3 | row3 << (8 - right3));
    return (x & 0xff) | (uint32_t)row1 << 8 | (uint32_t)row2 << 16 | (uint32_t)row3 << 24;
}
#else
static inline uint32_t turn(uint32_t x, uint8_t right1, uint8_t right3)
{
    uint32_t low1 = (0xffu >> right1) << 8, low3 = (0xffu >> right3) << 24;
    return (x & 0x000000ff) | (x >> right1 & low1) | (x << (8 - right1) & (0xff00 ^ low1)) |
           (x >> 4 & 0x000f0000) | (x << 4 & 0x00f00000) | (x >> right3 & low3) |
           (x << (8 - right3) & (0xff000000 ^ low3));
}
#endif

static void shift_rows(state q)
{
    for (uint8_t i = 0; i < 8; i++) {
        q[i] = turn(q[i], 2, 6);
    }
}

static void shift_rows_back(state q)
{
    for (uint8_t i = 0; i < 8; i++) {
        q[i] = turn(q[i], 6, 2);
    }
}

/* Row r becomes 2 (a_r + a_r+1) + a_r+1 + a_r+2 + a_r+3; twice bit 7 is 0x1b. */
static void mix_columns(state q)
{
    uint32_t sum[8]; /* a_r + a_r+1 */
    for (uint8_t i = 0; i < 8; i++) {
        uint32_t next = mote_rotr32(q[i], 8);
        sum[i] = q[i] ^ next;
        q[i] = next ^ mote_rotr32(sum[i], 16);
    }
    q[0] ^= sum[7];
    q[1] ^= sum[0] ^ sum[7];
    q[2] ^= sum[1];
    q[3] ^= sum[2] ^ sum[7];
    q[4] ^= sum[3] ^ sum[7];
    q[5] ^= sum[4];
    q[6] ^= sum[5];
    q[7] ^= sum[6];
}

/* InvMixColumns is MixColumns after a product with 4 x^2 + 5: row r plus 4 (a_r + a_r+2). */
static void mix_columns_back(state q)
{
    uint32_t sum[8];
    for (uint8_t i = 0; i < 8; i++) {
        sum[i] = q[i] ^ mote_rotr32(q[i], 16);
    }
    uint32_t both = sum[6] ^ sum[7];
    q[0] ^= sum[6];
    q[1] ^= both;
    q[2] ^= sum[0] ^ sum[7];
    q[3] ^= sum[1] ^ sum[6];
    q[4] ^= sum[2] ^ both;
    q[5] ^= sum[3] ^ sum[7];
    q[6] ^= sum[4];
    q[7] ^= sum[5];
    mix_columns(q);
}

static void add_key(state q, const state key)
{
    for (uint8_t i = 0; i < 8; i++) {
        q[i] ^= key[i];
    }
}

/* The second block may be the first one again. */
static void load(state q, const uint8_t *first, const uint8_t *second)
{
    for (uint8_t column = 0; column < 4; column++) {
        q[2 * column] = mote_load32le(first + 4 * column);
        q[2 * column + 1] = mote_load32le(second + 4 * column);
    }
    transpose(q);
}

static void store(state q, uint8_t *first, uint8_t *second)
{
    transpose(q);
    for (uint8_t column = 0; column < 4; column++) {
        mote_store32le(first + 4 * column, q[2 * column]);
        mote_store32le(second + 4 * column, q[2 * column + 1]);
    }
    mote_wipe(q, sizeof(state));
}

static void encrypt_two(const ct_schedule *s, const uint8_t *in, const uint8_t *in2, uint8_t *out,
                        uint8_t *out2)
{
    state q;
    load(q, in, in2);
    const state *key = s->keys;
    const state *last = key + s->rounds;
    add_key(q, *key);
    for (;;) {
        sub_bytes(q);
        shift_rows(q);
        key++;
        if (key == last) {
            break;
        }
        mix_columns(q);
        add_key(q, *key);
    }
    add_key(q, *key);
    store(q, out, out2);
}

static void decrypt_two(const ct_schedule *s, const uint8_t *in, const uint8_t *in2, uint8_t *out,
                        uint8_t *out2)
{
    state q;
    load(q, in, in2);
    const state *key = s->keys + s->rounds;
    add_key(q, *key);
    for (;;) {
        shift_rows_back(q);
        sub_bytes_back(q);
        key--;
        add_key(q, *key);
        if (key == s->keys) {
            break;
        }
        mix_columns_back(q);
    }
    store(q, out, out2);
}
#endif

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt_two(schedule, in, in, out, out);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt_two(schedule, in, in, out, out);
}

static void encrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks)
{
    for (; blocks >= 2; blocks -= 2) {
        encrypt_two(schedule, in, in + 16, out, out + 16);
        in += 32;
        out += 32;
    }
    if (blocks > 0) {
        encrypt(schedule, in, out);
    }
}

static void decrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out, size_t blocks)
{
    for (; blocks >= 2; blocks -= 2) {
        decrypt_two(schedule, in, in + 16, out, out + 16);
        in += 32;
        out += 32;
    }
    if (blocks > 0) {
        decrypt(schedule, in, out);
    }
}

#if !MOTE_ASSEMBLY_ARMV7M
static uint32_t sub_word(uint32_t word)
{
    state q = {word};
    transpose(q);
    sub_bytes(q);
    transpose(q);
    word = q[0];
    mote_wipe(q, sizeof q);
    return word;
}

/* FIPS 197, section 5.2. Words have their first byte lowest. */
static void expand(ct_schedule *s, const uint8_t *key, uint8_t key_len)
{
    uint8_t words = key_len / 4;
    uint8_t rounds = (uint8_t)(words + 6);
    s->rounds = rounds;
    uint32_t recent[8]; /* the last key_len bytes */
    for (uint8_t i = 0; i < words; i++) {
        recent[i] = mote_load32le(key + 4 * i);
    }
    uint32_t constant = 1;
    uint8_t position = 0; /* the next word's in `recent` */
    for (uint8_t column = 0; column < 4 * (rounds + 1); column++) {
        uint32_t *q = s->keys[column / 4] + 2 * (column % 4);
        q[0] = recent[position];
        q[1] = q[0];
        if (column % 4 == 3) {
            transpose(s->keys[column / 4]);
        }
        uint32_t last = recent[position == 0 ? words - 1 : position - 1];
        if (position == 0) {
            last = sub_word(mote_rotr32(last, 8)) ^ constant;
            constant = (constant << 1) ^ (constant >> 7) * 0x11b;
        } else if (position == 4 && words == 8) {
            last = sub_word(last);
        }
        recent[position] ^= last;
        position = (uint8_t)(position + 1);
        if (position == words) {
            position = 0;
        }
    }
    mote_wipe(recent, sizeof recent);
}
#define EXPAND expand
#define DECRYPT_KEY(bits) NULL
#else
/*
 * FIPS 197, section 5.2. Words have their first byte lowest. They lie behind the middle of the
 * schedule, until the round keys take their place from its beginning on. decrypts: 1 if for
 * decrypt, else 0.
 */
static void expand_fixsliced(ct_schedule *s, const uint8_t *key, uint8_t key_len, uint8_t decrypts)
{
    const uint32_t words = key_len / 4u, rounds = words + 6;
    s->rounds = rounds;
    uint32_t *const first = (uint32_t *)(void *)s->keys + 4 * (rounds + 1);
    uint32_t *const end = first + 4 * (rounds + 1);
    uint32_t *next = first;
    const uint32_t *before = first;
    uint32_t constant = 1, position = 0, last = 0;
    for (uint32_t i = 0; i < words; i++) {
        *next++ = last = mote_load32le(key + 4 * i);
    }
    while (next < end) {
        if (position == 0) {
            last = mote_aes_ct_sub_word(mote_rotr32(last, 8)) ^ constant;
            constant = (constant << 1) ^ (constant >> 7) * 0x11b;
        } else if (position == 4 && words == 8) {
            last = mote_aes_ct_sub_word(last);
        }
        last ^= *before++;
        *next++ = last;
        position = position + 1 == words ? 0 : position + 1;
    }
    for (uint32_t i = 0; i <= rounds; i++) {
        const uint32_t n = decrypts ? i - rounds : i;
        const uint32_t complement = decrypts || i == 0 ? 0 : UINT32_MAX;
        mote_aes_ct_pack_key(s->keys[i], first + 4 * i, i == 0 || i == rounds ? 0 : n & 3,
                             complement);
    }
}
#define EXPAND(schedule, key, key_len) expand_fixsliced(schedule, key, key_len, 0)
#define DECRYPT_KEY(bits) set_decrypt_key_##bits

static void set_decrypt_key_128(void *schedule, const uint8_t *key)
{
    expand_fixsliced(schedule, key, 16, 1);
}

static void set_decrypt_key_192(void *schedule, const uint8_t *key)
{
    expand_fixsliced(schedule, key, 24, 1);
}

static void set_decrypt_key_256(void *schedule, const uint8_t *key)
{
    expand_fixsliced(schedule, key, 32, 1);
}
#endif

static void set_key_128(void *schedule, const uint8_t *key)
{
    EXPAND(schedule, key, 16);
}

static void set_key_192(void *schedule, const uint8_t *key)
{
    EXPAND(schedule, key, 24);
}

static void set_key_256(void *schedule, const uint8_t *key)
{
    EXPAND(schedule, key, 32);
}

#define AES_CT(bits)                         \
    {.name = "aes-" #bits,                   \
     .block_len = 16,                        \
     .key_len = bits / 8,                    \
     .schedule_len = SCHEDULE_LEN(bits / 8), \
     .set_key = set_key_##bits,              \
     .set_decrypt_key = DECRYPT_KEY(bits),   \
     .encrypt = encrypt,                     \
     .decrypt = decrypt,                     \
     .encrypt_blocks = encrypt_blocks,       \
     .decrypt_blocks = decrypt_blocks}

static const mote_block_cipher ciphers[] = {AES_CT(128), AES_CT(192), AES_CT(256)};

MOTE_IMPLEMENTATION(aes_ct) = {.name = "aes-ct", MOTE_BLOCKS(ciphers), .constant_time = 1};

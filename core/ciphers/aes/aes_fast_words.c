/*
 * aes-fast on machines of 32 or 64 bits: SubBytes, ShiftRows and MixColumns of a column are four
 * look-ups.
 *
 * A column is one word, its first byte the lowest. Entry x of the first table is the column that
 * MixColumns makes of S(x) in row 0; the tables of rows 1 to 3 are its rotations by 8, 16 and 24
 * bits. Machines of 64 bits have the four tables, others rotate: 1 KiB in place of 4 (2 in assembly
 * for ARMv6-M). To decrypt, the same with the inverses, and with InvMixColumns of the inner round
 * keys (the equivalent inverse cipher, FIPS 197, section 5.3.5).
 */
#include "aes_fast.h"

#if !MOTE_SMALL

#include "aes_keys.h"
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

typedef struct words_schedule {
    uint32_t rounds;
    uint32_t keys[]; /* 4 * (rounds + 1) */
} words_schedule;

/* Products in GF(2^8), as constant expressions. */
#define TIMES_2(a) (((a) << 1 ^ ((a) >> 7) * 0x11bu) & 0xff)
#define TIMES_4(a) TIMES_2(TIMES_2(a))
#define TIMES_8(a) TIMES_2(TIMES_4(a))
#define COLUMN(row0, row1, row2, row3) \
    ((uint32_t)(row3) << 24 | (uint32_t)(row2) << 16 | (uint32_t)(row1) << 8 | (row0))
#define MIX(s) COLUMN(TIMES_2(s), s, s, TIMES_2(s) ^ (s))
#define MIX_BACK(s)                                                                               \
    COLUMN(TIMES_8(s) ^ TIMES_4(s) ^ TIMES_2(s), TIMES_8(s) ^ (s), TIMES_8(s) ^ TIMES_4(s) ^ (s), \
           TIMES_8(s) ^ TIMES_2(s) ^ (s))
#define ROTATED(column, bits) ((column) << (bits) | (column) >> (32 - (bits)))

/* The blocks in assembly use the tables too. */
#define BLOCKS_ASSEMBLY (MOTE_ASSEMBLY_ARMV6M || MOTE_ASSEMBLY_ARMV7M || MOTE_ASSEMBLY_RISCV32)
#if BLOCKS_ASSEMBLY
#define sbox mote_aes_fast_sbox
#define inverse_sbox mote_aes_fast_inverse_sbox
#define mixed mote_aes_fast_mixed
#define mixed_back mote_aes_fast_mixed_back
#define TABLES (MOTE_ASSEMBLY_ARMV6M ? 2 : 1)
extern const uint8_t MOTE_FLASH sbox[256], inverse_sbox[256];
extern const uint32_t MOTE_FLASH mixed[256][TABLES], mixed_back[256][TABLES];
#define TABLE
#else
#define TABLE static
#if UINTPTR_MAX > 0xffffffff
#define TABLES 4
#else
#define TABLES 1
#endif
#endif

#define X(s) s##u
TABLE const uint8_t MOTE_FLASH sbox[256] = {
#include "aes_sbox.inc"
};
TABLE const uint8_t MOTE_FLASH inverse_sbox[256] = {
#include "aes_inverse_sbox.inc"
};
#undef X

/* An entry: the columns of the tables. */
#if TABLES == 4
#define COLUMNS(mix, s) {mix(s), ROTATED(mix(s), 8), ROTATED(mix(s), 16), ROTATED(mix(s), 24)}
#elif TABLES == 2
#define COLUMNS(mix, s) {mix(s), ROTATED(mix(s), 16)}
#else
#define COLUMNS(mix, s) {mix(s)}
#endif

#define X(s) COLUMNS(MIX, s##u)
TABLE const uint32_t MOTE_FLASH mixed[256][TABLES] = {
#include "aes_sbox.inc"
};
#undef X
#define X(s) COLUMNS(MIX_BACK, s##u)
TABLE const uint32_t MOTE_FLASH mixed_back[256][TABLES] = {
#include "aes_inverse_sbox.inc"
};
#undef X

#if !MOTE_ASSEMBLY_ARMV6M && !MOTE_ASSEMBLY_ARMV7M
/* A column after the round, from the words that its four rows come from. */
static inline uint32_t round_column(const uint32_t MOTE_FLASH table[256][TABLES], uint32_t row0,
                                    uint32_t row1, uint32_t row2, uint32_t row3)
{
#if TABLES == 4
    return table[row0 & 0xff][0] ^ table[row1 >> 8 & 0xff][1] ^ table[row2 >> 16 & 0xff][2] ^
           table[row3 >> 24][3];
#else
    uint32_t sum = table[row3 >> 24][0];
    sum = mote_rotl32(sum, 8) ^ table[row2 >> 16 & 0xff][0];
    sum = mote_rotl32(sum, 8) ^ table[row1 >> 8 & 0xff][0];
    return mote_rotl32(sum, 8) ^ table[row0 & 0xff][0];
#endif
}

static inline uint32_t last_column(const uint8_t MOTE_FLASH *box, uint32_t row0, uint32_t row1,
                                   uint32_t row2, uint32_t row3)
{
    return COLUMN(box[row0 & 0xff], box[row1 >> 8 & 0xff], box[row2 >> 16 & 0xff], box[row3 >> 24]);
}
#endif

static words_schedule *expand(void *schedule, const uint8_t *key, uint8_t key_len)
{
    words_schedule *s = schedule;
    s->rounds = key_len / 4u + 6;
    mote_aes_expand(s->keys, key, key_len / 4u, sbox);
    return s;
}

#if MOTE_ASSEMBLY_ARMV6M
/* Columns are kept turned there, and round keys lie in the order of their use. */
void mote_aes_fast_set_key(void *schedule, const uint8_t *key, uint8_t key_len)
{
    words_schedule *s = expand(schedule, key, key_len);
    mote_aes_turn_keys(s->keys + 4, s->keys + 4 * (s->rounds + 1), 24, 8);
}

void mote_aes_fast_set_decrypt_key(void *schedule, const uint8_t *key, uint8_t key_len)
{
    words_schedule *s = expand(schedule, key, key_len);
    mote_aes_mix_back(s->keys + 4, s->keys + 4 * s->rounds);
    for (uint32_t *low = s->keys, *high = low + 4 * s->rounds; low < high; high -= 8) {
        for (uint32_t i = 4; i > 0; i--) {
            uint32_t word = *low;
            *low++ = *high;
            *high++ = word;
        }
    }
    mote_aes_turn_keys(s->keys + 4, s->keys + 4 * (s->rounds + 1), 8, 24);
}
#else
void mote_aes_fast_set_key(void *schedule, const uint8_t *key, uint8_t key_len)
{
    expand(schedule, key, key_len);
}

void mote_aes_fast_set_decrypt_key(void *schedule, const uint8_t *key, uint8_t key_len)
{
    words_schedule *s = expand(schedule, key, key_len);
#if MOTE_ASSEMBLY_ARMV7M
    mote_aes_fast_mix_back(s->keys + 4, s->keys + 4 * s->rounds);
#else
    for (uint32_t i = 4; i < 4 * s->rounds; i++) {
        uint32_t column = s->keys[i];
        column = last_column(sbox, column, column, column, column);
        s->keys[i] = round_column(mixed_back, column, column, column, column);
    }
#endif
}

#if !BLOCKS_ASSEMBLY
void mote_aes_fast_encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const words_schedule *s = schedule;
    const uint32_t *key = s->keys;
    uint32_t a0 = mote_load32le(in) ^ key[0];
    uint32_t a1 = mote_load32le(in + 4) ^ key[1];
    uint32_t a2 = mote_load32le(in + 8) ^ key[2];
    uint32_t a3 = mote_load32le(in + 12) ^ key[3];
    for (uint32_t round = s->rounds - 1; round > 0; round--) {
        key += 4;
        uint32_t b0 = round_column(mixed, a0, a1, a2, a3) ^ key[0];
        uint32_t b1 = round_column(mixed, a1, a2, a3, a0) ^ key[1];
        uint32_t b2 = round_column(mixed, a2, a3, a0, a1) ^ key[2];
        uint32_t b3 = round_column(mixed, a3, a0, a1, a2) ^ key[3];
        a0 = b0;
        a1 = b1;
        a2 = b2;
        a3 = b3;
    }
    mote_store32le(out, last_column(sbox, a0, a1, a2, a3) ^ key[4]);
    mote_store32le(out + 4, last_column(sbox, a1, a2, a3, a0) ^ key[5]);
    mote_store32le(out + 8, last_column(sbox, a2, a3, a0, a1) ^ key[6]);
    mote_store32le(out + 12, last_column(sbox, a3, a0, a1, a2) ^ key[7]);
}

void mote_aes_fast_decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const words_schedule *s = schedule;
    const uint32_t *key = s->keys + 4 * s->rounds;
    uint32_t a0 = mote_load32le(in) ^ key[0];
    uint32_t a1 = mote_load32le(in + 4) ^ key[1];
    uint32_t a2 = mote_load32le(in + 8) ^ key[2];
    uint32_t a3 = mote_load32le(in + 12) ^ key[3];
    for (uint32_t round = s->rounds - 1; round > 0; round--) {
        key -= 4;
        uint32_t b0 = round_column(mixed_back, a0, a3, a2, a1) ^ key[0];
        uint32_t b1 = round_column(mixed_back, a1, a0, a3, a2) ^ key[1];
        uint32_t b2 = round_column(mixed_back, a2, a1, a0, a3) ^ key[2];
        uint32_t b3 = round_column(mixed_back, a3, a2, a1, a0) ^ key[3];
        a0 = b0;
        a1 = b1;
        a2 = b2;
        a3 = b3;
    }
    key -= 4;
    mote_store32le(out, last_column(inverse_sbox, a0, a3, a2, a1) ^ key[0]);
    mote_store32le(out + 4, last_column(inverse_sbox, a1, a0, a3, a2) ^ key[1]);
    mote_store32le(out + 8, last_column(inverse_sbox, a2, a1, a0, a3) ^ key[2]);
    mote_store32le(out + 12, last_column(inverse_sbox, a3, a2, a1, a0) ^ key[3]);
}
#endif

#endif

#endif

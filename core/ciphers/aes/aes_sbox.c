/*
 * AES with the S-boxes as its only tables, for machines of 32 bits: four bytes at a time in all
 * else.
 *
 * Specification: FIPS 197.
 *
 * Trades: less flash than T-tables, less time than byte by byte. One schedule serves both
 * directions. Time: the S-boxes are looked up at places that depend on secrets, which leaks where
 * there is a data cache; no branch depends on a secret.
 */
#include <stdint.h>

#include "aes_keys.h"
#include "mote/assembly.h"
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

/*
 * A word is a row, its byte in column 0 the lowest: ShiftRows turns words, and MixColumns adds
 * whole words up. Messages come as columns: the first SubBytes makes rows of them, the last one
 * columns. So the first and the last round key are kept as columns, those between as rows.
 */
typedef struct sbox_schedule {
    uint32_t rounds;
    uint32_t keys[]; /* 4 * (rounds + 1) */
} sbox_schedule;

#define SCHEDULE_LEN(key_len) (4 + 16 * ((key_len) / 4 + 7))

/* aes_sbox_armv6m.S uses the tables too. */
#if MOTE_ASSEMBLY_ARMV6M
#define sbox mote_aes_sbox_table
#define inverse_sbox mote_aes_sbox_inverse_table
extern const uint8_t MOTE_FLASH sbox[256], inverse_sbox[256];
#define TABLE
#else
#define TABLE static
#endif

#define X(value) value
TABLE const uint8_t MOTE_FLASH sbox[256] = {
#include "aes_sbox.inc"
};
TABLE const uint8_t MOTE_FLASH inverse_sbox[256] = {
#include "aes_inverse_sbox.inc"
};
#undef X

/* Four bytes, looked up: of each word the one that lies `shift` bits up. */
static inline uint32_t look_up(const uint8_t MOTE_FLASH *box, uint32_t w0, uint8_t shift0,
                               uint32_t w1, uint8_t shift1, uint32_t w2, uint8_t shift2,
                               uint32_t w3, uint8_t shift3)
{
    return box[w0 >> shift0 & 0xff] | (uint32_t)box[w1 >> shift1 & 0xff] << 8 |
           (uint32_t)box[w2 >> shift2 & 0xff] << 16 | (uint32_t)box[w3 >> shift3 & 0xff] << 24;
}

static void expand(sbox_schedule *s, const uint8_t *key, uint8_t key_len)
{
    s->rounds = key_len / 4u + 6;
    mote_aes_expand(s->keys, key, key_len / 4u, sbox);
    mote_aes_transpose_keys(s->keys + 4, s->keys + 4 * s->rounds);
}

#if MOTE_ASSEMBLY_ARMV6M
void mote_aes_sbox_encrypt(const void *schedule, const uint8_t *in, uint8_t *out);
void mote_aes_sbox_decrypt(const void *schedule, const uint8_t *in, uint8_t *out);
void mote_aes_sbox_encrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out,
                                  size_t blocks);
void mote_aes_sbox_decrypt_blocks(const void *schedule, const uint8_t *in, uint8_t *out,
                                  size_t blocks);
#define BLOCKS                                                          \
    .encrypt = mote_aes_sbox_encrypt, .decrypt = mote_aes_sbox_decrypt, \
    .encrypt_blocks = mote_aes_sbox_encrypt_blocks, .decrypt_blocks = mote_aes_sbox_decrypt_blocks
#else
#define BLOCKS .encrypt = encrypt, .decrypt = decrypt

/* Products with x in GF(2^8). */
static inline uint32_t twice(uint32_t w)
{
    return (w << 1 & UINT32_C(0xfefefefe)) ^ (w >> 7 & UINT32_C(0x01010101)) * 0x1b;
}

/* Row r becomes 2 (a_r + a_r+1) + a_r+1 + a_r+2 + a_r+3. */
static inline void mix_columns(uint32_t w[4])
{
    const uint32_t first = w[0], sum = w[0] ^ w[1] ^ w[2] ^ w[3];
    w[0] ^= sum ^ twice(w[0] ^ w[1]);
    w[1] ^= sum ^ twice(w[1] ^ w[2]);
    w[2] ^= sum ^ twice(w[2] ^ w[3]);
    w[3] ^= sum ^ twice(w[3] ^ first);
}

/* InvMixColumns is MixColumns after a product with 4 x^2 + 5: row r plus 4 (a_r + a_r+2). */
static inline void mix_columns_back(uint32_t w[4])
{
    const uint32_t even = twice(twice(w[0] ^ w[2])), odd = twice(twice(w[1] ^ w[3]));
    w[0] ^= even;
    w[1] ^= odd;
    w[2] ^= even;
    w[3] ^= odd;
    mix_columns(w);
}

static inline void add_key(uint32_t w[4], const uint32_t key[4])
{
    w[0] ^= key[0];
    w[1] ^= key[1];
    w[2] ^= key[2];
    w[3] ^= key[3];
}

static inline void load(uint32_t w[4], const uint8_t in[16], const uint32_t key[4])
{
    for (uint8_t i = 0; i < 4; i++)
        w[i] = mote_load32le(in + 4 * i) ^ key[i];
}

static inline void store(uint8_t out[16], const uint32_t w[4], const uint32_t key[4])
{
    for (uint8_t i = 0; i < 4; i++)
        mote_store32le(out + 4 * i, w[i] ^ key[i]);
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const sbox_schedule *s = schedule;
    const uint32_t *key = s->keys, *last = key + 4 * s->rounds;
    uint32_t c[4], w[4];
    load(c, in, key);
    w[0] = look_up(sbox, c[0], 0, c[1], 0, c[2], 0, c[3], 0);
    w[1] = look_up(sbox, c[1], 8, c[2], 8, c[3], 8, c[0], 8);
    w[2] = look_up(sbox, c[2], 16, c[3], 16, c[0], 16, c[1], 16);
    w[3] = look_up(sbox, c[3], 24, c[0], 24, c[1], 24, c[2], 24);
    for (;;) {
        mix_columns(w);
        key += 4;
        add_key(w, key);
        if (key + 4 == last)
            break;
        w[0] = look_up(sbox, w[0], 0, w[0], 8, w[0], 16, w[0], 24);
        w[1] = look_up(sbox, w[1], 8, w[1], 16, w[1], 24, w[1], 0);
        w[2] = look_up(sbox, w[2], 16, w[2], 24, w[2], 0, w[2], 8);
        w[3] = look_up(sbox, w[3], 24, w[3], 0, w[3], 8, w[3], 16);
    }
    c[0] = look_up(sbox, w[0], 0, w[1], 8, w[2], 16, w[3], 24);
    c[1] = look_up(sbox, w[0], 8, w[1], 16, w[2], 24, w[3], 0);
    c[2] = look_up(sbox, w[0], 16, w[1], 24, w[2], 0, w[3], 8);
    c[3] = look_up(sbox, w[0], 24, w[1], 0, w[2], 8, w[3], 16);
    store(out, c, last);
    mote_wipe(c, sizeof c);
    mote_wipe(w, sizeof w);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const sbox_schedule *s = schedule;
    const uint32_t *first = s->keys, *key = first + 4 * s->rounds;
    uint32_t c[4], w[4];
    load(c, in, key);
    w[0] = look_up(inverse_sbox, c[0], 0, c[1], 0, c[2], 0, c[3], 0);
    w[1] = look_up(inverse_sbox, c[3], 8, c[0], 8, c[1], 8, c[2], 8);
    w[2] = look_up(inverse_sbox, c[2], 16, c[3], 16, c[0], 16, c[1], 16);
    w[3] = look_up(inverse_sbox, c[1], 24, c[2], 24, c[3], 24, c[0], 24);
    for (;;) {
        key -= 4;
        add_key(w, key);
        mix_columns_back(w);
        if (key - 4 == first)
            break;
        w[0] = look_up(inverse_sbox, w[0], 0, w[0], 8, w[0], 16, w[0], 24);
        w[1] = look_up(inverse_sbox, w[1], 24, w[1], 0, w[1], 8, w[1], 16);
        w[2] = look_up(inverse_sbox, w[2], 16, w[2], 24, w[2], 0, w[2], 8);
        w[3] = look_up(inverse_sbox, w[3], 8, w[3], 16, w[3], 24, w[3], 0);
    }
    c[0] = look_up(inverse_sbox, w[0], 0, w[1], 24, w[2], 16, w[3], 8);
    c[1] = look_up(inverse_sbox, w[0], 8, w[1], 0, w[2], 24, w[3], 16);
    c[2] = look_up(inverse_sbox, w[0], 16, w[1], 8, w[2], 0, w[3], 24);
    c[3] = look_up(inverse_sbox, w[0], 24, w[1], 16, w[2], 8, w[3], 0);
    store(out, c, first);
    mote_wipe(c, sizeof c);
    mote_wipe(w, sizeof w);
}
#endif

static void set_key_128(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 16);
}

static void set_key_192(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 24);
}

static void set_key_256(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 32);
}

#define AES_SBOX(bits)                       \
    {.name = "aes-" #bits,                   \
     .block_len = 16,                        \
     .key_len = bits / 8,                    \
     .schedule_len = SCHEDULE_LEN(bits / 8), \
     .set_key = set_key_##bits,              \
     BLOCKS}

static const mote_block_cipher ciphers[] = {AES_SBOX(128), AES_SBOX(192), AES_SBOX(256)};

MOTE_IMPLEMENTATION(aes_sbox) = {.name = "aes-sbox", MOTE_BLOCKS(ciphers)};

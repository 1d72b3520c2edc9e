/*
 * LED, with keys of 64 and 128 bits.
 *
 * Guo, Peyrin, Poschmann, Robshaw: The LED Block Cipher, CHES 2011, in the revised version of IACR
 * ePrint 2012/600, the constants of which depend on the key length. Bytes of blocks and keys come
 * most significant first, as there.
 *
 * The state is kept as four columns of 16 bits. A table for each row gives what a nibble
 * contributes to its new column, S-box and matrix in one. There is no key schedule. Look-ups
 * depend on secrets: they leak through time where there is a data cache; without one (AVR,
 * Cortex-M0+) nothing does.
 */
#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/flash.h"

/*
 * Columns of both halves of the key (twice the same for 64 bits), and what the key length adds to
 * the first column.
 */
typedef struct led_schedule {
    uint16_t key[2][4];
    uint16_t constant;
} led_schedule;

/* clang-format off */
/* Column i of MixColumnsSerial (section 2) times the S-box of PRESENT, row 0 on top. */
static const uint16_t MOTE_FLASH forward[4][16] = {
    {0x5adb, 0x7e1a, 0xb5fc, 0xa795, 0x24c1, 0x0000, 0xef27, 0x1269,
     0xcbe6, 0xd98f, 0x913d, 0x6c73, 0x36a8, 0xfd4e, 0x48b2, 0x8354},
    {0xce4b, 0x5d3a, 0x672c, 0xbf85, 0x9371, 0x0000, 0xa967, 0xd8a9,
     0x3a16, 0xe2bf, 0xf45d, 0x8593, 0x4bd8, 0x71ce, 0x16e2, 0x2cf4},
    {0xb918, 0xa246, 0xcd94, 0x5123, 0x1b5e, 0x0000, 0x748c, 0x9cb7,
     0x6fd2, 0xf365, 0xd6ca, 0x3ef1, 0x87e9, 0xe83b, 0x25af, 0x4a7d},
    {0xbe6d, 0xadb1, 0xc73f, 0x5fc9, 0x13dc, 0x0000, 0x7952, 0x98f6,
     0x6a8e, 0xf278, 0xd4e3, 0x3547, 0x8b2a, 0xe1a4, 0x269b, 0x4c15},
};

/* Column i of the inverse of MixColumnsSerial. */
static const uint16_t MOTE_FLASH backward[4][16] = {
    {0x0000, 0xc37d, 0xb6e9, 0x7594, 0x5cf1, 0x9f8c, 0xea18, 0x2965,
     0xabd2, 0x68af, 0x1d3b, 0xde46, 0xf723, 0x345e, 0x41ca, 0x82b7},
    {0x0000, 0xc869, 0xb3c1, 0x7ba8, 0x56b2, 0x9edb, 0xe573, 0x2d1a,
     0xac54, 0x643d, 0x1f95, 0xd7fc, 0xfae6, 0x328f, 0x4927, 0x814e},
    {0x0000, 0xd429, 0x9841, 0x4c68, 0x1382, 0xc7ab, 0x8bc3, 0x5fea,
     0x2634, 0xf21d, 0xbe75, 0x6a5c, 0x35b6, 0xe19f, 0xadf7, 0x79de},
    {0x0000, 0x45ed, 0x8af9, 0xcf14, 0x37d1, 0x723c, 0xbd28, 0xf8c5,
     0x6e92, 0x2b7f, 0xe46b, 0xa186, 0x5943, 0x1cae, 0xd3ba, 0x9657},
};
/* clang-format on */

static const uint8_t MOTE_FLASH inverse_sbox[16] = {
    0x5, 0xe, 0xf, 0x8, 0xc, 0x1, 0x2, 0xd, 0xb, 0x4, 0x6, 0x3, 0x0, 0x7, 0x9, 0xa,
};

/*
 * The round constants of section 2: their upper three bits in the upper half, the lower three in
 * the lower half.
 */
static const uint8_t MOTE_FLASH constants[48] = {
    0x01, 0x03, 0x07, 0x17, 0x37, 0x76, 0x75, 0x73, 0x67, 0x57, 0x36, 0x74, 0x71, 0x63, 0x47, 0x16,
    0x35, 0x72, 0x65, 0x53, 0x26, 0x54, 0x30, 0x60, 0x41, 0x02, 0x05, 0x13, 0x27, 0x56, 0x34, 0x70,
    0x61, 0x43, 0x06, 0x15, 0x33, 0x66, 0x55, 0x32, 0x64, 0x51, 0x22, 0x44, 0x10, 0x21, 0x42, 0x04,
};

/*
 * Rows of 16 bits are what bytes of blocks and keys hold: columns of them, and back. It is the same
 * either way.
 */
static void transpose(uint16_t to[4], const uint16_t from[4])
{
    uint8_t i;
    for (i = 0; i < 4; i++) {
        const uint8_t shift = (uint8_t)(12 - 4 * i);
        to[i] = (uint16_t)((from[0] >> shift & 15) << 12 | (from[1] >> shift & 15) << 8 |
                           (from[2] >> shift & 15) << 4 | (from[3] >> shift & 15));
    }
}

static void load(uint16_t columns[4], const uint8_t in[8])
{
    uint16_t rows[4];
    uint8_t i;
    for (i = 0; i < 4; i++)
        rows[i] = mote_load16be(in + 2 * i);
    transpose(columns, rows);
}

static void store(uint8_t out[8], const uint16_t columns[4])
{
    uint16_t rows[4];
    uint8_t i;
    transpose(rows, columns);
    for (i = 0; i < 4; i++)
        mote_store16be(out + 2 * i, rows[i]);
}

static void add_key(uint16_t c[4], const uint16_t key[4])
{
    uint8_t i;
    for (i = 0; i < 4; i++)
        c[i] ^= key[i];
}

static inline uint8_t upper(uint16_t v)
{
    return (uint8_t)((uint8_t)v >> 4);
}

static inline uint8_t lower(uint16_t v)
{
    return (uint8_t)(v & 15);
}

/* Value that AddConstants adds to the second column. */
static uint16_t second_column(uint8_t round)
{
    const uint8_t c = constants[round];
    return (uint16_t)((uint16_t)c << 8 | c);
}

/* S-boxes, ShiftRows and MixColumnsSerial of one new column, which come from these old ones. */
static uint16_t column(uint16_t r0, uint16_t r1, uint16_t r2, uint16_t r3)
{
    const uint8_t n0 = upper(r0 >> 8), n1 = lower(r1 >> 8), n2 = upper(r2), n3 = lower(r3);
    return forward[0][n0] ^ forward[1][n1] ^ forward[2][n2] ^ forward[3][n3];
}

static void encrypt(const led_schedule *s, uint8_t rounds, const uint8_t *in, uint8_t *out)
{
    uint16_t c[4];
    uint8_t round, half = 0;
    load(c, in);
    for (round = 0; round < rounds; round++) {
        uint16_t c0 = c[0] ^ s->constant, c1 = c[1] ^ second_column(round), c2 = c[2], c3 = c[3];
        if ((round & 3) == 0) {
            const uint16_t *key = s->key[half];
            half ^= 1;
            c0 ^= key[0];
            c1 ^= key[1];
            c2 ^= key[2];
            c3 ^= key[3];
        }
        c[0] = column(c0, c1, c2, c3);
        c[1] = column(c1, c2, c3, c0);
        c[2] = column(c2, c3, c0, c1);
        c[3] = column(c3, c0, c1, c2);
    }
    add_key(c, s->key[0]);
    store(out, c);
}

static uint16_t unmix(uint16_t c)
{
    return backward[0][upper(c >> 8)] ^ backward[1][lower(c >> 8)] ^ backward[2][upper(c)] ^
           backward[3][lower(c)];
}

/* ShiftRows and S-boxes undone, of one column. */
static uint16_t uncolumn(uint16_t r0, uint16_t r1, uint16_t r2, uint16_t r3)
{
    const uint8_t n0 = upper(r0 >> 8), n1 = lower(r1 >> 8), n2 = upper(r2), n3 = lower(r3);
    const uint8_t high = (uint8_t)(inverse_sbox[n0] << 4 | inverse_sbox[n1]);
    return (uint16_t)((uint16_t)high << 8 | (uint8_t)(inverse_sbox[n2] << 4 | inverse_sbox[n3]));
}

static void decrypt(const led_schedule *s, uint8_t rounds, const uint8_t *in, uint8_t *out)
{
    uint16_t c[4];
    uint8_t round = rounds, half = 1;
    load(c, in);
    add_key(c, s->key[0]);
    while (round-- > 0) {
        const uint16_t c0 = unmix(c[0]), c1 = unmix(c[1]), c2 = unmix(c[2]), c3 = unmix(c[3]);
        c[0] = uncolumn(c0, c3, c2, c1) ^ s->constant;
        c[1] = uncolumn(c1, c0, c3, c2) ^ second_column(round);
        c[2] = uncolumn(c2, c1, c0, c3);
        c[3] = uncolumn(c3, c2, c1, c0);
        if ((round & 3) == 0) {
            add_key(c, s->key[half]);
            half ^= 1;
        }
    }
    store(out, c);
}

static void set_key_64(void *schedule, const uint8_t *key)
{
    led_schedule *s = schedule;
    load(s->key[0], key);
    load(s->key[1], key);
    /* Row number xor half of the key length in bits: the upper one in rows 0 and 1. */
    s->constant = 0x4523;
}

static void set_key_128(void *schedule, const uint8_t *key)
{
    led_schedule *s = schedule;
    load(s->key[0], key);
    load(s->key[1], key + 8);
    s->constant = 0x8923;
}

static void encrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt(schedule, 32, in, out);
}

static void decrypt_64(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt(schedule, 32, in, out);
}

static void encrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    encrypt(schedule, 48, in, out);
}

static void decrypt_128(const void *schedule, const uint8_t *in, uint8_t *out)
{
    decrypt(schedule, 48, in, out);
}

static const mote_block_cipher ciphers[] = {
    {.name = "led-64",
     .block_len = 8,
     .key_len = 8,
     .schedule_len = sizeof(led_schedule),
     .set_key = set_key_64,
     .encrypt = encrypt_64,
     .decrypt = decrypt_64},
    {.name = "led-128",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = sizeof(led_schedule),
     .set_key = set_key_128,
     .encrypt = encrypt_128,
     .decrypt = decrypt_128},
};

MOTE_IMPLEMENTATION(led) = {.name = "led", MOTE_BLOCKS(ciphers)};

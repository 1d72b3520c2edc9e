/*
 * XTEA.
 *
 * Specification: R. Needham, D. Wheeler: Tea extensions, technical report, University of Cambridge,
 * 1997: 64 Feistel rounds on two words of 32 bits; words big-endian, which the report
 * leaves open and all known answers have.
 *
 * Trades: nothing is prepared, the key is read in each round. No tables. Time: no look-up and no
 * branch depends on a secret: which word of the key is read depends on the round alone.
 */
#include "mote/bytes.h"
#include "mote/cipher.h"

enum { CYCLES = 32 };
#define DELTA UINT32_C(0x9e3779b9) /* the report's: (sqrt(5) - 1) * 2^31 */

static void set_key(void *schedule, const uint8_t *key)
{
    uint32_t *k = schedule;
    for (uint8_t i = 0; i < 4; i++)
        k[i] = mote_load32be(key + 4 * i);
}

static inline uint32_t mix(uint32_t v)
{
    return (v << 4 ^ v >> 5) + v;
}

static void encrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *k = schedule;
    uint32_t y = mote_load32be(in), z = mote_load32be(in + 4), sum = 0;
    for (uint8_t i = 0; i < CYCLES; i++) {
        y += mix(z) ^ (sum + k[sum & 3]);
        sum += DELTA;
        z += mix(y) ^ (sum + k[sum >> 11 & 3]);
    }
    mote_store32be(out, y);
    mote_store32be(out + 4, z);
}

static void decrypt(const void *schedule, const uint8_t *in, uint8_t *out)
{
    const uint32_t *k = schedule;
    uint32_t y = mote_load32be(in), z = mote_load32be(in + 4), sum = DELTA * CYCLES;
    for (uint8_t i = 0; i < CYCLES; i++) {
        z -= mix(y) ^ (sum + k[sum >> 11 & 3]);
        sum -= DELTA;
        y -= mix(z) ^ (sum + k[sum & 3]);
    }
    mote_store32be(out, y);
    mote_store32be(out + 4, z);
}

static const mote_block_cipher ciphers[] = {
    {.name = "xtea",
     .block_len = 8,
     .key_len = 16,
     .schedule_len = 16,
     .set_key = set_key,
     .encrypt = encrypt,
     .decrypt = decrypt},
};

MOTE_IMPLEMENTATION(xtea) = {.name = "xtea", MOTE_BLOCKS(ciphers), .constant_time = 1};

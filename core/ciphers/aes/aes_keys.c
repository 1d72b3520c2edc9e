#include "aes_keys.h"

#if !MOTE_ASSEMBLY_ARMV6M

#include "mote/bytes.h"

#if !MOTE_ASSEMBLY_ARMV7M && !MOTE_ASSEMBLY_RISCV32
static uint32_t sub_word(uint32_t word, const uint8_t MOTE_FLASH sbox[256])
{
    return sbox[word & 0xff] | (uint32_t)sbox[word >> 8 & 0xff] << 8 |
           (uint32_t)sbox[word >> 16 & 0xff] << 16 | (uint32_t)sbox[word >> 24] << 24;
}

void mote_aes_expand(uint32_t *next, const uint8_t *key, uint32_t words,
                     const uint8_t MOTE_FLASH sbox[256])
{
    const uint32_t *before = next, *end = next + 4 * (words + 7);
    uint32_t constant = 1, position = 0, last = 0;
    for (uint32_t i = 0; i < words; i++)
        *next++ = last = mote_load32le(key + 4 * i);
    while (next < end) {
        if (position == 0) {
            last = sub_word(mote_rotr32(last, 8), sbox) ^ constant;
            constant = (constant << 1) ^ (constant >> 7) * 0x11b;
        } else if (position == 4 && words == 8) {
            last = sub_word(last, sbox);
        }
        last ^= *before++;
        *next++ = last;
        position = position + 1 == words ? 0 : position + 1;
    }
}
#endif

static inline void exchange(uint32_t *a, uint32_t *b, uint32_t mask, uint8_t shift)
{
    uint32_t differ = (*a >> shift ^ *b) & mask;
    *b ^= differ;
    *a ^= differ << shift;
}

void mote_aes_transpose_keys(uint32_t *key, const uint32_t *end)
{
    for (; key < end; key += 4) {
        exchange(&key[0], &key[1], UINT32_C(0x00ff00ff), 8);
        exchange(&key[2], &key[3], UINT32_C(0x00ff00ff), 8);
        exchange(&key[0], &key[2], UINT32_C(0x0000ffff), 16);
        exchange(&key[1], &key[3], UINT32_C(0x0000ffff), 16);
    }
}

#endif

/*
 * The key register of PRESENT (Bogdanov et al., CHES 2007, section 3 and appendix II) in words of
 * 32 bits. A round key is its upper two words; between two it turns by 61 bits to the left, the
 * S-box changes its top, and the number of the round, from 1 on, is added.
 */
#ifndef MOTE_PRESENT_KEY_REGISTER_H
#define MOTE_PRESENT_KEY_REGISTER_H

#include <stdint.h>

#include "mote/bytes.h"
#include "sbox.h"

/* The upper 64 bits, then 16 bits in `rest`, or 64 in `rest` and `lowest`. */
typedef struct present_register { uint32_t high, low, rest, lowest; } present_register;

#define PRESENT_INLINE static inline __attribute__((always_inline))

PRESENT_INLINE present_register present_register_80(const uint8_t key[10])
{
    return (present_register){
        mote_load32be(key), mote_load32be(key + 4), mote_load16be(key + 8), 0};
}

PRESENT_INLINE present_register present_next_80(present_register k, uint8_t round)
{
    const uint32_t high = k.rest << 13 | k.high >> 19 | k.low << 29;
    return (present_register){
        (high & UINT32_C(0x0fffffff)) | (uint32_t)present_sbox[high >> 28] << 28,
        (k.high << 13 | k.low >> 19) ^ round >> 1,
        (k.low >> 3 & 0xffff) ^ (uint32_t)(round & 1) << 15,
        0,
    };
}

PRESENT_INLINE present_register present_register_128(const uint8_t key[16])
{
    return (present_register){mote_load32be(key), mote_load32be(key + 4), mote_load32be(key + 8),
                              mote_load32be(key + 12)};
}

PRESENT_INLINE present_register present_next_128(present_register k, uint8_t round)
{
    const uint32_t high = k.rest >> 3 | k.low << 29;
    return (present_register){
        (high & UINT32_C(0x00ffffff)) | (uint32_t)present_sbox[high >> 28] << 28 |
            (uint32_t)present_sbox[high >> 24 & 15] << 24,
        (k.lowest >> 3 | k.rest << 29) ^ round >> 2,
        (k.high >> 3 | k.lowest << 29) ^ (uint32_t)(round & 3) << 30,
        k.low >> 3 | k.high << 29,
    };
}

#endif

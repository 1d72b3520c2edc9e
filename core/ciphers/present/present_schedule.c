#include "present_schedule.h"
#include "mote/assembly.h"

#if !MOTE_ASSEMBLY_AVR

#include <string.h>

#include "mote/bytes.h"
#include "mote/cipher.h"
#include "mote/modes.h"
#include "sbox.h"

#if MOTE_SMALL
/* The key register as bytes, the most significant first. */
static void expand(uint8_t *round_key, const uint8_t *key, uint8_t len)
{
    uint8_t k[16], rotated[16], i, j, to;
    memcpy(k, key, len);
    for (i = 1;; i++) {
        for (j = 0; j < 8; j++)
            round_key[j] = k[7 - j];
        if (i > PRESENT_ROUNDS)
            break;
        round_key += 8;
        to = (uint8_t)(len - 8);
        /* To the left by 61 bits: to the right by 3 and to the left by 8 bytes. */
        for (j = 0; j < len; j++) {
            uint8_t before = k[j == 0 ? len - 1 : j - 1];
            rotated[to] = (uint8_t)(k[j] >> 3 | before << 5);
            to = (uint8_t)(to + 1 == len ? 0 : to + 1);
        }
        memcpy(k, rotated, len);
        if (len == 10) {
            k[0] = (uint8_t)(present_sbox[k[0] >> 4] << 4 | (k[0] & 0x0f));
            k[7] ^= (uint8_t)(i >> 1);
            k[8] ^= (uint8_t)(i << 7);
        } else {
            k[0] = (uint8_t)(present_sbox[k[0] >> 4] << 4 | present_sbox[k[0] & 0x0f]);
            k[7] ^= (uint8_t)(i >> 2);
            k[8] ^= (uint8_t)(i << 6);
        }
    }
    mote_wipe(k, sizeof k);
    mote_wipe(rotated, sizeof rotated);
}

void mote_present_set_key_80(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 10);
}

void mote_present_set_key_128(void *schedule, const uint8_t *key)
{
    expand(schedule, key, 16);
}
#else
/* The key register as a word of 64 bits and the rest. */
void mote_present_set_key_80(void *schedule, const uint8_t *key)
{
    uint8_t *round_key = schedule, i;
    uint64_t high = mote_load64be(key);
    uint32_t low = mote_load16be(key + 8);
    for (i = 1;; i++, round_key += 8) {
        mote_store64le(round_key, high);
        if (i > PRESENT_ROUNDS)
            break;
        const uint64_t turned = high << 61 | (uint64_t)low << 45 | high >> 19;
        low = (uint32_t)(high >> 3 & 0xffff) ^ (uint32_t)(i & 1) << 15;
        high = (turned & UINT64_C(0x0fffffffffffffff)) | (uint64_t)present_sbox[turned >> 60] << 60;
        high ^= i >> 1;
    }
}

void mote_present_set_key_128(void *schedule, const uint8_t *key)
{
    uint8_t *round_key = schedule, i;
    uint64_t high = mote_load64be(key), low = mote_load64be(key + 8);
    for (i = 1;; i++, round_key += 8) {
        mote_store64le(round_key, high);
        if (i > PRESENT_ROUNDS)
            break;
        const uint64_t turned = high << 61 | low >> 3;
        low = (low << 61 | high >> 3) ^ (uint64_t)(i & 3) << 62;
        high = (turned & UINT64_C(0x00ffffffffffffff)) |
               (uint64_t)present_sbox[turned >> 60] << 60 |
               (uint64_t)present_sbox[turned >> 56 & 15] << 56;
        high ^= i >> 2;
    }
}
#endif

#endif

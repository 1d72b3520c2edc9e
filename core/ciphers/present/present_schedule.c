#include "present_schedule.h"
#include "mote/assembly.h"

#if !MOTE_ASSEMBLY_AVR

#include <string.h>

#include "key_register.h"
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
static void store(uint8_t *round_key, present_register k)
{
    mote_store32le(round_key, k.low);
    mote_store32le(round_key + 4, k.high);
}

void mote_present_set_key_80(void *schedule, const uint8_t *key)
{
    present_register k = present_register_80(key);
    uint8_t *round_key = schedule, i = 0;
    for (;; round_key += 8) {
        store(round_key, k);
        if (i++ == PRESENT_ROUNDS)
            break;
        k = present_next_80(k, i);
    }
}

void mote_present_set_key_128(void *schedule, const uint8_t *key)
{
    present_register k = present_register_128(key);
    uint8_t *round_key = schedule, i = 0;
    for (;; round_key += 8) {
        store(round_key, k);
        if (i++ == PRESENT_ROUNDS)
            break;
        k = present_next_128(k, i);
    }
}
#endif

#endif

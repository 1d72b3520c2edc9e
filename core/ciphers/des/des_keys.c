#include "des_keys.h"

#include "mote/flash.h"

/* Permuted choice 2, FIPS 46-3, appendix 1; positions from 0. Its first half picks from C, its second from D. */
static const uint8_t MOTE_FLASH choice[48] = {
    13, 16, 10, 23, 0,  4,  2,  27, 14, 5,  20, 9,  22, 18, 11, 3,  25, 7,  15, 6,  26, 19, 12, 1,
    40, 51, 30, 36, 46, 54, 29, 39, 50, 44, 32, 47, 43, 48, 38, 55, 33, 52, 45, 41, 49, 35, 28, 31,
};

/* Permuted choice 1: the bits of C, then those of D, one in a byte. Bit 1 of a key is the highest of its first byte. */
static void choose(uint8_t bits[56], const uint8_t *key)
{
    int8_t position = 57;
    for (uint8_t i = 0; i < 56; i++) {
        uint8_t from = (uint8_t)(position - 1);
        bits[i] = key[from >> 3] >> (7 - (from & 7)) & 1;
        position = (int8_t)(position - 8);
        if (i == 27)
            position = 63;
        else if (position == -3)
            position = 28;
        else if (position < 1)
            position = (int8_t)(position + (i < 28 ? 65 : 63));
    }
}

static mote_des_round *set_rounds(mote_des_round *round, const uint8_t *key, uint8_t backwards)
{
    uint8_t bits[56];
    choose(bits, key);
    /* Before round i the halves have been turned left by `shift`; backwards the last round is the first. */
    uint8_t shift = 0;
    for (uint8_t i = 0; i < 16; i++) {
        shift = (uint8_t)(shift + (i == 0 || i == 1 || i == 8 || i == 15 ? 1 : 2));
        mote_des_round *r = &round[backwards ? 15 - i : i];
        const uint8_t MOTE_FLASH *next = choice;
        uint8_t end = 28;
        for (uint8_t box = 0; box < 8; box++) {
            if (box == 4)
                end = 56;
            uint8_t six = 0;
            for (uint8_t j = 0; j < 6; j++) {
                uint8_t from = (uint8_t)(*next++ + shift);
                if (from >= end)
                    from = (uint8_t)(from - 28);
                six = (uint8_t)(six << 1 | bits[from]);
            }
            uint32_t moved = r->odd << 8 | (uint8_t)(six << 2);
            r->odd = r->even;
            r->even = moved;
        }
    }
    mote_wipe(bits, sizeof bits);
    return round + 16;
}

void mote_des_set_key(void *schedule, const uint8_t *key)
{
    set_rounds(schedule, key, 0);
}

void mote_des_set_decrypt_key(void *schedule, const uint8_t *key)
{
    set_rounds(schedule, key, 1);
}

void mote_3des_set_key(void *schedule, const uint8_t *key)
{
    set_rounds(set_rounds(set_rounds(schedule, key, 0), key + 8, 1), key + 16, 0);
}

void mote_3des_set_decrypt_key(void *schedule, const uint8_t *key)
{
    set_rounds(set_rounds(set_rounds(schedule, key + 16, 1), key + 8, 0), key, 1);
}

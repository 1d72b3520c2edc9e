#include "des_keys.h"

#include "mote/bytes.h"
#include "mote/flash.h"

enum { HALF = 28, TWICE = 2 * HALF };

/*
 * Permuted choice 2, FIPS 46-3, appendix 1: of C for the first four S-boxes, of D for the others;
 * positions from 0, in C written twice and D written twice.
 */
static const uint8_t MOTE_FLASH choice[48] = {
    13, 16, 10, 23, 0,  4,  2,  27, 14, 5,  20, 9,  22, 18, 11, 3,  25, 7,  15, 6,  26, 19, 12, 1,
    68, 79, 58, 64, 74, 82, 57, 67, 78, 72, 60, 75, 71, 76, 66, 83, 61, 80, 73, 69, 77, 63, 56, 59,
};

/*
 * Permuted choice 1: the bits of C twice, then those of D twice, one in a byte. So C and D turned
 * left by n begin n bytes later. Bit 1 of a key is the highest of its first byte.
 */
static void choose(uint8_t bits[2 * TWICE], const uint8_t *key)
{
    int8_t position = 57;
    for (uint8_t i = 0; i < TWICE; i++) {
        const uint8_t from = (uint8_t)(position - 1);
        const uint8_t bit = key[from >> 3] >> (7 - (from & 7)) & 1;
        uint8_t *at = &bits[i < HALF ? i : i + HALF];
        at[0] = bit;
        at[HALF] = bit;
        position = (int8_t)(position - 8);
        if (i == HALF - 1)
            position = 63;
        else if (position == -3)
            position = 28;
        else if (position < 1)
            position = (int8_t)(position + (i < HALF ? 65 : 63));
    }
}

static mote_des_round *set_rounds(mote_des_round *round, const uint8_t *key, uint8_t backwards)
{
    uint8_t bits[2 * TWICE];
    uint8_t sixes[8]; /* of S1, S3, S5, S7, then of S2, S4, S6, S8 */
    choose(bits, key);
    const uint8_t *turned = bits;
    for (uint8_t i = 0; i < 16; i++) {
        turned += i == 0 || i == 1 || i == 8 || i == 15 ? 1 : 2;
        const uint8_t MOTE_FLASH *next = choice;
        for (uint8_t box = 0; box < 8; box++) {
            uint8_t six = 0;
            for (uint8_t j = 0; j < 6; j++)
                six = (uint8_t)((six | turned[*next++]) << 1);
            sixes[box >> 1 | (box & 1) << 2] = (uint8_t)(six << 1);
        }
        mote_des_round *r = &round[backwards ? 15 - i : i];
        r->odd = mote_load32be(sixes);
        r->even = mote_load32be(sixes + 4);
    }
    mote_wipe(bits, sizeof bits);
    mote_wipe(sixes, sizeof sixes);
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

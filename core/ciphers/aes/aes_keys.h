/* The key schedule of AES on words, shared by the implementations that have words. */
#ifndef MOTE_AES_KEYS_H
#define MOTE_AES_KEYS_H

#include <stdint.h>

#include "mote/assembly.h"
#include "mote/flash.h"

/*
 * FIPS 197, section 5.2: 4 * (words + 7) words of round keys, first byte lowest, from a key of 4, 6
 * or 8.
 */
void mote_aes_expand(uint32_t *next, const uint8_t *key, uint32_t words,
                     const uint8_t MOTE_FLASH sbox[256]);

/* Makes rows of the columns of each round key up to `end`, at least of one. */
void mote_aes_transpose_keys(uint32_t *key, const uint32_t *end);

#if MOTE_ASSEMBLY_ARMV6M
/* InvMixColumns of each word up to `end`, at least of one. */
void mote_aes_mix_back(uint32_t *word, const uint32_t *end);

/*
 * Turns the words 1, 2 and 3 of each round key up to `end` right by so many bits, 16, and so many.
 */
void mote_aes_turn_keys(uint32_t *key, const uint32_t *end, uint32_t column1, uint32_t column3);
#elif MOTE_ASSEMBLY_ARMV7M
/*
 * InvMixColumns of each word up to `end`, at least of one. Only with aes-fast, whose tables it
 * takes.
 */
void mote_aes_fast_mix_back(uint32_t *word, const uint32_t *end);
#endif

#endif

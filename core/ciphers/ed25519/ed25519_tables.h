/* Multiples of the base point of Ed25519, made by tools/ed25519_table.py. */
#ifndef MOTE_ED25519_TABLES_H
#define MOTE_ED25519_TABLES_H

#include "../curve25519/field.h"
#include "mote/flash.h"

enum {
    MOTE_ED25519_FLAT = 3 * MOTE_F25519_WORDS, /* words of a point */
    MOTE_ED25519_COMBS = 4,
    MOTE_ED25519_ENTRIES = 8 /* of each table */
};

/* A point with Z = 1: y + x, y - x and 2 d x y. */
typedef union mote_ed25519_flat {
    struct { mote_f25519 sum, difference, t; };
    uint32_t words[MOTE_ED25519_FLAT];
} mote_ed25519_flat;

/*
 * The combs: (2^192 + 2^128 c + 2^64 b + a) 2^(16 comb) times the base point, where a, b and c are
 * 1 where the bit of the index is 1, -1 where it is 0.
 */
extern const uint32_t MOTE_FLASH
    mote_ed25519_combs[MOTE_ED25519_COMBS][MOTE_ED25519_ENTRIES * MOTE_ED25519_FLAT];

/* 1, 3 to 15 times the base point, and 2^128 times these. */
extern const uint32_t MOTE_FLASH mote_ed25519_odd[2][MOTE_ED25519_ENTRIES * MOTE_ED25519_FLAT];

#endif

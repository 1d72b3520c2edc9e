/* GMAC: SP 800-38D, GCM without a text to encrypt. */
#ifndef MOTE_MODES_GMAC_H
#define MOTE_MODES_GMAC_H

#include "mote/modes.h"

#define MOTE_GMAC_NONCE 12u
#define MOTE_GMAC_TAG 16u

/* A GMAC in the making. */
typedef struct mote_gmac {
    const mote_block_cipher *cipher; /* with blocks of 16 bytes */
    const void *schedule;
    uint32_t h[4], y[4];           /* hash key, and hash so far */
    uint8_t first[MOTE_BLOCK_MAX]; /* encrypted first counter block, which hides the hash */
    uint64_t len;                  /* bytes of the message so far */
} mote_gmac;

/* Takes a schedule of set_key, and derives the hash key. */
void mote_gmac_bind(mote_gmac *gmac, const mote_block_cipher *cipher, const void *schedule);
/* Begins a message. A nonce that comes twice under one key gives the hash key away. */
void mote_gmac_start(mote_gmac *gmac, const uint8_t nonce[MOTE_GMAC_NONCE]);
void mote_gmac_update(mote_gmac *gmac, const uint8_t *in, size_t len);
/* A shorter tag is its first bytes. */
void mote_gmac_finish(mote_gmac *gmac, uint8_t tag[MOTE_GMAC_TAG]);

#endif

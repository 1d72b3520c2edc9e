/* CMAC: SP 800-38B, for EAX. */
#ifndef MOTE_MODES_CMAC_H
#define MOTE_MODES_CMAC_H

#include "mote/modes.h"

/* The first subkey, block_len bytes. The second is its double. */
void mote_cmac_subkey(const mote_block_cipher *cipher, const void *schedule, uint8_t *twice);

/* Begins a message whose first block is [prefix], a number (OMAC^t of the EAX paper). */
void mote_cmac_start(mote_cmac *cmac, const mote_block_cipher *cipher, const void *schedule,
                     uint8_t prefix);
void mote_cmac_update(mote_cmac *cmac, const uint8_t *in, size_t len);
/* Leaves the MAC in cmac->mac. */
void mote_cmac_finish(mote_cmac *cmac, const uint8_t *twice);

#endif

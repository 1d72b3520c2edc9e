/* Ascon-CXOF128 with a customization string of one's own; the implementation has a fixed one. */
#ifndef MOTE_ASCON_CXOF_H
#define MOTE_ASCON_CXOF_H

#include <stddef.h>
#include <stdint.h>

/*
 * Begins a message under the string `z` of at most 256 bytes, which is public. `state` is that of
 * the implementation's hash.
 */
void mote_ascon_cxof128_start(void *state, const uint8_t *z, size_t len);

#endif

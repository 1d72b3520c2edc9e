/*
 * Cuts a message into blocks, pads it and adds its length: what MD5, SHA-1 and SHA-2 have in common
 * (FIPS 180-4, section 5).
 */
#ifndef MOTE_MERKLE_DAMGARD_H
#define MOTE_MERKLE_DAMGARD_H

#include <stddef.h>
#include <stdint.h>

typedef struct mote_md_kind {
    uint8_t block_len;  /* bytes: 64 or 128 */
    uint8_t length_len; /* bytes of the length at the end: 8 or 16 */
    uint8_t big_endian; /* the length */
    void (*compress)(void *chain, const uint8_t *block);
} mote_md_kind;

/* `chain` is what `compress` works on; `bytes` counts, 0 at first; `block` has block_len bytes. */
void mote_md_update(const mote_md_kind *kind, void *chain, uint64_t *bytes, uint8_t *block,
                    const uint8_t *in, size_t len);
void mote_md_finish(const mote_md_kind *kind, void *chain, uint64_t *bytes, uint8_t *block);

#endif

/* Small things done to byte strings. */
#ifndef MOTEBENCH_BYTES_H
#define MOTEBENCH_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32/ISO-HDLC, the one of zlib. Begin with 0; a result can be continued with more bytes. */
uint32_t mb_crc32(uint32_t crc, const uint8_t *data, size_t len);

/*
 * The fill stream (docs/reference/probe-protocol.md): xorshift32 with shifts 13, 17, 5
 * (Marsaglia 2003). `seed` is not 0.
 */
void mb_fill(uint32_t seed, uint8_t *out, size_t len);

#endif

/*
 * PKCS#7 padding (RFC 5652 6.3), for libraries whose users pad messages themselves. Blocks have 1
 * to 255 bytes.
 */
#ifndef MOTEBENCH_SUPPORT_PKCS7_H
#define MOTEBENCH_SUPPORT_PKCS7_H

#include <stddef.h>
#include <stdint.h>

/*
 * Makes the last block of a message: its last `len` < `block_len` bytes, which are at `in`, and the
 * padding.
 */
void mb_pkcs7_pad(uint8_t *block, size_t block_len, const uint8_t *in, size_t len);

/*
 * Bytes of padding at the end of `block`, the last one of a message; 0 if they are wrong. Neither a
 * branch nor an index depends on the contents.
 */
size_t mb_pkcs7_padding(const uint8_t *block, size_t block_len);

#endif

/*
 * Streaming in chunks of any length, for libraries whose calls take whole blocks (all of them, or
 * all but the last).
 */
#ifndef MOTEBENCH_SUPPORT_BLOCK_BUFFER_H
#define MOTEBENCH_SUPPORT_BLOCK_BUFFER_H

#include <stdbool.h>

#include "motebench/adapter.h"

#define MB_BLOCK_BUFFER_MAX 64u /* longest block, in bytes */

/* Bytes that wait for the rest of their block; zeroed at the beginning of a message. */
typedef struct mb_block_buffer {
    uint8_t bytes[MB_BLOCK_BUFFER_MAX];
    size_t len;
} mb_block_buffer;

/* Processes the next `len` > 0 bytes of the message, whole blocks; `out` does not overlap `in`. */
typedef mb_status (*mb_process)(mb_job *job, const uint8_t *in, size_t len, uint8_t *out);

/*
 * `update` of an adapter: passes what fills whole blocks of `block` bytes on to `process` and holds
 * the rest back, with `keep_last` (padding to be checked) at least one byte of it. `out` needs room
 * for in_len and one block more.
 */
mb_status mb_block_buffer_update(mb_block_buffer *buffer, size_t block, bool keep_last,
                                 mb_process process, mb_job *job, const uint8_t *in, size_t in_len,
                                 uint8_t *out, size_t *out_len);

#endif

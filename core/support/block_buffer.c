#include "support/block_buffer.h"

#include <string.h>

mb_status mb_block_buffer_update(mb_block_buffer *buffer, size_t block, bool keep_last,
                                 mb_process process, mb_job *job, const uint8_t *in, size_t in_len,
                                 uint8_t *out, size_t *out_len)
{
    size_t todo = buffer->len + in_len;
    if (keep_last && todo > 0)
        todo--;
    todo -= todo % block;
    mb_status status = MB_OK;
    *out_len = todo;
    if (buffer->len > 0 && todo > 0) {
        size_t fill = block - buffer->len;
        memcpy(buffer->bytes + buffer->len, in, fill);
        status = process(job, buffer->bytes, block, out);
        buffer->len = 0;
        in += fill;
        in_len -= fill;
        out += block;
        todo -= block;
    }
    if (status == MB_OK && todo > 0)
        status = process(job, in, todo, out);
    if (in_len > todo) {
        memcpy(buffer->bytes + buffer->len, in + todo, in_len - todo);
        buffer->len += in_len - todo;
    }
    return status;
}

#include "support/held.h"

#include <string.h>

mb_status mb_held_update(mb_held *held, size_t block, bool keep_last, mb_process process, mb_job *job,
                         const uint8_t *in, size_t in_len, uint8_t *out, size_t *out_len)
{
    size_t todo = held->len + in_len;
    if (keep_last && todo > 0)
        todo--;
    todo -= todo % block;
    mb_status status = MB_OK;
    *out_len = todo;
    if (held->len > 0 && todo > 0) {
        size_t fill = block - held->len;
        memcpy(held->bytes + held->len, in, fill);
        status = process(job, held->bytes, block, out);
        held->len = 0;
        in += fill;
        in_len -= fill;
        out += block;
        todo -= block;
    }
    if (status == MB_OK && todo > 0)
        status = process(job, in, todo, out);
    if (in_len > todo) {
        memcpy(held->bytes + held->len, in + todo, in_len - todo);
        held->len += in_len - todo;
    }
    return status;
}

#include "merkle_damgard.h"

#include <string.h>

#include "mote/bytes.h"

void mote_md_update(const mote_md_kind *kind, void *chain, uint64_t *bytes, uint8_t *block,
                    const uint8_t *in, size_t len)
{
    uint8_t filled = (uint8_t)(*bytes & (uint8_t)(kind->block_len - 1));
    *bytes += len;
    while (len > 0) {
        const uint8_t left = (uint8_t)(kind->block_len - filled);
        const uint8_t n = (uint8_t)(len < left ? len : left);
        if (n == kind->block_len) {
            kind->compress(chain, in);
        } else {
            memcpy(block + filled, in, n);
            filled = (uint8_t)(filled + n);
            if (filled == kind->block_len) {
                kind->compress(chain, block);
                filled = 0;
            }
        }
        in += n;
        len -= n;
    }
}

void mote_md_finish(const mote_md_kind *kind, void *chain, uint64_t *bytes, uint8_t *block)
{
    const uint8_t end = (uint8_t)(kind->block_len - kind->length_len);
    uint8_t filled = (uint8_t)(*bytes & (uint8_t)(kind->block_len - 1));
    block[filled++] = 0x80;
    if (filled > end) {
        memset(block + filled, 0, (size_t)(kind->block_len - filled));
        kind->compress(chain, block);
        filled = 0;
    }
    memset(block + filled, 0, (size_t)(kind->block_len - filled));
    if (kind->big_endian)
        mote_store64be(block + kind->block_len - 8, *bytes << 3);
    else
        mote_store64le(block + end, *bytes << 3);
    kind->compress(chain, block);
}

#include "support/pkcs7.h"

#include <string.h>

void mb_pkcs7_pad(uint8_t *block, size_t block_len, const uint8_t *in, size_t len)
{
    if (len > 0)
        memcpy(block, in, len);
    memset(block + len, (int)(block_len - len), block_len - len);
}

size_t mb_pkcs7_padding(const uint8_t *block, size_t block_len)
{
    uint32_t count = block[block_len - 1];
    /* Top bit set: count is 0 or exceeds the block. */
    uint32_t bad = (count - 1u) | ((uint32_t)block_len - count);
    bad >>= 31;
    uint32_t differs = 0;
    for (uint32_t i = 0; i < block_len; i++) {
        uint32_t inside = 0u - ((i - count) >> 31); /* all ones where i < count */
        differs |= inside & (block[block_len - 1 - i] ^ count);
    }
    bad |= (0u - differs) >> 31;
    return (size_t)(count & (bad - 1u));
}

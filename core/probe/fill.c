#include "bytes.h"

void mb_fill(uint32_t seed, uint8_t *out, size_t len)
{
    uint32_t s = seed;
    for (size_t i = 0; i < len; i++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        out[i] = (uint8_t)s;
    }
}

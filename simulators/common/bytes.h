/* Memory byte by byte, little-endian, whatever the order of the host's bytes; compilers make one
 * access of it. */
#ifndef MOTEBENCH_SIMULATOR_BYTES_H
#define MOTEBENCH_SIMULATOR_BYTES_H

#include <stdint.h>

static inline uint32_t sim_get16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t sim_get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void sim_put16(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static inline void sim_put32(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
    p[2] = (uint8_t)(value >> 16);
    p[3] = (uint8_t)(value >> 24);
}

/* The same of 1, 2 or 4 bytes. */
static inline uint32_t sim_get(const uint8_t *p, unsigned size)
{
    return size == 4 ? sim_get32(p) : size == 2 ? sim_get16(p) : *p;
}

static inline void sim_put(uint8_t *p, unsigned size, uint32_t value)
{
    if (size == 4)
        sim_put32(p, value);
    else if (size == 2)
        sim_put16(p, value);
    else
        *p = (uint8_t)value;
}

#endif

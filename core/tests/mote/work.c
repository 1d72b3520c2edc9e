#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, PATTERN = 0xa7 };

static const char *implementation_name, *scheme_name, *mode_name;

void about(const mote_implementation *implementation, const char *name, const char *mode)
{
    implementation_name = implementation->name;
    scheme_name = name;
    mode_name = mode;
}

void complain(void)
{
    (void)fprintf(stderr, "  in %s: %s%s%s\n", implementation_name, scheme_name,
                  mode_name[0] ? "-" : "", mode_name);
}

size_t number(size_t below)
{
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (size_t)((uint64_t)state * below >> 32);
}

void fill(uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)number(256);
}

guarded guarded_new(size_t len, size_t offset)
{
    uint8_t *base = malloc(len + offset + 2 * (size_t)GUARD);
    if (base == NULL)
        abort();
    memset(base, PATTERN, len + offset + 2 * (size_t)GUARD);
    guarded memory = {base + GUARD + offset, len, offset};
    fill(memory.at, len);
    return memory;
}

static bool pattern(const uint8_t *bytes, size_t len)
{
    uint8_t differs = 0;
    for (size_t i = 0; i < len; i++)
        differs |= bytes[i] ^ PATTERN;
    return differs == 0;
}

bool guarded_whole(const guarded *memory)
{
    return pattern(memory->at - memory->offset - GUARD, GUARD + memory->offset) &&
           pattern(memory->at + memory->len, GUARD);
}

void guarded_free(guarded *memory)
{
    free(memory->at - memory->offset - GUARD);
    memory->at = NULL;
}

size_t piece(size_t left, size_t unit)
{
    const size_t units = left / unit;
    size_t n = number(4) == 0 ? units : number(units < 20 ? units + 1 : 20);
    return n * unit;
}

size_t next_len(size_t len, size_t block_len)
{
    static const size_t batches[] = {9, 16, 21};
    if (len < 4 * block_len)
        return len + 1;
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        const size_t more = batches[i] * block_len + i * (block_len / 2 + 1);
        if (more > len)
            return more;
    }
    return SIZE_MAX;
}

bool all_zero(const uint8_t *bytes, size_t len)
{
    uint8_t some = 0;
    for (size_t i = 0; i < len; i++)
        some |= bytes[i];
    return some == 0;
}

/*
 * Drives a simulator's fuzz target without libFuzzer: inputs that the including file makes, mutated
 * by a generator that a seed repeats. Before it, that file includes the declaration of
 * random_below.
 */
#ifndef MOTEBENCH_FUZZ_IMAGE_H
#define MOTEBENCH_FUZZ_IMAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

enum { FUZZ_MOST = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static uint32_t state;

static uint32_t number(uint32_t below)
{
    return random_below(&state, below);
}

/* A whole word of an extreme value. */
static void put_extreme(uint8_t *at)
{
    const uint32_t value = number(2) ? 0xffffffffu - number(64) : number(0x10000);
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static size_t mutate(uint8_t *bytes, size_t len)
{
    for (uint32_t times = number(8); times > 0; times--) {
        const size_t at = number((uint32_t)len);
        switch (number(4)) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << number(8));
            break;
        case 1:
            bytes[at] = (uint8_t)number(256);
            break;
        case 2:
            len = number(8) == 0 ? at + 1 : len;
            break;
        default:
            if ((at & ~(size_t)3) + 4 <= len)
                put_extreme(bytes + (at & ~(size_t)3));
            break;
        }
    }
    return len;
}

/*
 * The main program, with its arguments: [iterations] [seed]. `make` writes an input behind its
 * first byte, which it writes too, and gives the length without that byte, up to FUZZ_MOST.
 */
static int fuzz(int argc, char **argv, unsigned long usual, size_t (*make)(uint8_t *input))
{
    const unsigned long iterations = argc > 1 ? strtoul(argv[1], NULL, 10) : usual;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    static uint8_t input[1 + FUZZ_MOST];
    check_begin();
    state = seed != 0 ? (uint32_t)seed : 1;
    for (unsigned long i = 0; i < iterations; i++) {
        size_t len = make(input);
        if (number(8) != 0)
            len = mutate(input + 1, len);
        (void)LLVMFuzzerTestOneInput(input, 1 + len);
        CHECK(true); /* survived; the target itself aborts on what must not be */
    }
    return check_end();
}

#endif

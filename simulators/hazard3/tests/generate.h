/* Random programs for a Hazard3 that leave what they computed, and the cycles it took, in
 * memory. */
#ifndef MOTEBENCH_HAZARD3_TEST_GENERATE_H
#define MOTEBENCH_HAZARD3_TEST_GENERATE_H

#include <stdint.h>

/* The program begins at address 0, its trap handler stands at HANDLER; DATA, STACK and LOG lie
 * behind it. A store to END ends it. */
enum {
    IMAGE_LENGTH = 0x10000,
    HANDLER = 0x40,
    DATA = 0x20000,
    STACK = 0x28000,
    LOG = 0x30000,
    MEMORY = 0x100000
};
#define END 0x80000000u

/* The next number of a sequence, below this one (xorshift). */
uint32_t random_below(uint32_t *state, uint32_t below);

void generate(uint8_t image[IMAGE_LENGTH], uint32_t seed);

/* Parts of such a program: some instructions at `at`, of which none reads the cycle counter (the
 * address behind them); and the handler. */
uint32_t generate_step(uint8_t image[IMAGE_LENGTH], uint32_t at, uint32_t *state);
void generate_handler(uint8_t image[IMAGE_LENGTH]);

#endif

/* Random programs of ARMv6-M instructions that stay inside their memory, and leave everything they computed in RAM. */
#ifndef MOTEBENCH_CORTEXM_TEST_GENERATE_H
#define MOTEBENCH_CORTEXM_TEST_GENERATE_H

#include <stddef.h>
#include <stdint.h>

enum { RAM_AT = 0x20000000, RAM_LENGTH = 0x4000, IMAGE_LENGTH = 0x10000 };

/* Numbers from a seed: xorshift. */
uint32_t random_below(uint32_t *state, uint32_t below);

/*
 * Fills `image`, which begins at address 0 with a vector table. The program ends by writing all of RAM to standard
 * output by semihosting (BKPT 0xab), then exits by it.
 */
void generate(uint8_t image[IMAGE_LENGTH], uint32_t seed);

#endif

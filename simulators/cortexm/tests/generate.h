/* Random programs of ARMv6-M and ARMv7-M instructions that stay inside their memory, and leave
 * everything they computed in RAM. */
#ifndef MOTEBENCH_CORTEXM_TEST_GENERATE_H
#define MOTEBENCH_CORTEXM_TEST_GENERATE_H

#include <stddef.h>
#include <stdint.h>

enum { RAM_AT = 0x20000000, RAM_LENGTH = 0x4000, IMAGE_LENGTH = 0x10000 };

/* Numbers from a seed: xorshift. */
uint32_t random_below(uint32_t *state, uint32_t below);

/* A program that grows. */
typedef struct program {
    uint8_t *image;
    uint32_t at, state;
} program;

/* A number of the program's stream; a word that is often a corner of flags and shifts. */
uint32_t pick(program *p, uint32_t below);
uint32_t value(program *p);
void emit(program *p, uint32_t halfword);
/* Low register = constant; no flags change. */
void constant(program *p, uint32_t reg, uint32_t word);
/* Some 16-bit instruction on low registers. */
void data_processing(program *p);

/* Some instructions of ARMv7-M, and of the DSP extension and the floating-point unit:
 * generate_v7m.c, generate_float.c. */
void of_armv7m(program *p);
void of_armv7em(program *p);
void of_armv8m(program *p); /* without a floating-point unit */
void of_float(program *p);
/* A load or store of ARMv7-M with any base, wherever that leads. */
void any_transfer(program *p);

/*
 * Fills `image`, which begins at address 0 with a vector table. The program ends by writing all of
 * RAM to standard output by semihosting (BKPT 0xab), then exits by it. `more` adds instructions
 * that ARMv6-M does not have; NULL: none.
 */
void generate(uint8_t image[IMAGE_LENGTH], uint32_t seed, void (*more)(program *));

#endif

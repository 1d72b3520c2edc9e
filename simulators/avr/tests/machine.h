/* Boards for tests: a program of words, and a console that gives bytes and keeps what is sent. */
#ifndef MOTEBENCH_SIM_AVR_MACHINE_H
#define MOTEBENCH_SIM_AVR_MACHINE_H

#include "../board/board.h"
#include "../core/internal.h"

/* A board of that part with these words at address 0, ready to run. */
av_board *machine(const char *part, const uint16_t *words, size_t count);

/* Input of the console, to its end. */
void machine_input(const char *text);

/* Output since the machine was made. */
const char *machine_output(void);

/* A random number below that, by a generator that a seed repeats. */
uint32_t random_below(uint32_t *state, uint32_t below);

#endif

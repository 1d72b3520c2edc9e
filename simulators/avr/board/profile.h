/* Where the cycles go: instructions and cycles by function. */
#ifndef MOTEBENCH_SIM_AVR_PROFILE_H
#define MOTEBENCH_SIM_AVR_PROFILE_H

#include <stdio.h>

#include "board.h"

typedef struct av_profile av_profile;

/* NULL: no memory. Free with free(). */
av_profile *av_profile_new(const av_board *board);

/* As av_core_run, instruction by instruction. */
av_stop av_profile_run(av_profile *profile, av_board *board, uint64_t until);

/* One line for each function, most cycles first: name, address, instructions, cycles; tabs between. */
bool av_profile_write(const av_profile *profile, const sim_program *functions, FILE *to);

#endif

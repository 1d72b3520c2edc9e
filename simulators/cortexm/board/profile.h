/* Where the cycles go: instructions, cycles and flash misses by function. */
#ifndef MOTEBENCH_CORTEXM_PROFILE_H
#define MOTEBENCH_CORTEXM_PROFILE_H

#include <stdio.h>

#include "elf.h"

typedef struct cm_profile cm_profile;

/* NULL: no memory. Free with free(). */
cm_profile *cm_profile_new(const cm_board *board);

/* As cm_board_run, instruction by instruction. */
cm_stop cm_profile_run(cm_profile *profile, cm_board *board, uint64_t until);

/* One line for each function, most cycles first: name, address, instructions, cycles, misses; tabs between. */
bool cm_profile_write(const cm_profile *profile, const cm_board *board, const sim_program *program, FILE *to);

#endif

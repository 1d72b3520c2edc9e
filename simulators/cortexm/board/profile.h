/* Profile of the cycles: instructions, cycles and flash misses by function. */
#ifndef MOTEBENCH_CORTEXM_PROFILE_H
#define MOTEBENCH_CORTEXM_PROFILE_H

#include "../../common/profile.h"
#include "elf.h"

/* NULL: no memory. Free with sim_profile_free(). */
sim_profile *cm_profile_new(const cm_board *board, const sim_program *program,
                            const sim_tables *tables);

/* As cm_board_run, instruction by instruction. */
cm_stop cm_profile_run(sim_profile *profile, cm_board *board, uint64_t until);

#endif

/* Profile of the cycles: instructions and cycles by function. */
#ifndef MOTEBENCH_SIM_AVR_PROFILE_H
#define MOTEBENCH_SIM_AVR_PROFILE_H

#include "../../common/profile.h"
#include "board.h"

/* NULL: no memory. Free with sim_profile_free(). */
sim_profile *av_profile_new(const av_board *board, const sim_program *program,
                            const sim_tables *tables);

/* As av_core_run, instruction by instruction. */
av_stop av_profile_run(sim_profile *profile, av_board *board, uint64_t until);

#endif

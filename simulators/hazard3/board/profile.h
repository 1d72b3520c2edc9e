/* Profile of the cycles: instructions and cycles by function, and by path of calls. */
#ifndef MOTEBENCH_HAZARD3_PROFILE_H
#define MOTEBENCH_HAZARD3_PROFILE_H

#include "../../common/profile.h"
#include "board.h"

/* NULL: no memory. Free with sim_profile_free(). */
sim_profile *hz_profile_new(const hz_board *board, const sim_program *program,
                            const sim_tables *tables);

/* As hz_board_run, instruction by instruction. */
hz_stop hz_profile_run(sim_profile *profile, hz_board *board, uint64_t until);

#endif

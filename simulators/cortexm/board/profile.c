#include "profile.h"

sim_profile *cm_profile_new(const cm_board *board, const sim_program *program,
                            const sim_tables *tables)
{
    const cm_core *core = &board->core;
    return sim_profile_new(&(sim_profiled){.flash = {core->flash_base, core->flash_size},
                                           .ram = {core->ram_base, core->ram_size},
                                           .digits = 8,
                                           .misses = true},
                           program, tables);
}

cm_stop cm_profile_run(sim_profile *profile, cm_board *board, uint64_t until)
{
    cm_core *core = &board->core;
    for (;;) {
        sim_counts *counted = sim_profile_at(profile, core->r[CM_PC]);
        const uint64_t cycles = core->cycles, misses = core->misses;
        const uint32_t exception = core->exception;
        const uint32_t from = core->r[CM_PC];
        const cm_stop stop = cm_board_run(board, core->cycles + 1);
        if (counted != NULL) {
            counted->cycles += core->cycles - cycles;
            counted->misses += core->misses - misses;
            /* not when one is entered */
            counted->instructions += core->exception == exception || core->exception == 0;
        }
        if (profile->calls != NULL) {
            const sim_step step = sim_step_linked(
                from, core->r[CM_PC], core->r[CM_SP], core->r[CM_LR] & ~1u, core->cycles - cycles);
            sim_calls_step(profile->calls, &step);
        }
        if (stop != CM_DEADLINE || core->cycles >= until)
            return stop;
    }
}

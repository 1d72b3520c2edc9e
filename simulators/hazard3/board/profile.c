#include "profile.h"

sim_profile *hz_profile_new(const hz_board *board, const sim_program *program,
                            const sim_tables *tables)
{
    const hz_core *core = &board->core;
    return sim_profile_new(&(sim_profiled){.flash = {core->code_base, core->code_size},
                                           .ram = {core->ram_base, core->ram_size},
                                           .digits = 8},
                           program, tables);
}

hz_stop hz_profile_run(sim_profile *profile, hz_board *board, uint64_t until)
{
    hz_core *core = &board->core;
    for (;;) {
        sim_counts *counted = sim_profile_at(profile, core->pc);
        const uint64_t cycles = core->cycles, retired = core->retired;
        const uint32_t from = core->pc;
        const hz_stop stop = hz_board_run(board, core->cycles + 1);
        if (counted != NULL) {
            counted->cycles += core->cycles - cycles;
            counted->instructions += core->retired - retired;
        }
        if (profile->calls != NULL) {
            const sim_step step = sim_step_linked(
                from, core->pc, core->x[HZ_SP], core->x[HZ_RA], core->cycles - cycles);
            sim_calls_step(profile->calls, &step);
        }
        if (stop != HZ_DEADLINE || core->cycles >= until)
            return stop;
    }
}

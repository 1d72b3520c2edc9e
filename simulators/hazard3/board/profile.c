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
        sim_step step = {.from = core->pc};
        const hz_stop stop = hz_board_run(board, core->cycles + 1);
        if (counted != NULL) {
            counted->cycles += core->cycles - cycles;
            counted->instructions += core->retired - retired;
        }
        if (profile->calls != NULL) {
            step.to = core->pc;
            step.sp = step.sp_back = core->x[HZ_SP];
            step.back = core->x[HZ_RA];
            step.cycles = core->cycles - cycles;
            /* JAL and JALR leave the address behind them in ra; they are 4 or 2 bytes long. */
            step.call = step.back - step.from == 2 || step.back - step.from == 4;
            sim_calls_step(profile->calls, &step);
        }
        if (stop != HZ_DEADLINE || core->cycles >= until)
            return stop;
    }
}

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

/* JAL and JALR leave the address behind themselves in ra; they are 4 or 2 bytes long. */
static bool linked(const hz_core *core, uint32_t from)
{
    const uint32_t behind = core->x[HZ_RA] - from;
    return behind == 2 || behind == 4;
}

hz_stop hz_profile_run(sim_profile *profile, hz_board *board, uint64_t until)
{
    hz_core *core = &board->core;
    for (;;) {
        sim_counts *counted = sim_profile_at(profile, core->pc);
        const uint64_t cycles = core->cycles, retired = core->retired;
        sim_step step = {.from = core->pc, .sp_before = core->x[HZ_SP]};
        const hz_stop stop = hz_board_run(board, core->cycles + 1);
        if (counted != NULL) {
            counted->cycles += core->cycles - cycles;
            counted->instructions += core->retired - retired;
        }
        if (profile->calls != NULL) {
            step.to = core->pc;
            step.sp_after = core->x[HZ_SP];
            step.cycles = core->cycles - cycles;
            step.linked = linked(core, step.from);
            sim_calls_step(profile->calls, &step);
        }
        if (stop != HZ_DEADLINE || core->cycles >= until)
            return stop;
    }
}

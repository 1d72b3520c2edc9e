#include "profile.h"

sim_profile *av_profile_new(const av_board *board, const sim_program *program,
                            const sim_tables *tables)
{
    /* The last word: what is behind the flash. */
    return sim_profile_new(
        &(sim_profiled){.flash = {.size = 2 * (board->core.flash_words + 1)}, .digits = 5}, program,
        tables);
}

/* The entry of an interrupt counts for what it interrupts, sleep for the instruction that
 * sleeps. Only calls and interrupts push an address and jump. */
av_stop av_profile_run(sim_profile *profile, av_board *board, uint64_t until)
{
    av_core *core = &board->core;
    for (;;) {
        sim_counts *counted =
            &profile->at[core->pc < core->flash_words ? core->pc : core->flash_words];
        const uint64_t cycles = core->cycles;
        sim_step step = {.from = 2 * core->pc, .sp_before = core->sp};
        const av_stop stop = av_core_step(core, until);
        counted->cycles += core->cycles - cycles;
        counted->instructions += core->cycles != cycles;
        if (profile->calls != NULL) {
            step.to = 2 * core->pc;
            step.sp_after = core->sp;
            step.cycles = core->cycles - cycles;
            step.linked = step.sp_after < step.sp_before && step.to != step.from + 2;
            sim_calls_step(profile->calls, &step);
        }
        if (stop != AV_PAUSED)
            return stop;
    }
}

#include "profile.h"

sim_profile *av_profile_new(const av_board *board)
{
    /* The last word: what is behind the flash. */
    return sim_profile_new(
        &(sim_profiled){.flash = {.size = 2 * (board->core.flash_words + 1)}, .digits = 5});
}

/* The entry of an interrupt counts for what it interrupts, sleep for the instruction that
 * sleeps. */
av_stop av_profile_run(sim_profile *profile, av_board *board, uint64_t until)
{
    av_core *core = &board->core;
    for (;;) {
        sim_counts *counted =
            &profile->at[core->pc < core->flash_words ? core->pc : core->flash_words];
        const uint64_t cycles = core->cycles;
        const av_stop stop = av_core_step(core, until);
        counted->cycles += core->cycles - cycles;
        counted->instructions += core->cycles != cycles;
        if (stop != AV_PAUSED)
            return stop;
    }
}

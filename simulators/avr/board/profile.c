#include "profile.h"

sim_profile *av_profile_new(const av_board *board, const sim_program *program,
                            const sim_tables *tables)
{
    /* The last word: what is behind the flash. */
    return sim_profile_new(
        &(sim_profiled){.flash = {.size = 2 * (board->core.flash_words + 1)}, .digits = 5}, program,
        tables);
}

/* A call has pushed the address of the instruction behind it, the highest byte last. */
static void pushed(const av_core *core, uint16_t sp_before, sim_step *step)
{
    const unsigned bytes = core->family == AV_E22 ? 3 : 2;
    if (core->sp >= sp_before || step->to == step->from + 2)
        return;
    for (unsigned i = 1; i <= bytes; i++)
        step->back = step->back << 8 | core->data[(core->sp + i) % AV_DATA];
    step->back *= 2;
    step->sp_back = core->sp + bytes;
    step->call = step->back == step->from + 2 || step->back == step->from + 4;
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
        sim_step step = {.from = 2 * core->pc};
        const uint16_t sp = core->sp;
        const av_stop stop = av_core_step(core, until);
        counted->cycles += core->cycles - cycles;
        counted->instructions += core->cycles != cycles;
        if (profile->calls != NULL) {
            step.to = 2 * core->pc;
            step.sp = core->sp;
            step.cycles = core->cycles - cycles;
            pushed(core, sp, &step);
            sim_calls_step(profile->calls, &step);
        }
        if (stop != AV_PAUSED)
            return stop;
    }
}

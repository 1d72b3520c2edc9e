#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct counts {
    uint64_t instructions, cycles;
} counts;

struct av_profile {
    size_t words;
    counts at[]; /* by word of flash */
};

typedef struct line {
    const char *name;
    uint32_t address;
    counts sum;
} line;

av_profile *av_profile_new(const av_board *board)
{
    const size_t words = board->core.flash_words + (size_t)1; /* the last: behind the flash */
    av_profile *profile = calloc(1, sizeof *profile + words * sizeof *profile->at);
    if (profile != NULL)
        profile->words = words;
    return profile;
}

/* The entry of an interrupt counts for what it interrupts, sleep for the instruction that sleeps. */
av_stop av_profile_run(av_profile *profile, av_board *board, uint64_t until)
{
    av_core *core = &board->core;
    for (;;) {
        counts *counted = &profile->at[core->pc < profile->words ? core->pc : profile->words - 1];
        const uint64_t cycles = core->cycles;
        const av_stop stop = av_core_step(core, until);
        counted->cycles += core->cycles - cycles;
        counted->instructions += core->cycles != cycles;
        if (stop != AV_PAUSED)
            return stop;
    }
}

static int by_cycles(const void *a, const void *b)
{
    const line *one = a, *other = b;
    if (one->sum.cycles != other->sum.cycles)
        return one->sum.cycles > other->sum.cycles ? -1 : 1;
    return one->address < other->address ? -1 : one->address > other->address;
}

bool av_profile_write(const av_profile *profile, const sim_program *functions, FILE *to)
{
    line *lines = calloc(functions->count + 1, sizeof *lines); /* the last: what no symbol covers */
    if (lines == NULL)
        return false;
    lines[functions->count].name = "?";
    for (size_t i = 0; i < functions->count; i++) {
        lines[i].name = functions->symbols[i].name;
        lines[i].address = functions->symbols[i].address;
    }
    for (size_t word = 0; word < profile->words; word++) {
        if (profile->at[word].cycles == 0)
            continue;
        const sim_symbol *function = sim_program_function(functions, 2 * (uint32_t)word);
        counts *sum = &lines[function != NULL ? (size_t)(function - functions->symbols) : functions->count].sum;
        sum->instructions += profile->at[word].instructions;
        sum->cycles += profile->at[word].cycles;
    }
    qsort(lines, functions->count + 1, sizeof *lines, by_cycles);
    fputs("function\taddress\tinstructions\tcycles\n", to);
    for (size_t i = 0; i <= functions->count && lines[i].sum.cycles != 0; i++)
        fprintf(to, "%s\t0x%05" PRIx32 "\t%" PRIu64 "\t%" PRIu64 "\n", lines[i].name, lines[i].address,
                lines[i].sum.instructions, lines[i].sum.cycles);
    free(lines);
    return !ferror(to);
}

#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct counts {
    uint64_t instructions, cycles, misses;
} counts;

struct cm_profile {
    size_t flash, total; /* places: one per halfword of flash, then of RAM */
    counts at[];
};

typedef struct line {
    const char *name;
    uint32_t address;
    counts sum;
} line;

cm_profile *cm_profile_new(const cm_board *board)
{
    const size_t flash = board->core.flash_size / 2, total = flash + board->core.ram_size / 2;
    cm_profile *profile = calloc(1, sizeof *profile + total * sizeof *profile->at);
    if (profile != NULL) {
        profile->flash = flash;
        profile->total = total;
    }
    return profile;
}

static counts *place(cm_profile *profile, const cm_core *core)
{
    const uint32_t pc = core->r[CM_PC], in_ram = pc - core->ram_base;
    if (pc - core->flash_base < core->flash_size)
        return &profile->at[(pc - core->flash_base) / 2];
    return in_ram < core->ram_size ? &profile->at[profile->flash + in_ram / 2] : NULL;
}

cm_stop cm_profile_run(cm_profile *profile, cm_board *board, uint64_t until)
{
    cm_core *core = &board->core;
    for (;;) {
        counts *counted = place(profile, core);
        const uint64_t cycles = core->cycles, misses = core->misses;
        const uint32_t exception = core->exception;
        const cm_stop stop = cm_board_run(board, core->cycles + 1);
        if (counted != NULL) {
            counted->cycles += core->cycles - cycles;
            counted->misses += core->misses - misses;
            counted->instructions += core->exception == exception || core->exception == 0; /* not when one is entered */
        }
        if (stop != CM_DEADLINE || core->cycles >= until)
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

bool cm_profile_write(const cm_profile *profile, const cm_board *board, const sim_program *program, FILE *to)
{
    line *lines = calloc(program->count + 1, sizeof *lines); /* the last: what no symbol covers */
    if (lines == NULL)
        return false;
    lines[program->count].name = "?";
    for (size_t i = 0; i < program->count; i++) {
        lines[i].name = program->symbols[i].name;
        lines[i].address = program->symbols[i].address;
    }
    for (size_t i = 0; i < profile->total; i++) {
        const counts *one = &profile->at[i];
        if (one->cycles == 0)
            continue;
        const uint32_t address = i < profile->flash ? board->core.flash_base + 2 * (uint32_t)i
                                                    : board->core.ram_base + 2 * (uint32_t)(i - profile->flash);
        const sim_symbol *function = sim_program_function(program, address);
        counts *sum = &lines[function != NULL ? (size_t)(function - program->symbols) : program->count].sum;
        sum->instructions += one->instructions;
        sum->cycles += one->cycles;
        sum->misses += one->misses;
    }
    qsort(lines, program->count + 1, sizeof *lines, by_cycles);
    fputs("function\taddress\tinstructions\tcycles\tmisses\n", to);
    for (size_t i = 0; i <= program->count && lines[i].sum.cycles != 0; i++)
        fprintf(to, "%s\t0x%08" PRIx32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", lines[i].name, lines[i].address,
                lines[i].sum.instructions, lines[i].sum.cycles, lines[i].sum.misses);
    free(lines);
    return !ferror(to);
}

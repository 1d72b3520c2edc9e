#include "profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct line {
    const char *name;
    uint32_t address;
    sim_counts sum;
} line;

static size_t places(const sim_profiled *of)
{
    return ((size_t)of->flash.size + of->ram.size) / 2;
}

sim_profile *sim_profile_new(const sim_profiled *of, const sim_program *program,
                             const sim_tables *tables)
{
    sim_profile *profile = calloc(1, sizeof *profile + places(of) * sizeof *profile->at);
    if (profile == NULL)
        return NULL;
    profile->of = *of;
    if (tables->calls != NULL) {
        profile->calls = sim_calls_new(of->flash, of->ram, program);
        if (profile->calls == NULL) {
            free(profile);
            return NULL;
        }
    }
    return profile;
}

void sim_profile_free(sim_profile *profile)
{
    if (profile != NULL)
        sim_calls_free(profile->calls);
    free(profile);
}

static int by_cycles(const void *a, const void *b)
{
    const line *one = a, *other = b;
    if (one->sum.cycles != other->sum.cycles)
        return one->sum.cycles > other->sum.cycles ? -1 : 1;
    return one->address < other->address ? -1 : one->address > other->address;
}

/* The functions in their order; the last line has what no symbol covers. NULL: no memory. */
static line *sums(const sim_profile *profile, const sim_program *program)
{
    const sim_code flash = profile->of.flash, ram = profile->of.ram;
    line *lines = calloc(program->count + 1, sizeof *lines);
    if (lines == NULL)
        return NULL;
    lines[program->count].name = "?";
    for (size_t i = 0; i < program->count; i++) {
        lines[i].name = program->symbols[i].name;
        lines[i].address = program->symbols[i].address;
    }
    for (size_t i = 0; i < places(&profile->of); i++) {
        const sim_counts *one = &profile->at[i];
        if (one->cycles == 0)
            continue;
        const uint32_t from = 2 * (uint32_t)i;
        const uint32_t address =
            from < flash.size ? flash.base + from : ram.base + (from - flash.size);
        const sim_symbol *function = sim_program_function(program, address);
        sim_counts *sum =
            &lines[function != NULL ? (size_t)(function - program->symbols) : program->count].sum;
        sum->instructions += one->instructions;
        sum->cycles += one->cycles;
        sum->misses += one->misses;
    }
    return lines;
}

static bool write_table(const sim_profile *profile, const sim_program *program, FILE *to)
{
    line *lines = sums(profile, program);
    if (lines == NULL)
        return false;
    qsort(lines, program->count + 1, sizeof *lines, by_cycles);
    fprintf(to, "function\taddress\tinstructions\tcycles%s\n",
            profile->of.misses ? "\tmisses" : "");
    for (size_t i = 0; i <= program->count && lines[i].sum.cycles != 0; i++) {
        const line *one = &lines[i];
        fprintf(to, "%s\t0x%0*" PRIx32 "\t%" PRIu64 "\t%" PRIu64, one->name, profile->of.digits,
                one->address, one->sum.instructions, one->sum.cycles);
        if (profile->of.misses)
            fprintf(to, "\t%" PRIu64, one->sum.misses);
        fputc('\n', to);
    }
    free(lines);
    return !ferror(to);
}

static bool written(const sim_command *command, FILE *to, bool whole, const char *table,
                    const char *path)
{
    if (to != NULL && fclose(to) != 0)
        whole = false;
    if (to != NULL && whole)
        return true;
    fprintf(stderr, "%s: the %s cannot be written to %s\n", command->program, table, path);
    return false;
}

static bool write_profile(const sim_profile *profile, const sim_command *command,
                          const sim_program *program, const char *path)
{
    FILE *to = fopen(path, "w");
    return written(command, to, to != NULL && write_table(profile, program, to), "profile", path);
}

static bool write_calls(const sim_profile *profile, const sim_command *command, const char *path)
{
    FILE *to = fopen(path, "w");
    if (to != NULL)
        sim_calls_write(profile->calls, to);
    return written(command, to, to != NULL && !ferror(to), "calls", path);
}

bool sim_profile_write(const sim_profile *profile, const sim_command *command,
                       const sim_program *program, const sim_tables *tables)
{
    const bool table =
        tables->profile == NULL || write_profile(profile, command, program, tables->profile);
    const bool calls = tables->calls == NULL || write_calls(profile, command, tables->calls);
    return table && calls;
}

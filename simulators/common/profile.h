/*
 * Profile of the cycles: instructions, cycles and flash misses, counted by halfword of code and
 * written by function, and cycles by path of calls.
 */
#ifndef MOTEBENCH_SIMULATOR_PROFILE_H
#define MOTEBENCH_SIMULATOR_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls.h"
#include "command.h"
#include "program.h"

/* Counts of the instructions at one place. */
typedef struct sim_counts { uint64_t instructions, cycles, misses; } sim_counts;

/* The memories of a board, and how its table looks: digits of an address, and whether there is a
 * column of misses. */
typedef struct sim_profiled {
    sim_code flash, ram;
    int digits;
    bool misses;
} sim_profiled;

typedef struct sim_profile {
    sim_profiled of;
    sim_calls *calls; /* NULL: paths of calls are not followed */
    sim_counts at[];  /* by halfword of flash, then of RAM */
} sim_profile;

/* Files of the tables; NULL for one that nobody asked for. */
typedef struct sim_tables { const char *profile, *calls; } sim_tables;

/* True if a table was asked for. */
static inline bool sim_profile_asked(const sim_tables *tables)
{
    return tables->profile != NULL || tables->calls != NULL;
}

/* NULL: no memory. Free with sim_profile_free(). `program` must live as long. */
sim_profile *sim_profile_new(const sim_profiled *of, const sim_program *program,
                             const sim_tables *tables);
void sim_profile_free(sim_profile *profile);

/* Counts for this address; NULL outside both memories. */
static inline sim_counts *sim_profile_at(sim_profile *profile, uint32_t address)
{
    const uint32_t in_flash = address - profile->of.flash.base,
                   in_ram = address - profile->of.ram.base;
    if (in_flash < profile->of.flash.size)
        return &profile->at[in_flash / 2];
    return in_ram < profile->of.ram.size ? &profile->at[(profile->of.flash.size + in_ram) / 2]
                                         : NULL;
}

/* Writes the tables that were asked for. `profile`: a line for each function, most cycles first:
 * name, address, instructions, cycles, misses, tabs between. `calls`: see calls.h. False: one
 * cannot be written, which was reported. */
bool sim_profile_write(const sim_profile *profile, const sim_command *command,
                       const sim_program *program, const sim_tables *tables);

#endif

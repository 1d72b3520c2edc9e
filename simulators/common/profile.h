/*
 * Profile of the cycles: instructions, cycles and flash misses, counted by halfword of code and
 * written by function.
 */
#ifndef MOTEBENCH_SIMULATOR_PROFILE_H
#define MOTEBENCH_SIMULATOR_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"
#include "program.h"

/* Counts of the instructions at one place. */
typedef struct sim_counts { uint64_t instructions, cycles, misses; } sim_counts;

/* Bytes of a memory that can hold code; of size 0 if there is none. */
typedef struct sim_code { uint32_t base, size; } sim_code;

/* The memories of a board, and how its table looks: digits of an address, and whether there is a
 * column of misses. */
typedef struct sim_profiled {
    sim_code flash, ram;
    int digits;
    bool misses;
} sim_profiled;

typedef struct sim_profile {
    sim_profiled of;
    sim_counts at[]; /* by halfword of flash, then of RAM */
} sim_profile;

/* NULL: no memory. Free with free(). */
sim_profile *sim_profile_new(const sim_profiled *of);

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

/* Writes a file with one line for each function, most cycles first: name, address, instructions,
 * cycles, misses; tabs between. False: it cannot be written, which was reported. */
bool sim_profile_write(const sim_profile *profile, const sim_command *command,
                       const sim_program *program, const char *path);

#endif

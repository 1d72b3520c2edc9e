/* Command lines of the simulators, and their messages when the core stops. Messages go to standard
 * error. */
#ifndef MOTEBENCH_SIMULATOR_COMMAND_H
#define MOTEBENCH_SIMULATOR_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"

/* Exit statuses of every simulator. */
enum { SIM_USAGE = 2, SIM_BUDGET = 4, SIM_STACK = 8 };

/*
 * Options of every simulator: --mcu NAME, --clock HZ, --budget CYCLES (without it, all of 64
 * bits), --stack, and the file.
 */
typedef struct sim_command {
    const char *program, *usage; /* its name; the usage line behind it */
    const char *mcu, *path;
    uint64_t clock, budget;
    bool stack;
} sim_command;

/* Another option, and where its value goes: one of the three is not NULL. A number is `most` at
 * most. */
typedef struct sim_option {
    const char *name;
    bool *flag;
    const char **text;
    uint64_t *number, most;
} sim_option;

/* Reads the arguments into `command`, of which the first two are set. False: one is wrong or
 * missing, which was reported. */
bool sim_command_read(sim_command *command, int argc, char **argv, const sim_option *others,
                      size_t count);

/* Says a problem, what it is about and the usage line; SIM_USAGE. */
int sim_command_usage(const sim_command *command, const char *problem, const char *about);

/*
 * Reason why a core of 32 bits stopped. `missing`: bytes of RAM, 0 if RAM suffices; `hint` may
 * be NULL.
 */
typedef struct sim_fault {
    const char *kind, *what, *hint;
    uint32_t address, pc, missing;
    uint64_t cycles;
} sim_fault;

void sim_command_fault(const sim_command *command, const sim_program *program,
                       const sim_fault *fault);

/* Says that the budget is used up; SIM_BUDGET. */
int sim_command_budget(const sim_command *command, uint32_t pc);

#endif

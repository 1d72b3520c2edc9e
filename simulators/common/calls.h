/*
 * Cycles by path of calls: which function called which, followed at each instruction by the stack
 * pointer and the place of the call. Nothing is read from frames of the program, so code without
 * frame pointers and in assembly is followed too.
 */
#ifndef MOTEBENCH_SIMULATOR_CALLS_H
#define MOTEBENCH_SIMULATOR_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "program.h"

typedef struct sim_calls sim_calls;

/* Bytes of a memory that can hold code; of size 0 if there is none. */
typedef struct sim_code { uint32_t base, size; } sim_code;

/* One instruction that has run: its address, that of the next, the stack pointer after it, and its
 * cycles. A call, which left an address behind itself for the return, also has that address and
 * the stack pointer after the return. Exceptions are no calls: their function stands in place of
 * the one that they interrupt until that goes on. */
typedef struct sim_step {
    uint32_t from, to, sp;
    bool call;
    uint32_t back, sp_back;
    uint64_t cycles;
} sim_step;

/* `program` must live as long. NULL: no memory. Free with sim_calls_free(). */
sim_calls *sim_calls_new(sim_code flash, sim_code ram, const sim_program *program);
void sim_calls_free(sim_calls *calls);

/* An instruction of a core whose calls, of 2 or 4 bytes, leave the address behind them in a
 * register: `link` is in it afterwards. */
sim_step sim_step_linked(uint32_t from, uint32_t to, uint32_t sp, uint32_t link, uint64_t cycles);

/* Counts the instruction for the path that it is on. Calls deeper than 512, and more than a million
 * paths, count for the path that would have become longer. */
void sim_calls_step(sim_calls *calls, const sim_step *step);

/* One line for each path: functions from the outermost on with ';' between, a space, cycles. */
void sim_calls_write(const sim_calls *calls, FILE *to);

#endif

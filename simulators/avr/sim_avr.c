/*
 * motebench-sim-avr: an AVR microcontroller with a program in its flash, its serial lines on standard input and output.
 *
 *     motebench-sim-avr --mcu atmega4809 --clock 16000000 firmware.elf
 *
 *     --flash BYTES     more flash than the part has
 *     --budget CYCLES   no more than these
 *
 * The clock is only checked against the part's: time is counted in cycles. Exit status: 0 when the input ends while the
 * program waits for it; 2 for wrong usage or a file that is no program for this part; 3 when the core stops: asleep with
 * nothing to wake it, an instruction that is not there, an address where nothing is; 4 when the budget is used up; 8 when the stack
 * came down to the program's static data, or the core stops, or sleeps without a word, after it came down to what the probe
 * holds for a job. Messages go to standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/board.h"
#include "console.h"
#include "orphan.h"

enum { LONGEST_FILE = 16 << 20, LONGEST_FLASH = 65536 };
enum { USAGE = 2, STOPPED = 3, BUDGET = 4, STACK = 8 };

typedef struct options {
    const char *mcu, *path;
    uint64_t clock, budget, flash;
} options;

/* --- start and end ------------------------------------------------------------------------------------------------ */

static int usage(const char *problem, const char *about)
{
    fprintf(stderr,
            "motebench-sim-avr: %s%s\n"
            "usage: motebench-sim-avr --mcu NAME --clock HZ [--flash BYTES] [--budget CYCLES] FIRMWARE.elf\n",
            problem, about);
    return USAGE;
}

/* NULL, or the argument that is wrong. */
static const char *parse(int argc, char **argv, options *chosen)
{
    *chosen = (options){.budget = AV_NEVER};
    for (int i = 1; i < argc; i++) {
        const char *const option = argv[i];
        if (option[0] != '-' && chosen->path == NULL) {
            chosen->path = option;
        } else if (i + 1 == argc) {
            return option;
        } else if (strcmp(option, "--mcu") == 0) {
            chosen->mcu = argv[++i];
        } else if (strcmp(option, "--clock") == 0 && sim_number(argv[i + 1], UINT32_MAX, &chosen->clock)) {
            i++;
        } else if (strcmp(option, "--flash") == 0 && sim_number(argv[i + 1], UINT32_MAX, &chosen->flash)) {
            i++;
        } else if (strcmp(option, "--budget") == 0 && sim_number(argv[i + 1], AV_NEVER - 1, &chosen->budget)) {
            i++;
        } else {
            return argv[i];
        }
    }
    return NULL;
}

/* Bytes of RAM that a stack lacks which came down to static data, or out of all memory. */
static unsigned lacking(const av_core *core)
{
    const unsigned end = (unsigned)core->ram_base + core->ram_size;
    if (core->sp >= end)
        return core->floor + AV_DATA - core->sp - 1u;
    return core->low + 1u < core->floor ? core->floor - core->low - 1u : 1;
}

/* What stopped the core, in words; the exit status that goes with it. */
static int report(const av_board *board, av_stop stop)
{
    const av_core *core = &board->core;
    const unsigned at = 2 * core->pc, missing = av_board_missing(board);
    if (stop == AV_DEADLINE) {
        fprintf(stderr, "motebench-sim-avr: the budget of cycles is used up, at 0x%05x\n", at);
        return BUDGET;
    }
    if (stop == AV_STACK) {
        fprintf(stderr, "motebench-sim-avr: the stack overwrote static data: %u bytes of RAM are missing, at 0x%05x\n",
                lacking(core), at);
        return STACK;
    }
    if (stop == AV_JOB || (stop != AV_ASLEEP && missing != 0)) {
        fprintf(stderr,
                "motebench-sim-avr: the stack overwrote data of the job: at least %u bytes of RAM are missing, at "
                "0x%05x\n",
                missing, at);
        return STACK;
    }
    if (stop == AV_ASLEEP)
        fprintf(stderr, "motebench-sim-avr: the core waits with interrupts off at address 0x%05x", at);
    else if (stop == AV_BUS)
        fprintf(stderr, "motebench-sim-avr: the core crashed: nothing is at 0x%04x of the data space, at address 0x%05x",
                core->fault, at);
    else
        fprintf(stderr, "motebench-sim-avr: the core crashed: no instruction is at address 0x%05x", at);
    fprintf(stderr, " after %" PRIu64 " cycles\n", core->cycles);
    return STOPPED;
}

int main(int argc, char **argv)
{
    options chosen;
    size_t len = 0;
    mb_end_with_parent();
    const char *wrong = parse(argc, argv, &chosen);
    if (wrong != NULL)
        return usage("unknown option or invalid value: ", wrong);
    if (chosen.mcu == NULL || chosen.path == NULL || chosen.clock == 0)
        return usage("--mcu, --clock and FIRMWARE.elf are required", "");
    const av_part *part = av_part_named(chosen.mcu);
    if (part == NULL)
        return usage("unknown part: ", chosen.mcu);
    if (chosen.clock > part->clock_max)
        return usage("the clock is too fast for this part: ", chosen.mcu);
    if (chosen.flash != 0 && (chosen.flash <= part->flash_bytes || chosen.flash > LONGEST_FLASH || chosen.flash % 2 != 0))
        return usage("--flash must be larger than the part's flash, even, and at most 65536 bytes", "");
    if (chosen.flash != 0 && part->map_base != AV_DATA)
        return usage("--flash cannot be larger where the flash is mapped into the data space: ", chosen.mcu);
    uint8_t *file = sim_read_file(chosen.path, LONGEST_FILE, &len);
    if (file == NULL)
        return usage("the program cannot be read: ", chosen.path);
    av_board *board = av_board_new(part, (uint32_t)chosen.flash);
    const char *problem = board == NULL ? "not enough memory for a board" : av_elf_load(file, len, board);
    int status;
    if (problem != NULL) {
        fprintf(stderr, "motebench-sim-avr: %s: %s\n", chosen.path, problem);
        status = USAGE;
    } else {
        board->console = (av_console){.send = sim_console_send, .receive = sim_console_receive};
        const av_stop stop = av_core_run(&board->core, chosen.budget);
        sim_console_flush();
        status = stop == AV_HALTED ? 0 : report(board, stop);
    }
    av_board_free(board);
    free(file);
    return status;
}

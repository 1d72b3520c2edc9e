/*
 * motebench-sim-avr: an AVR microcontroller with a program in its flash, its serial lines on
 * standard input and output.
 *
 *     motebench-sim-avr --mcu atmega4809 --clock 16000000 firmware.elf
 *
 *     --flash BYTES     more flash than the part has
 *     --budget CYCLES   no more than these
 *     --profile FILE    instructions and cycles of each function, as a table
 *     --stack           at the end, how deep the stack was
 *     --secret-flow FILE  where bytes that the program marks as secret reach time, as a table
 *
 * The clock is only checked against the part's: time is counted in cycles. Exit status: 0 when the
 * input ends while the program waits for it; 2 for wrong usage or a file that is no program for
 * this part; 3 when the core stops: asleep with nothing to wake it, an instruction that is not
 * there, an address where nothing is; 4 when the budget is used up; 8 when the stack came down to
 * the program's static data, or the core stops, or sleeps without a word, after it came down to
 * what the probe holds for a job. Messages go to standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "board/board.h"
#include "board/profile.h"
#include "command.h"
#include "console.h"
#include "core/watch.h"
#include "orphan.h"

enum { LONGEST_FILE = 16 << 20 };
/*
 * Flash that a program counter of 16 bits reaches, with constants read through the data space;
 * flash that LPM reaches.
 */
enum { LONGEST_XT = 131072, LONGEST = 65536 };
enum { STOPPED = 3 };

typedef struct options {
    sim_command common;
    sim_tables tables;
    const char *secret_flow;
    uint64_t flash;
} options;

/* Bytes of RAM that a stack lacks which came down to static data, or out of all memory. */
static unsigned lacking(const av_core *core)
{
    const unsigned end = (unsigned)core->ram_base + core->ram_size;
    if (core->sp >= end)
        return core->floor + AV_DATA - core->sp - 1u;
    return core->low + 1u < core->floor ? core->floor - core->low - 1u : 1;
}

/* Reason why the core stopped, in words; the exit status for it. */
static int report(const av_board *board, av_stop stop)
{
    const av_core *core = &board->core;
    const unsigned at = 2 * core->pc, missing = av_board_missing(board);
    if (stop == AV_DEADLINE) {
        fprintf(stderr, "motebench-sim-avr: the budget of cycles is used up, at 0x%05x\n", at);
        return SIM_BUDGET;
    }
    if (stop == AV_STACK) {
        fprintf(stderr,
                "motebench-sim-avr: the stack overwrote static data: %u bytes of RAM are missing, "
                "at 0x%05x\n",
                lacking(core), at);
        return SIM_STACK;
    }
    if (stop == AV_JOB || (stop != AV_ASLEEP && missing != 0)) {
        fprintf(stderr,
                "motebench-sim-avr: the stack overwrote data of the job: at least %u bytes of RAM "
                "are missing, at "
                "0x%05x\n",
                missing, at);
        return SIM_STACK;
    }
    if (stop == AV_ASLEEP)
        fprintf(stderr, "motebench-sim-avr: the core waits with interrupts off at address 0x%05x",
                at);
    else if (stop == AV_BUS)
        fprintf(stderr,
                "motebench-sim-avr: the core crashed: nothing is at 0x%04x of the data space, at "
                "address 0x%05x",
                core->fault, at);
    else
        fprintf(stderr, "motebench-sim-avr: the core crashed: no instruction is at address 0x%05x",
                at);
    fprintf(stderr, " after %" PRIu64 " cycles\n", core->cycles);
    return STOPPED;
}

static int run(const options *chosen, av_board *board, const sim_program *functions)
{
    const bool profiled = sim_profile_asked(&chosen->tables);
    sim_profile *profile = profiled ? av_profile_new(board, functions, &chosen->tables) : NULL;
    if (profiled && profile == NULL)
        return sim_command_usage(&chosen->common, "not enough memory for a profile", "");
    const av_stop stop = profile != NULL ? av_profile_run(profile, board, chosen->common.budget)
                                         : av_core_run(&board->core, chosen->common.budget);
    sim_console_flush();
    int status = stop == AV_HALTED ? 0 : report(board, stop);
    if (chosen->common.stack)
        fprintf(stderr, "motebench-sim-avr: stack: %u bytes\n", av_core_stack(&board->core));
    if (chosen->secret_flow != NULL &&
        !sh_write(board->core.watch->shadow, &chosen->common, chosen->secret_flow) && status == 0)
        status = SIM_USAGE;
    if (profile != NULL &&
        !sim_profile_write(profile, &chosen->common, functions, &chosen->tables) && status == 0)
        status = SIM_USAGE;
    sim_profile_free(profile);
    return status;
}

int main(int argc, char **argv)
{
    options chosen = {
        .common = {.program = "motebench-sim-avr",
                   .usage =
                       "--mcu NAME --clock HZ [--flash BYTES] [--budget CYCLES]\n"
                       "       [--profile FILE] [--calls FILE] [--secret-flow FILE] [--stack]\n"
                       "       FIRMWARE.elf"},
    };
    const sim_option others[] = {
        {.name = "--profile", .text = &chosen.tables.profile},
        {.name = "--calls", .text = &chosen.tables.calls},
        {.name = "--secret-flow", .text = &chosen.secret_flow},
        {.name = "--flash", .number = &chosen.flash, .most = UINT32_MAX},
    };
    const sim_command *const common = &chosen.common;
    size_t len = 0;
    mb_end_with_parent();
    if (!sim_command_read(&chosen.common, argc, argv, others, sizeof others / sizeof others[0]))
        return SIM_USAGE;
    if (sim_profile_asked(&chosen.tables) && chosen.secret_flow != NULL)
        return sim_command_usage(common, "--secret-flow excludes ", "--profile and --calls");
    const av_part *part = av_part_named(common->mcu);
    if (part == NULL)
        return sim_command_usage(common, "unknown part: ", common->mcu);
    if (common->clock > part->clock_max)
        return sim_command_usage(common, "the clock is too fast for this part: ", common->mcu);
    const uint32_t longest = part->family == AV_XT ? LONGEST_XT : LONGEST;
    if (chosen.flash != 0 &&
        (chosen.flash <= part->flash_bytes || chosen.flash > longest || chosen.flash % 2 != 0))
        return sim_command_usage(common,
                                 "--flash must be larger than the part's flash, even, and at most "
                                 "65536 bytes (AVRxt: 131072)",
                                 "");
    uint8_t *file = sim_read_file(common->path, LONGEST_FILE, &len);
    if (file == NULL)
        return sim_command_usage(common, "the program cannot be read: ", common->path);
    av_board *board = av_board_new(part, (uint32_t)chosen.flash);
    sim_program functions = {.symbols = NULL};
    const char *problem =
        board == NULL ? "not enough memory for a board" : av_elf_load(file, len, board);
    if (problem == NULL && (sim_profile_asked(&chosen.tables) || chosen.secret_flow != NULL))
        problem = av_elf_functions(file, len, &functions);
    if (problem == NULL && chosen.secret_flow != NULL && !av_watch_start(&board->core, &functions))
        problem = "not enough memory for --secret-flow";
    int status;
    if (problem != NULL) {
        fprintf(stderr, "motebench-sim-avr: %s: %s\n", common->path, problem);
        status = SIM_USAGE;
    } else {
        board->console = (av_console){.send = sim_console_send, .receive = sim_console_receive};
        status = run(&chosen, board, &functions);
        sim_program_free(&functions);
    }
    av_board_free(board);
    free(file);
    return status;
}

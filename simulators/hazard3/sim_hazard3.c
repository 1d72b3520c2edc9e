/*
 * motebench-sim-hazard3: a microcontroller with a Hazard3 or QingKe V2 core, a program in its
 * memory, its UART on standard input and output.
 *
 *     motebench-sim-hazard3 --mcu rp2350-hazard3 --clock 150000000 firmware.elf
 *
 *     --flash BYTES     more flash than the part has
 *     --wait-states N   of the flash, whatever the program sets (0 to 15)
 *     --budget CYCLES   no more than these
 *     --stack           at the end, how deep the stack was
 *     --profile FILE    instructions and cycles of each function, as a table
 *     --calls FILE      cycles by path of calls
 *     --secret-flow FILE  where bytes that the program marks as secret reach time, as a table
 *
 * The clock is only checked against the part's: time is counted in cycles. Exit status: 0 when the
 * input ends while the program waits for it; 2 for wrong usage or a file that is no program for
 * this part; 3 when the program waits for what cannot come; 4 when the budget is used up; 5
 * unaligned access; 6 undefined instruction; 7 an address where nothing is; 8 stack overflow.
 * Messages go to standard error.
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

enum { LONGEST_FILE = 64 << 20, AS_SET = 16 };
enum { LOCKUP = 3, UNALIGNED = 5, UNDEFINED = 6, BUS = 7 };

static int receive(void)
{
    return sim_console_receive(-1);
}

/* Says what stopped the core; the exit status that goes with it. */
static int report(const sim_command *chosen, const hz_core *core, hz_stop stop,
                  const sim_program *program)
{
    static const struct {
        hz_stop stop;
        int status;
        const char *kind;
    } kinds[] = {
        {HZ_UNALIGNED, UNALIGNED, "unaligned access"},
        {HZ_UNDEFINED, UNDEFINED, "undefined instruction"},
        {HZ_BUS, BUS, "bus error"},
        {HZ_STACK, SIM_STACK, "stack overflow"},
        {HZ_LOCKUP, LOCKUP, "lock-up"},
    };
    sim_fault fault = {.what = core->fault,
                       .address = core->fault_address,
                       .pc = core->pc,
                       .cycles = core->cycles};
    if (stop == HZ_STACK)
        fault.missing = core->stack_limit - core->fault_address;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].stop != stop)
            continue;
        fault.kind = kinds[i].kind;
        sim_command_fault(chosen, program, &fault);
        return kinds[i].status;
    }
    return LOCKUP;
}

/* Tables that the user asked for. */
typedef struct asked {
    sim_tables tables;
    const char *secret_flow;
    uint64_t flash, wait_states;
} asked;

static int run(const sim_command *chosen, hz_board *board, const sim_program *program,
               const asked *files)
{
    const bool profiled = sim_profile_asked(&files->tables);
    sim_profile *profile = profiled ? hz_profile_new(board, program, &files->tables) : NULL;
    if (profiled && profile == NULL)
        return sim_command_usage(chosen, "not enough memory for a profile", "");
    hz_board_reset(board);
    const hz_stop stop = profile != NULL ? hz_profile_run(profile, board, chosen->budget)
                                         : hz_board_run(board, chosen->budget);
    int status = 0;
    sim_console_flush();
    if (stop == HZ_DEADLINE)
        status = sim_command_budget(chosen, board->core.pc);
    else if (stop != HZ_HALTED)
        status = report(chosen, &board->core, stop, program);
    if (chosen->stack)
        fprintf(stderr, "motebench-sim-hazard3: stack: %" PRIu32 " bytes\n",
                board->part->ram_base + board->part->ram_size - board->core.stack_low);
    if (files->secret_flow != NULL &&
        !sh_write(board->core.watch->shadow, chosen, files->secret_flow) && status == 0)
        status = SIM_USAGE;
    if (profile != NULL && !sim_profile_write(profile, chosen, program, &files->tables) &&
        status == 0)
        status = SIM_USAGE;
    sim_profile_free(profile);
    return status;
}

int main(int argc, char **argv)
{
    sim_command chosen = {
        .program = "motebench-sim-hazard3",
        .usage = "--mcu NAME --clock HZ [--flash BYTES] [--wait-states N] [--budget CYCLES]\n"
                 "       [--profile FILE] [--calls FILE] [--secret-flow FILE] [--stack]\n"
                 "       FIRMWARE.elf",
    };
    asked files = {.secret_flow = NULL, .wait_states = AS_SET};
    const sim_option others[] = {
        {.name = "--profile", .text = &files.tables.profile},
        {.name = "--calls", .text = &files.tables.calls},
        {.name = "--secret-flow", .text = &files.secret_flow},
        {.name = "--wait-states", .number = &files.wait_states, .most = 15},
        {.name = "--flash", .number = &files.flash, .most = UINT32_MAX},
    };
    sim_program program;
    size_t len = 0;
    mb_end_with_parent();
    if (!sim_command_read(&chosen, argc, argv, others, sizeof others / sizeof others[0]))
        return SIM_USAGE;
    if (sim_profile_asked(&files.tables) && files.secret_flow != NULL)
        return sim_command_usage(&chosen, "--secret-flow excludes ", "--profile and --calls");
    const hz_part *part = hz_part_named(chosen.mcu);
    if (part == NULL)
        return sim_command_usage(&chosen, "unknown part: ", chosen.mcu);
    if (chosen.clock > part->clock_max)
        return sim_command_usage(&chosen, "the clock is too fast for this part: ", chosen.mcu);
    if (files.wait_states != AS_SET && !part->qingke)
        return sim_command_usage(&chosen, "--wait-states: this part runs from RAM: ", chosen.mcu);
    if (files.flash != 0 &&
        (files.flash <= part->code_size || files.flash > part->code_most || files.flash % 4 != 0))
        return sim_command_usage(&chosen,
                                 "--flash must be larger than the part's flash, a multiple of 4, "
                                 "and at most 131072 bytes (a CH32V003 alone has it)",
                                 "");
    uint8_t *file = sim_read_file(chosen.path, LONGEST_FILE, &len);
    if (file == NULL)
        return sim_command_usage(&chosen, "the program cannot be read: ", chosen.path);
    hz_board *board = hz_board_new(part, (uint32_t)files.flash);
    const char *problem =
        board == NULL ? "not enough memory for a board" : hz_elf_load(file, len, board, &program);
    int status;
    if (problem != NULL) {
        fprintf(stderr, "motebench-sim-hazard3: %s: %s\n", chosen.path, problem);
        status = SIM_USAGE;
    } else {
        board->wait_states = files.wait_states == AS_SET ? -1 : (int)files.wait_states;
        board->send = sim_console_send;
        board->receive = receive;
        board->core.stack_limit =
            program.static_end > part->ram_base ? program.static_end : part->ram_base;
        if (files.secret_flow != NULL && !hz_watch_start(&board->core, &program))
            status = sim_command_usage(&chosen, "not enough memory for ", "--secret-flow");
        else
            status = run(&chosen, board, &program, &files);
        sim_program_free(&program);
    }
    hz_board_free(board);
    free(file);
    return status;
}

/*
 * motebench-sim-cortexm: a microcontroller with a Cortex-M core, a program in its flash, its
 * console USART on standard input and output.
 *
 *     motebench-sim-cortexm --mcu samd21g18a --clock 48000000 firmware.elf
 *
 *     --wait-states N   of the flash, whatever the program sets (0 to 15)
 *     --no-cache        the flash without its cache
 *     --far-ram         RAM at its end, behind static data, answers later where the bus was not
 *                       used directly before
 *     --large-ram       more RAM, where the part is of no chip
 *     --budget CYCLES   no more than these
 *     --profile FILE    instructions, cycles and flash misses of each function, as a table
 *     --stack           at the end, how deep the stack was
 *     --secret-flow FILE  where bytes that the program marks as secret reach time, as a table
 *
 * The clock is only checked against the part's: time is counted in cycles. Exit status: 0 when the
 * input ends while the program waits for it; 2 for wrong usage or a file that is no program for
 * this part; 3 when the program waits for what cannot come, or locks up; 4 when the budget is used
 * up; 5 unaligned access; 6 undefined instruction; 7 an address where nothing is; 8 stack overflow.
 * Messages go to standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "board/board.h"
#include "board/elf.h"
#include "board/profile.h"
#include "command.h"
#include "console.h"
#include "core/watch.h"
#include "orphan.h"

enum { LONGEST_FILE = 64 << 20 };
enum { LOCKUP = 3, UNALIGNED = 5, UNDEFINED = 6, BUS = 7 };

#define ANY UINT64_MAX /* wait states that nobody chose */

typedef struct options {
    sim_command common;
    sim_tables tables;
    const char *secret_flow;
    uint64_t wait_states;
    bool no_cache, far_ram, large_ram;
} options;

/* Says what stopped the core; the exit status that goes with it. */
static int report(const options *chosen, const cm_board *board, const sim_program *program)
{
    const cm_core *core = &board->core;
    static const struct {
        cm_stop stop;
        int status;
        const char *kind;
    } kinds[] = {
        {CM_UNALIGNED, UNALIGNED, "unaligned access"},
        {CM_UNDEFINED, UNDEFINED, "undefined instruction"},
        {CM_BUS, BUS, "bus error"},
        {CM_STACK, SIM_STACK, "stack overflow"},
        {CM_LOCKUP, LOCKUP, "lock-up"},
    };
    sim_fault fault = {.what = core->fault,
                       .address = core->fault_address,
                       .pc = core->r[CM_PC],
                       .cycles = core->cycles};
    if (core->stop == CM_STACK)
        fault.missing = core->stack_limit - core->fault_address;
    if (core->stop == CM_UNALIGNED && board->part->architecture == CM_ARMV6M)
        fault.hint = "a Cortex-M0+ cannot do that, a Cortex-M3 or M4 can";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].stop != core->stop)
            continue;
        fault.kind = kinds[i].kind;
        sim_command_fault(&chosen->common, program, &fault);
        return kinds[i].status;
    }
    return LOCKUP;
}

/* Bytes of RAM before far RAM. */
static uint32_t near_ram(const cm_part *part, uint32_t static_data)
{
    const uint32_t before = part->far_ram < part->ram_size ? part->ram_size - part->far_ram : 0;
    return static_data > before ? static_data : before;
}

static int run(const options *chosen, cm_board *board, const sim_program *program)
{
    const bool profiled = sim_profile_asked(&chosen->tables);
    sim_profile *profile = profiled ? cm_profile_new(board, program, &chosen->tables) : NULL;
    int status = 0;
    if (profiled && profile == NULL)
        return sim_command_usage(&chosen->common, "not enough memory for a profile", "");
    if (!cm_board_reset(board)) {
        status = report(chosen, board, program);
    } else {
        const uint32_t top = board->core.r[CM_SP];
        const cm_stop stop = profile != NULL ? cm_profile_run(profile, board, chosen->common.budget)
                                             : cm_board_run(board, chosen->common.budget);
        sim_console_flush();
        if (stop == CM_DEADLINE)
            status = sim_command_budget(&chosen->common, board->core.r[CM_PC]);
        else if (stop != CM_HALTED)
            status = report(chosen, board, program);
        if (chosen->common.stack)
            fprintf(stderr, "motebench-sim-cortexm: stack: %" PRIu32 " bytes\n",
                    top - board->core.stack_low);
        if (chosen->secret_flow != NULL &&
            !sh_write(board->core.watch->shadow, &chosen->common, chosen->secret_flow) &&
            status == 0)
            status = SIM_USAGE;
        if (profile != NULL &&
            !sim_profile_write(profile, &chosen->common, program, &chosen->tables) && status == 0)
            status = SIM_USAGE;
    }
    sim_profile_free(profile);
    return status;
}

/* Watches the board, if that was asked for. False: it cannot, which was reported. */
static bool watch(const options *chosen, cm_board *board, const sim_program *program)
{
    if (chosen->secret_flow == NULL)
        return true;
    if (sim_profile_asked(&chosen->tables))
        (void)sim_command_usage(
            &chosen->common, "--secret-flow excludes ", "--profile and --calls");
    else if (!cm_board_watch(board, program))
        (void)sim_command_usage(&chosen->common, "not enough memory for ", "--secret-flow");
    else
        return true;
    return false;
}

int main(int argc, char **argv)
{
    options chosen = {
        .common = {.program = "motebench-sim-cortexm",
                   .usage = "--mcu NAME --clock HZ [--wait-states N] [--no-cache] [--far-ram] "
                            "[--large-ram]\n"
                            "       [--budget CYCLES] [--profile FILE] [--calls FILE]\n"
                            "       [--secret-flow FILE] [--stack] FIRMWARE.elf"},
        .wait_states = ANY,
    };
    const sim_option others[] = {
        {.name = "--profile", .text = &chosen.tables.profile},
        {.name = "--calls", .text = &chosen.tables.calls},
        {.name = "--secret-flow", .text = &chosen.secret_flow},
        {.name = "--wait-states", .number = &chosen.wait_states, .most = 15},
        {.name = "--no-cache", .flag = &chosen.no_cache},
        {.name = "--far-ram", .flag = &chosen.far_ram},
        {.name = "--large-ram", .flag = &chosen.large_ram},
    };
    const sim_command *const common = &chosen.common;
    sim_program program;
    size_t len = 0;
    mb_end_with_parent();
    if (!sim_command_read(&chosen.common, argc, argv, others, sizeof others / sizeof others[0]))
        return SIM_USAGE;
    const cm_part *part = cm_part_named(common->mcu);
    if (part == NULL)
        return sim_command_usage(common, "unknown part: ", common->mcu);
    cm_part larger = *part;
    larger.ram_size = part->large_ram;
    if (common->clock > part->clock_max)
        return sim_command_usage(common, "the clock is too fast for this part: ", common->mcu);
    if (chosen.far_ram && part->far_ram == 0)
        return sim_command_usage(common, "there is no far RAM on this part: ", common->mcu);
    if (chosen.large_ram && part->large_ram == 0)
        return sim_command_usage(common, "there is no large RAM on this part: ", common->mcu);
    if (chosen.large_ram)
        part = &larger;
    uint8_t *file = sim_read_file(common->path, LONGEST_FILE, &len);
    if (file == NULL)
        return sim_command_usage(common, "the program cannot be read: ", common->path);
    cm_board *board = cm_board_new(part);
    const char *problem =
        board == NULL ? "not enough memory for a board" : cm_elf_load(file, len, board, &program);
    int status;
    if (problem != NULL) {
        fprintf(stderr, "motebench-sim-cortexm: %s: %s\n", common->path, problem);
        status = SIM_USAGE;
    } else {
        board->console = (cm_console){.send = sim_console_send, .receive = sim_console_receive};
        board->wait_states = chosen.wait_states == ANY ? -1 : (int)chosen.wait_states;
        board->no_cache = chosen.no_cache;
        board->core.stack_limit =
            program.static_end > part->ram_base ? program.static_end : part->ram_base;
        if (chosen.far_ram)
            board->v7m.ram_near = near_ram(part, board->core.stack_limit - part->ram_base);
        status = watch(&chosen, board, &program) ? run(&chosen, board, &program) : SIM_USAGE;
        sim_program_free(&program);
    }
    cm_board_free(board);
    free(file);
    return status;
}

/*
 * motebench-sim-cortexm: a microcontroller with an ARMv6-M core, a program in its flash, its console USART on standard
 * input and output.
 *
 *     motebench-sim-cortexm --mcu samd21g18a --clock 48000000 firmware.elf
 *
 *     --wait-states N   of the flash, whatever the program sets (0 to 15)
 *     --no-cache        the flash without its cache
 *     --budget CYCLES   no more than these
 *     --profile FILE    instructions, cycles and flash misses of each function, as a table
 *     --stack           at the end, how deep the stack was
 *
 * The clock is only checked against the part's: time is counted in cycles. Exit status: 0 when the input ends while the program waits for
 * it; 2 for wrong usage or a file that is no program for this part; 3 when the program waits for what cannot come, or
 * locks up; 4 when the budget is used up; 5 unaligned access; 6 undefined instruction; 7 an address where nothing is;
 * 8 stack overflow. Messages go to standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/board.h"
#include "board/elf.h"
#include "board/profile.h"
#include "console.h"
#include "orphan.h"

enum { LONGEST_FILE = 64 << 20 };
enum { USAGE = 2, LOCKUP = 3, BUDGET = 4, UNALIGNED = 5, UNDEFINED = 6, BUS = 7, STACK = 8 };

typedef struct options {
    const char *mcu, *path, *profile;
    uint64_t clock, budget;
    int wait_states;
    bool no_cache, stack;
} options;

/* --- start and end ------------------------------------------------------------------------------------------------ */

static int usage(const char *problem, const char *about)
{
    fprintf(stderr,
            "motebench-sim-cortexm: %s%s\n"
            "usage: motebench-sim-cortexm --mcu NAME --clock HZ [--wait-states N] [--no-cache] [--budget CYCLES]\n"
            "       [--profile FILE] [--stack] FIRMWARE.elf\n",
            problem, about);
    return USAGE;
}

/* NULL, or the argument that is wrong. */
static const char *parse(int argc, char **argv, options *chosen)
{
    *chosen = (options){.budget = UINT64_MAX, .wait_states = -1};
    for (int i = 1; i < argc; i++) {
        const char *const option = argv[i];
        uint64_t value = 0;
        if (strcmp(option, "--no-cache") == 0) {
            chosen->no_cache = true;
        } else if (strcmp(option, "--stack") == 0) {
            chosen->stack = true;
        } else if (option[0] != '-' && chosen->path == NULL) {
            chosen->path = option;
        } else if (i + 1 == argc) {
            return option;
        } else if (strcmp(option, "--mcu") == 0) {
            chosen->mcu = argv[++i];
        } else if (strcmp(option, "--profile") == 0) {
            chosen->profile = argv[++i];
        } else if (strcmp(option, "--clock") == 0 && sim_number(argv[++i], UINT32_MAX, &value)) {
            chosen->clock = value;
        } else if (strcmp(option, "--budget") == 0 && sim_number(argv[++i], UINT64_MAX - 1, &value)) {
            chosen->budget = value;
        } else if (strcmp(option, "--wait-states") == 0 && sim_number(argv[++i], 15, &value)) {
            chosen->wait_states = (int)value;
        } else {
            return argv[i];
        }
    }
    return NULL;
}

/* What stopped the core, in words; the exit status that goes with it. */
static int report(const cm_core *core, const sim_program *program)
{
    static const struct {
        cm_stop stop;
        int status;
        const char *kind;
    } kinds[] = {
        {CM_UNALIGNED, UNALIGNED, "unaligned access"}, {CM_UNDEFINED, UNDEFINED, "undefined instruction"},
        {CM_BUS, BUS, "bus error"},                    {CM_STACK, STACK, "stack overflow"},
        {CM_LOCKUP, LOCKUP, "lock-up"},
    };
    const sim_symbol *function = sim_program_function(program, core->r[CM_PC]);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].stop != core->stop)
            continue;
        fprintf(stderr,
                "motebench-sim-cortexm: %s: %s (0x%08" PRIx32 "), at address 0x%08" PRIx32 "%s%s after %" PRIu64
                " cycles",
                kinds[i].kind, core->fault, core->fault_address, core->r[CM_PC], function != NULL ? " in " : "",
                function != NULL ? function->name : "", core->cycles);
        if (core->stop == CM_STACK)
            fprintf(stderr, ": %" PRIu32 " bytes of RAM are missing", core->stack_limit - core->fault_address);
        if (core->stop == CM_UNALIGNED && core->architecture == CM_ARMV6M)
            fputs("; a Cortex-M0+ cannot do that, a Cortex-M3 or M4 can", stderr);
        fputc('\n', stderr);
        return kinds[i].status;
    }
    return LOCKUP;
}

static bool write_profile(const options *chosen, const cm_profile *profile, const cm_board *board,
                          const sim_program *program)
{
    FILE *to = fopen(chosen->profile, "w");
    bool written = to != NULL && cm_profile_write(profile, board, program, to);
    if (to != NULL && fclose(to) != 0)
        written = false;
    if (!written)
        fprintf(stderr, "motebench-sim-cortexm: the profile cannot be written to %s\n", chosen->profile);
    return written;
}

static int run(const options *chosen, cm_board *board, const sim_program *program)
{
    cm_profile *profile = chosen->profile != NULL ? cm_profile_new(board) : NULL;
    int status = 0;
    if (chosen->profile != NULL && profile == NULL)
        return usage("not enough memory for a profile", "");
    if (!cm_board_reset(board)) {
        status = report(&board->core, program);
    } else {
        const uint32_t top = board->core.r[CM_SP];
        const cm_stop stop = profile != NULL ? cm_profile_run(profile, board, chosen->budget)
                                             : cm_board_run(board, chosen->budget);
        sim_console_flush();
        if (stop == CM_DEADLINE) {
            fprintf(stderr,
                    "motebench-sim-cortexm: the budget of %" PRIu64 " cycles is used up, at address 0x%08" PRIx32 "\n",
                    chosen->budget, board->core.r[CM_PC]);
            status = BUDGET;
        } else if (stop != CM_HALTED) {
            status = report(&board->core, program);
        }
        if (chosen->stack)
            fprintf(stderr, "motebench-sim-cortexm: stack: %" PRIu32 " bytes\n", top - board->core.stack_low);
        if (profile != NULL && !write_profile(chosen, profile, board, program) && status == 0)
            status = USAGE;
    }
    free(profile);
    return status;
}

int main(int argc, char **argv)
{
    options chosen;
    sim_program program;
    size_t len = 0;
    mb_end_with_parent();
    const char *wrong = parse(argc, argv, &chosen);
    if (wrong != NULL)
        return usage("unknown option or invalid value: ", wrong);
    if (chosen.mcu == NULL || chosen.path == NULL || chosen.clock == 0)
        return usage("--mcu, --clock and FIRMWARE.elf are required", "");
    const cm_part *part = cm_part_named(chosen.mcu);
    if (part == NULL)
        return usage("unknown part: ", chosen.mcu);
    if (chosen.clock > part->clock_max)
        return usage("the clock is too fast for this part: ", chosen.mcu);
    uint8_t *file = sim_read_file(chosen.path, LONGEST_FILE, &len);
    if (file == NULL)
        return usage("the program cannot be read: ", chosen.path);
    cm_board *board = cm_board_new(part);
    const char *problem = board == NULL ? "not enough memory for a board" : cm_elf_load(file, len, board, &program);
    int status;
    if (problem != NULL) {
        fprintf(stderr, "motebench-sim-cortexm: %s: %s\n", chosen.path, problem);
        status = USAGE;
    } else {
        board->console = (cm_console){.send = sim_console_send, .receive = sim_console_receive};
        board->wait_states = chosen.wait_states;
        board->no_cache = chosen.no_cache;
        board->core.stack_limit = program.static_end > part->ram_base ? program.static_end : part->ram_base;
        status = run(&chosen, board, &program);
        sim_program_free(&program);
    }
    cm_board_free(board);
    free(file);
    return status;
}

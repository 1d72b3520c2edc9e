/*
 * motebench-sim-hazard3: a microcontroller with a Hazard3 core, a program in its memory, its UART on standard input and
 * output.
 *
 *     motebench-sim-hazard3 --mcu rp2350-hazard3 --clock 150000000 firmware.elf
 *
 *     --budget CYCLES   no more than these
 *     --stack           at the end, how deep the stack was
 *
 * The clock is only checked against the part's: time is counted in cycles. Exit status: 0 when the input ends while the
 * program waits for it; 2 for wrong usage or a file that is no program for this part; 3 when the program waits for what cannot
 * come; 4 when the budget is used up; 5 unaligned access; 6 undefined instruction; 7 an address where nothing is; 8 stack
 * overflow. Messages go to standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/board.h"
#include "console.h"
#include "orphan.h"

enum { LONGEST_FILE = 64 << 20 };
enum { USAGE = 2, LOCKUP = 3, BUDGET = 4, UNALIGNED = 5, UNDEFINED = 6, BUS = 7, STACK = 8 };

typedef struct options {
    const char *mcu, *path;
    uint64_t clock, budget;
    bool stack;
} options;

static int receive(void)
{
    return sim_console_receive(-1);
}

static int usage(const char *problem, const char *about)
{
    fprintf(stderr,
            "motebench-sim-hazard3: %s%s\n"
            "usage: motebench-sim-hazard3 --mcu NAME --clock HZ [--budget CYCLES] [--stack] FIRMWARE.elf\n",
            problem, about);
    return USAGE;
}

/* NULL, or the argument that is wrong. */
static const char *parse(int argc, char **argv, options *chosen)
{
    *chosen = (options){.budget = UINT64_MAX};
    for (int i = 1; i < argc; i++) {
        const char *const option = argv[i];
        if (strcmp(option, "--stack") == 0) {
            chosen->stack = true;
        } else if (option[0] != '-' && chosen->path == NULL) {
            chosen->path = option;
        } else if (i + 1 == argc) {
            return option;
        } else if (strcmp(option, "--mcu") == 0) {
            chosen->mcu = argv[++i];
        } else if (strcmp(option, "--clock") == 0 && sim_number(argv[i + 1], UINT32_MAX, &chosen->clock)) {
            i++;
        } else if (strcmp(option, "--budget") == 0 && sim_number(argv[i + 1], UINT64_MAX - 1, &chosen->budget)) {
            i++;
        } else {
            return argv[i];
        }
    }
    return NULL;
}

/* What stopped the core, in words; the exit status that goes with it. */
static int report(const hz_core *core, hz_stop stop, const sim_program *program)
{
    static const struct {
        hz_stop stop;
        int status;
        const char *kind;
    } kinds[] = {
        {HZ_UNALIGNED, UNALIGNED, "unaligned access"}, {HZ_UNDEFINED, UNDEFINED, "undefined instruction"},
        {HZ_BUS, BUS, "bus error"}, {HZ_STACK, STACK, "stack overflow"}, {HZ_LOCKUP, LOCKUP, "lock-up"},
    };
    const sim_symbol *function = sim_program_function(program, core->pc);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].stop != stop)
            continue;
        fprintf(stderr,
                "motebench-sim-hazard3: %s: %s (0x%08" PRIx32 "), at address 0x%08" PRIx32 "%s%s after %" PRIu64 " cycles",
                kinds[i].kind, core->fault, core->fault_address, core->pc, function != NULL ? " in " : "",
                function != NULL ? function->name : "", core->cycles);
        if (stop == HZ_STACK)
            fprintf(stderr, ": %" PRIu32 " bytes of RAM are missing", core->stack_limit - core->fault_address);
        fputc('\n', stderr);
        return kinds[i].status;
    }
    return LOCKUP;
}

static int run(const options *chosen, hz_board *board, const sim_program *program)
{
    hz_board_reset(board);
    const hz_stop stop = hz_board_run(board, chosen->budget);
    int status = 0;
    sim_console_flush();
    if (stop == HZ_DEADLINE) {
        fprintf(stderr, "motebench-sim-hazard3: the budget of %" PRIu64 " cycles is used up, at address 0x%08" PRIx32 "\n",
                chosen->budget, board->core.pc);
        status = BUDGET;
    } else if (stop != HZ_HALTED) {
        status = report(&board->core, stop, program);
    }
    if (chosen->stack)
        fprintf(stderr, "motebench-sim-hazard3: stack: %" PRIu32 " bytes\n",
                board->part->ram_base + board->part->ram_size - board->core.stack_low);
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
    const hz_part *part = hz_part_named(chosen.mcu);
    if (part == NULL)
        return usage("unknown part: ", chosen.mcu);
    if (chosen.clock > part->clock_max)
        return usage("the clock is too fast for this part: ", chosen.mcu);
    uint8_t *file = sim_read_file(chosen.path, LONGEST_FILE, &len);
    if (file == NULL)
        return usage("the program cannot be read: ", chosen.path);
    hz_board *board = hz_board_new(part);
    const char *problem = board == NULL ? "not enough memory for a board" : hz_elf_load(file, len, board, &program);
    int status;
    if (problem != NULL) {
        fprintf(stderr, "motebench-sim-hazard3: %s: %s\n", chosen.path, problem);
        status = USAGE;
    } else {
        board->send = sim_console_send;
        board->receive = receive;
        board->core.stack_limit = program.static_end > part->ram_base ? program.static_end : part->ram_base;
        status = run(&chosen, board, &program);
        sim_program_free(&program);
    }
    hz_board_free(board);
    free(file);
    return status;
}

/*
 * The fuzz target: whatever the bytes are, loading and running them ends, in the budget, without a
 * crash. The first byte says what they are, an ELF file or instructions, and which part runs them.
 * Some are watched for where secrets flow.
 */
#include <stdlib.h>
#include <string.h>

#include "../core/watch.h"
#include "machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { BUDGET = 20000, FAULTS = 100, REGISTERS = 32, MOST = 0x800, WATCHED = 16 };

/* Functions that mark, in the middle of the code: whatever registers hold then is what they are
 * told. */
static sim_symbol marks[] = {
    {.address = 0, .name = "mb_mark_begin"},
    {.address = 8, .name = "mb_mark_secret"},
    {.address = 32, .name = "mb_mark_public"},
    {.address = 256, .name = "mb_mark_end"},
};
static const sim_program marking = {.symbols = marks, .count = sizeof marks / sizeof marks[0]};

static const uint8_t *input;
static size_t input_left;

static void drop(uint8_t byte)
{
    (void)byte;
}

static int feed(int milliseconds)
{
    (void)milliseconds;
    return input_left > 0 ? input[--input_left] : SIM_ENDED;
}

/* A fault is not the end here: execution goes on behind it, for a while. */
static void run(av_board *board)
{
    av_core *core = &board->core;
    for (unsigned i = 0; i < FAULTS; i++) {
        const av_stop stop = av_core_run(core, BUDGET);
        (void)av_board_missing(board);
        if (stop == AV_HALTED || stop == AV_DEADLINE)
            break;
        core->stop = AV_NONE;
        core->pc = core->pc + 1 < core->flash_words ? core->pc + 1 : 0;
    }
    if (core->cycles > BUDGET + 1000)
        abort();
}

static void watch(av_board *board, uint8_t kind, const sim_program *program)
{
    if ((kind & WATCHED) != 0 && !av_watch_start(&board->core, program))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char *const parts[] = {"atmega328p", "atmega4809", "atmega2560", "atmega4809"};
    if (len < 1 + REGISTERS)
        return 0;
    const uint8_t kind = data[0];
    av_board *board = av_board_new(av_part_named(parts[kind & 3]), 0);
    if (board == NULL)
        abort();
    board->console = (av_console){.send = drop, .receive = feed};
    input = ++data;
    input_left = --len;
    if (kind & 8) {
        sim_program program = {.symbols = NULL};
        if (av_elf_load(data, len, board) == NULL &&
            av_elf_functions(data, len, &program) == NULL) {
            watch(board, kind, &program);
            run(board);
            sim_program_free(&program);
        }
    } else {
        const size_t count = len - REGISTERS < MOST ? len - REGISTERS : MOST;
        memcpy(board->core.flash, data + REGISTERS, count);
        av_core_init(&board->core, (uint32_t)(count / 2));
        memcpy(board->core.r, data, REGISTERS);
        board->core.floor = (uint16_t)(board->part->ram_base + (kind & 4 ? 64 : 0));
        board->held = kind & 4 ? board->part->ram_base + 2u : 0;
        watch(board, kind, &marking);
        run(board);
    }
    av_board_free(board);
    return 0;
}

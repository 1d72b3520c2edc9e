/*
 * The fuzz target: whatever the bytes are, loading and running them ends, in the budget, without a
 * crash. The first byte says what they are: an ELF file, or instructions with registers from the
 * bytes as well. Some are watched for where secrets flow.
 */
#include <stdlib.h>
#include <string.h>

#include "../board/board.h"
#include "../core/watch.h"
#include "bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { BUDGET = 20000, FAULTS = 100, REGISTERS = 124, MOST = 0x800, IS_FILE = 8, WATCHED = 16 };

/* Functions that mark, in the middle of the code: whatever registers hold then is what they are
 * told. */
static sim_symbol marks[] = {
    {.address = 0x20000000, .name = "mb_mark_begin"},
    {.address = 0x20000008, .name = "mb_mark_secret"},
    {.address = 0x20000020, .name = "mb_mark_public"},
    {.address = 0x20000100, .name = "mb_mark_end"},
};
static const sim_program marking = {.symbols = marks, .count = sizeof marks / sizeof marks[0]};

static const uint8_t *input;
static size_t input_left;

static void drop(uint8_t byte)
{
    (void)byte;
}

static int feed(void)
{
    return input_left > 0 ? input[--input_left] : SIM_ENDED;
}

/* A fault is not the end here: execution goes on behind it, for a while. */
static void run(hz_board *board)
{
    const uint64_t until = board->core.cycles + BUDGET;
    for (unsigned i = 0; i < FAULTS; i++) {
        const hz_stop stop = hz_board_run(board, until);
        if (stop == HZ_HALTED || stop == HZ_DEADLINE)
            break;
        board->core.pc += 2;
    }
    if (board->core.cycles > until + 1000)
        abort();
}

static void watch(hz_board *board, uint8_t kind, const sim_program *program)
{
    if ((kind & WATCHED) != 0 && !hz_watch_start(&board->core, program))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < 1 + REGISTERS)
        return 0;
    const uint8_t kind = data[0];
    hz_board *board = hz_board_new(hz_part_named("rp2350-hazard3"), 0);
    if (board == NULL)
        abort();
    board->send = drop;
    board->receive = feed;
    input = ++data;
    input_left = --len;
    board->core.stack_limit = board->part->ram_base;
    if (kind & IS_FILE) {
        sim_program program;
        if (hz_elf_load(data, len, board, &program) == NULL) {
            watch(board, kind, &program);
            hz_board_reset(board);
            run(board);
            sim_program_free(&program);
        }
    } else {
        const size_t count = len - REGISTERS < MOST ? len - REGISTERS : MOST;
        memcpy(board->core.code, data + REGISTERS, count);
        board->entry = board->part->code_base;
        watch(board, kind, &marking);
        hz_board_reset(board);
        for (uint32_t reg = 1; reg < 32; reg++)
            board->core.x[reg] = sim_get32(data + 4 * (reg - 1));
        run(board);
    }
    hz_board_free(board);
    return 0;
}

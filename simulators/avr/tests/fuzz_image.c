/*
 * The fuzz target: whatever the bytes are, loading and running them ends, in the budget, without a
 * crash. The first byte says what they are, an ELF file or instructions, and which part runs them.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { BUDGET = 20000, FAULTS = 100, REGISTERS = 32, MOST = 0x800 };

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
        if (av_elf_load(data, len, board) == NULL)
            run(board);
    } else {
        const size_t count = len - REGISTERS < MOST ? len - REGISTERS : MOST;
        memcpy(board->core.flash, data + REGISTERS, count);
        av_core_init(&board->core, (uint32_t)(count / 2));
        memcpy(board->core.r, data, REGISTERS);
        board->core.floor = (uint16_t)(board->part->ram_base + (kind & 4 ? 64 : 0));
        board->held = kind & 4 ? board->part->ram_base + 2u : 0;
        run(board);
    }
    av_board_free(board);
    return 0;
}

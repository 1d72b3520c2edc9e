#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/internal.h"

static void no_output(uint8_t byte)
{
    (void)byte;
}

static int no_input(int milliseconds)
{
    (void)milliseconds;
    return SIM_ENDED;
}

static uint8_t *at(const cm_board *board, uint32_t address)
{
    const cm_core *core = &board->core;
    return address < core->flash_size ? core->flash + address
                                      : core->ram + (address - core->ram_base);
}

uint32_t machine_word(const cm_board *board, uint32_t address)
{
    return sim_get32(at(board, address));
}

void machine_set_word(cm_board *board, uint32_t address, uint32_t value)
{
    sim_put32(at(board, address), value);
    board->core.flush = true;
}

cm_board *machine_new(const char *part)
{
    cm_board *board = cm_board_new(cm_part_named(part));
    if (board == NULL)
        abort();
    board->console = (cm_console){.send = no_output, .receive = no_input};
    board->core.stack_limit = board->part->ram_base;
    machine_set_word(board, 0, TOP);
    machine_set_word(board, 4, CODE | 1);
    if (!cm_board_reset(board))
        abort();
    return board;
}

void machine_code(cm_board *board, uint32_t address, const uint16_t *code, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sim_put16(at(board, address + 2 * (uint32_t)i), code[i]);
    board->core.flush = true;
}

void machine_at(cm_board *board, uint32_t address)
{
    if (board->part->architecture == CM_ARMV6M)
        cm6_empty_cache(&board->v6m);
    board->core.flush = true;
    cm_core_kick(&board->core);
    board->core.r[CM_PC] = address;
}

uint64_t machine_steps(cm_board *board, unsigned count)
{
    const uint64_t start = board->core.cycles;
    while (count-- > 0) {
        const cm_stop stop = cm_core_run(&board->core, board->core.cycles + 1);
        if (stop != CM_DEADLINE) {
            fprintf(stderr, "stopped at 0x%x: %s\n", (unsigned)board->core.r[CM_PC],
                    stop == CM_SLEEP || board->core.fault == NULL ? "asleep" : board->core.fault);
            exit(1);
        }
    }
    return board->core.cycles - start;
}

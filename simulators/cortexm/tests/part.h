/* A whole part for one test program: its board, a console that keeps the last bytes sent and has
 * `input` to receive, and its memory as the core sees it. */
#ifndef MOTEBENCH_CORTEXM_TESTS_PART_H
#define MOTEBENCH_CORTEXM_TESTS_PART_H

#include "../board/board.h"
#include "../core/internal.h"
#include "check.h"

static cm_board *board;
static cm_core *core;
static uint8_t sent[4];
static size_t sent_len;
static const char *input = "";

static void send(uint8_t byte)
{
    sent[sent_len++ % sizeof sent] = byte;
}

static int receive(int milliseconds)
{
    (void)milliseconds;
    return *input != '\0' ? *input++ : SIM_ENDED;
}

/* A new board in place of the last one, before its reset. */
static void new_board(const char *part)
{
    cm_board_free(board);
    board = cm_board_new(cm_part_named(part));
    core = &board->core;
    board->console = (cm_console){.send = send, .receive = receive};
    core->stack_limit = core->ram_base;
}

static uint32_t peek(uint32_t address)
{
    uint32_t value = 0xdeadbeef;
    CHECK(cm_load(core, address, 4, &value));
    return value;
}

static void poke(uint32_t address, uint32_t value)
{
    CHECK(cm_store(core, address, 4, value));
}

#endif

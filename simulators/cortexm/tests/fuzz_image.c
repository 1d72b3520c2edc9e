/*
 * The fuzz target: whatever the bytes are, loading and running them ends, in the budget, without a
 * crash. The first byte says what they are: an ELF file, or instructions for flash (odd: for RAM),
 * with registers from the bytes as well. Some are watched for where secrets flow.
 */
#include <stdlib.h>
#include <string.h>

#include "../board/elf.h"
#include "../core/internal.h"
#include "../core/watch.h"
#include "machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { BUDGET = 20000, FAULTS = 300, WATCHED = 16, PART_SHIFT = 5 };

/* One of each instruction set, by the bits of the first byte from PART_SHIFT up. */
static const char *const parts[] = {"samd21g18a", "cortex-m33-nows", "nrf52840", "cortex-m3-nows"};
static cm_board *boards[sizeof parts / sizeof parts[0]];

/* Functions that mark, in the middle of the code: whatever registers hold then is what they are
 * told. */
static sim_symbol marks[] = {
    {.address = CODE, .name = "mb_mark_begin"},
    {.address = CODE + 8, .name = "mb_mark_secret"},
    {.address = CODE + 32, .name = "mb_mark_public"},
    {.address = CODE + 256, .name = "mb_mark_end"},
};
static const sim_program marking = {.symbols = marks, .count = sizeof marks / sizeof marks[0]};

static cm_board *board;
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
static void run(void)
{
    const uint64_t until = board->core.cycles + BUDGET;
    for (unsigned i = 0; i < FAULTS; i++) {
        const cm_stop stop = cm_board_run(board, until);
        if (stop == CM_HALTED || stop == CM_DEADLINE)
            break;
        board->core.r[CM_PC] += 2;
    }
    if (board->core.cycles > until + 1000)
        abort();
}

/* From now on, or not. */
static void watch(bool watched, const sim_program *program)
{
    static const cm_instructions *const sets[] = {
        [CM_ARMV6M] = &cm6_instructions,
        [CM_ARMV7M] = &cm7_instructions,
        [CM_ARMV7EM] = &cm7_instructions,
        [CM_ARMV8M] = &cm8_instructions};
    cm_watch_end(&board->core);
    board->core.instructions = sets[board->part->architecture];
    if (watched && !cm_board_watch(board, program))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < 1 + 64)
        return 0;
    const uint8_t kind = data[0];
    const size_t number = kind >> PART_SHIFT & 3;
    if (boards[number] == NULL)
        boards[number] = cm_board_new(cm_part_named(parts[number]));
    board = boards[number];
    if (board == NULL)
        abort();
    sim_program program = {.symbols = NULL};
    cm_core *core = &board->core;
    board->console = (cm_console){.send = drop, .receive = feed};
    core->halt = false;
    core->cycles = 0;
    if (board->part->architecture == CM_ARMV6M)
        board->v6m.hit_end = board->v6m.miss_end = 0;
    else
        board->v7m.far_next = 0;
    board->wait_states = kind >> 1 & 1 ? 1 : -1;
    board->no_cache = kind >> 2 & 1;
    input = ++data;
    input_left = --len;
    memset(core->flash, 0xff, 0x2000);
    memset(core->ram, 0, core->ram_size);
    core->stack_limit = core->ram_base;
    board->vectors = 0;
    if (kind & 8) {
        if (cm_elf_load(data, len, board, &program) == NULL) {
            (void)sim_program_function(&program, board->vectors);
            watch(kind & WATCHED, &program);
            if (cm_board_reset(board))
                run();
            watch(false, NULL);
            sim_program_free(&program);
        }
        return 0;
    }
    const uint32_t at = kind & 1 ? DATA : CODE;
    watch(kind & WATCHED, &marking);
    const size_t most = 0x1000, count = len - 64 < most ? len - 64 : most;
    memcpy(kind & 1 ? core->ram + (DATA - core->ram_base) : core->flash + CODE, data + 64, count);
    sim_put32(core->flash, TOP);
    sim_put32(core->flash + 4, at | 1);
    for (uint32_t i = 2; i < 48; i++) /* exceptions lead to the code as well */
        sim_put32(core->flash + 4 * i, (at + 2 * i) | 1);
    if (cm_board_reset(board)) {
        for (uint32_t i = 0; i < 13; i++)
            core->r[i] = sim_get32(data + 4 * i);
        run();
    }
    return 0;
}

#include "board.h"

#include <stdlib.h>
#include <string.h>

#include "../core/qingke_core.h"
#include "../core/watch.h"
#include "bytes.h"

static const hz_block *block_of(const hz_board *board, uint32_t address, size_t *index)
{
    for (size_t i = 0; i < board->part->block_count; i++) {
        const hz_block *block = &board->part->blocks[i];
        if (address - block->base < block->size) {
            *index = i;
            return block;
        }
    }
    return NULL;
}

uint8_t *hz_block_at(hz_board *board, uint32_t base)
{
    size_t i = 0;
    return block_of(board, base, &i) != NULL ? board->registers[i] : NULL;
}

static bool bus_read(void *of, uint32_t address, unsigned size, uint32_t *value)
{
    hz_board *board = of;
    size_t i;
    const hz_block *block = block_of(board, address, &i);
    if (block == NULL)
        return false;
    const uint32_t offset = address - block->base;
    if (block->read != NULL)
        block->read(board, board->registers[i], offset & ~3u);
    *value = sim_get(board->registers[i] + offset, size);
    return true;
}

/*
 * A write of less than a word counts for the whole word, as on the part: its bus repeats the
 * bytes.
 */
static bool bus_write(void *of, uint32_t address, unsigned size, uint32_t value)
{
    hz_board *board = of;
    size_t i;
    const hz_block *block = block_of(board, address, &i);
    if (block == NULL)
        return false;
    if (size < 4)
        value = (value & ((1u << 8 * size) - 1)) * (size == 1 ? 0x01010101u : 0x00010001u);
    const uint32_t offset = (address - block->base) & ~3u;
    if (block->written != NULL)
        block->written(board, board->registers[i], offset, value);
    else
        sim_put32(board->registers[i] + offset, value);
    return true;
}

const hz_part *hz_part_named(const char *name)
{
    static const hz_part *const parts[] = {&hz_rp2350, &hz_ch32v003};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcmp(name, parts[i]->name) == 0)
            return parts[i];
    }
    return NULL;
}

hz_board *hz_board_new(const hz_part *part, uint32_t code_size)
{
    hz_board *board = calloc(1, sizeof *board);
    if (board == NULL)
        return NULL;
    board->part = part;
    board->wait_states = -1;
    board->core = (hz_core){
        .code_base = part->code_base,
        .code_size = code_size != 0 ? code_size : part->code_size,
        .ram_base = part->ram_base,
        .ram_size = part->ram_size,
        .bus = {.read = bus_read, .write = bus_write, .board = board},
    };
    board->core.code = calloc(1, board->core.code_size);
    board->core.ram = calloc(1, part->ram_size);
    bool enough = board->core.code != NULL && board->core.ram != NULL && hz_core_init(&board->core);
    for (size_t i = 0; i < part->block_count; i++) {
        board->registers[i] = calloc(1, part->blocks[i].size);
        enough = enough && board->registers[i] != NULL;
    }
    if (enough)
        return board;
    hz_board_free(board);
    return NULL;
}

void hz_board_free(hz_board *board)
{
    if (board == NULL)
        return;
    for (size_t i = 0; i < board->part->block_count; i++)
        free(board->registers[i]);
    hz_watch_end(&board->core);
    free(board->core.code);
    free(board->core.ram);
    hz_core_free(&board->core);
    free(board);
}

void hz_board_reset(hz_board *board)
{
    const uint32_t limit = board->core.stack_limit;
    for (size_t i = 0; i < board->part->block_count; i++) {
        memset(board->registers[i], 0, board->part->blocks[i].size);
        if (board->part->blocks[i].reset != NULL)
            board->part->blocks[i].reset(board, board->registers[i]);
    }
    hz_core_reset(&board->core, board->entry);
    if (board->part->qingke)
        qk_core_reset(&board->core);
    hz_board_wait(board, 0);
    board->core.stack_limit = limit;
    board->polls = 0;
    board->asks = false;
    memset(board->input, 0, sizeof board->input);
}

void hz_board_wait(hz_board *board, unsigned wait_states)
{
    board->core.flash_waits =
        (uint8_t)(board->wait_states >= 0 ? (unsigned)board->wait_states : wait_states);
}

/* Waits for one byte from outside. False: none will come. */
static bool take_byte(hz_board *board)
{
    const int byte = board->receive();
    if (byte < 0)
        return false;
    board->asks = false;
    board->polls = 0;
    board->part->feed(board, (uint8_t)byte);
    return true;
}

hz_stop hz_board_run(hz_board *board, uint64_t until)
{
    hz_core *core = &board->core;
    while (core->cycles < until) {
        const hz_stop stop =
            board->part->qingke ? qk_core_run(core, until) : hz_core_run(core, until);
        if (stop == HZ_SLEEP && !board->part->listens(board)) {
            core->stop = HZ_LOCKUP;
            core->fault_address = core->pc;
            core->fault = "a sleep that nothing can end";
            return HZ_LOCKUP;
        }
        if (stop == HZ_SLEEP || (stop == HZ_HALTED && board->asks)) {
            core->halt = false;
            if (!take_byte(board))
                return HZ_HALTED;
        } else if (stop != HZ_DEADLINE) {
            return stop;
        }
    }
    return HZ_DEADLINE;
}

/* Wires a declaration to a core: memories, the dispatch of registers, interrupts, and what sleeping
 * means. */
#include "board.h"

#include <stdlib.h>
#include <string.h>

#include "../core/watch.h"
#include "line.h"

/* Cycles between two looks at what the probe holds for a job. */
enum { LOOK = 512 };

void av_raise(av_unit *unit, unsigned vector, bool raised)
{
    if (vector == 0)
        return;
    const uint64_t bit = (uint64_t)1 << vector;
    unit->board->raised = raised ? unit->board->raised | bit : unit->board->raised & ~bit;
    unit->board->core.pending = unit->board->raised != 0;
}

static av_unit *unit_at(av_board *board, uint16_t address)
{
    const unsigned found = address < AV_IO ? board->unit_of[address] : 0;
    return found != 0 ? &board->units[found - 1] : NULL;
}

static uint8_t fault(av_board *board, uint16_t address)
{
    board->core.stop = AV_BUS;
    board->core.fault = address;
    return 0;
}

static uint8_t read_io(void *context, uint16_t address)
{
    av_board *board = context;
    if (address >= board->part->io_end)
        return fault(board, address);
    av_unit *unit = unit_at(board, address);
    return unit != NULL && unit->is->model->read != NULL
               ? unit->is->model->read(unit, address)
               : board->core.data[address];
}

static void write_io(void *context, uint16_t address, uint8_t value)
{
    av_board *board = context;
    if (address >= board->part->io_end) {
        fault(board, address);
        return;
    }
    av_unit *unit = unit_at(board, address);
    if (unit != NULL && unit->is->model->write != NULL)
        unit->is->model->write(unit, address, value);
    else
        board->core.data[address] = value;
    board->changed = unit != NULL;
}

unsigned av_board_missing(const av_board *board)
{
    const unsigned first_free = board->core.low + 1u, end = board->held_end;
    const unsigned ram_end = (unsigned)board->part->ram_base + board->part->ram_bytes;
    const unsigned now =
        board->held != 0 && first_free >= board->core.floor && first_free < end && end < ram_end
            ? end - first_free
            : 0;
    return now > board->lost ? now : board->lost;
}

/* The probe has placed a job: from now on it counts how deep the stack is. Or it has begun anew,
 * and holds none. */
static void look(av_board *board)
{
    const uint8_t *const at = &board->core.data[board->held];
    const unsigned end = at[0] | (unsigned)at[1] << 8;
    if (end != board->held_end) {
        if (end == 0)
            board->lost = av_board_missing(board);
        board->held_end = end;
        av_core_new_job(&board->core);
    }
}

static uint64_t advance(void *context, uint64_t now)
{
    av_board *board = context;
    if (board->changed || now >= board->next) {
        board->changed = false;
        board->next = AV_NEVER;
        for (size_t i = 0; i < board->part->count; i++) {
            av_unit *unit = &board->units[i];
            const uint64_t one =
                unit->is->model->event != NULL ? unit->is->model->event(unit, now) : AV_NEVER;
            board->next = one < board->next ? one : board->next;
        }
    }
    if (board->held == 0)
        return board->next;
    if (now >= board->look) {
        look(board);
        board->look = now + LOOK;
    }
    return board->look < board->next ? board->look : board->next;
}

static unsigned accept(void *context)
{
    av_board *board = context;
    const unsigned vector = (unsigned)__builtin_ctzll(board->raised);
    av_unit *unit = &board->units[board->owner[vector]];
    if (unit->is->model->accepted != NULL)
        unit->is->model->accepted(unit, vector);
    board->changed = true;
    return vector;
}

static bool sleeps(void *context)
{
    const av_board *board = context;
    return board->core.data[board->part->sleep_register] & 1;
}

/* Simulated time passes at once; only for input is there waiting. */
static av_stop wait_for_interrupt(void *context)
{
    av_board *board = context;
    av_core *core = &board->core;
    av_stop stop = AV_NONE;
    if (board->held != 0)
        look(board);
    if (av_board_missing(board) != 0 && !board->spoke)
        return AV_JOB;
    board->asleep = board->changed = true;
    board->lost = 0;
    av_core_new_job(core);
    for (;;) {
        advance(board, core->cycles);
        if (core->pending)
            break;
        if (core->cycles >= core->until)
            break;
        if (board->next != AV_NEVER) {
            core->cycles = board->next < core->until ? board->next : core->until;
            continue;
        }
        stop = av_line_wait(board);
        if (stop != AV_NONE)
            break;
        board->changed = true;
    }
    board->asleep = false;
    board->changed = true;
    return stop;
}

av_unit *av_unit_of(av_board *board, const av_model *model)
{
    for (size_t i = 0; i < board->part->count; i++) {
        if (board->units[i].is->model == model)
            return &board->units[i];
    }
    return NULL;
}

static bool make_units(av_board *board)
{
    const av_part *part = board->part;
    for (size_t i = 0; i < part->count; i++) {
        const av_peripheral *is = &part->peripherals[i];
        av_unit *unit = &board->units[i];
        *unit = (av_unit){.is = is, .board = board, .state = calloc(1, is->model->state + 1)};
        if (unit->state == NULL)
            return false;
        for (unsigned at = 0; at < is->size; at++)
            board->unit_of[is->base + at] = (uint8_t)(i + 1);
        if (is->flags != 0)
            board->unit_of[is->flags] = (uint8_t)(i + 1);
        if (is->mask != 0)
            board->unit_of[is->mask] = (uint8_t)(i + 1);
        for (size_t v = 0; v < sizeof is->vectors; v++)
            board->owner[is->vectors[v]] = (uint8_t)i;
    }
    for (size_t i = 0; i < part->count; i++) {
        if (part->peripherals[i].model->reset != NULL)
            part->peripherals[i].model->reset(&board->units[i]);
    }
    return true;
}

void av_board_free(av_board *board)
{
    if (board == NULL)
        return;
    for (size_t i = 0; i < AV_UNITS; i++)
        free(board->units[i].state);
    free(board->core.flash);
    free(board->core.ops);
    av_watch_end(&board->core);
    free(board);
}

av_board *av_board_new(const av_part *part, uint32_t flash_bytes)
{
    av_board *board = calloc(1, sizeof *board);
    if (board == NULL)
        return NULL;
    av_core *core = &board->core;
    const uint32_t flash = flash_bytes != 0 ? flash_bytes : part->flash_bytes;
    board->part = part;
    *core = (av_core){.family = part->family,
                      .flash_words = flash / 2,
                      .ram_base = part->ram_base,
                      .ram_size = part->ram_bytes,
                      .map_base = part->map_base};
    core->flash = malloc(flash);
    core->ops = calloc(flash / 2 + 1, sizeof *core->ops);
    core->bus = (av_bus){
        .read = read_io,
        .write = write_io,
        .advance = advance,
        .accept = accept,
        .sleep = wait_for_interrupt,
        .sleeps = sleeps,
        .board = board};
    if (core->flash == NULL || core->ops == NULL || !make_units(board)) {
        av_board_free(board);
        return NULL;
    }
    memset(core->flash, 0xff, flash);
    return board;
}

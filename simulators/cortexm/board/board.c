/* Wires a declaration to a core: memory, the dispatch of peripheral addresses, and what waiting
 * means. */
#include "board.h"

#include <stdlib.h>
#include <string.h>

#include "../core/internal.h"
#include "../core/watch.h"

const cm_model cm_plain = {.reset = NULL};

uint32_t cm_register(const cm_unit *unit, uint32_t offset, unsigned size)
{
    return sim_get(unit->registers + offset, size);
}

void cm_set_register(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    sim_put(unit->registers + offset, size, value);
}

void cm_interrupt(cm_unit *unit, uint8_t raised)
{
    if (unit->is->irq != CM_NO_IRQ)
        cm_core_line(&unit->board->core, unit->is->irq, raised != 0);
}

static cm_unit *unit_at(cm_board *board, uint32_t address)
{
    for (size_t i = 0; i < board->part->peripheral_count; i++) {
        const cm_peripheral *is = &board->part->peripherals[i];
        if (address - is->base < is->size)
            return &board->units[i];
    }
    board->no_unit = address;
    return NULL;
}

static bool read_unit(void *context, uint32_t address, unsigned size, uint32_t *value)
{
    cm_board *board = context;
    if (address - board->part->constants_base < board->part->constants_size) {
        *value = 0xffffffffu >> (32 - 8 * size);
        return true;
    }
    cm_unit *unit = unit_at(board, address);
    if (unit == NULL)
        return false;
    if (unit->is->model->read != NULL)
        unit->is->model->read(unit, address - unit->is->base);
    *value = cm_register(unit, address - unit->is->base, size);
    return true;
}

static bool write_unit(void *context, uint32_t address, unsigned size, uint32_t value)
{
    cm_board *board = context;
    cm_unit *unit = unit_at(board, address);
    if (unit == NULL)
        return false;
    const uint32_t offset = address - unit->is->base;
    if (unit->is->model->written == NULL)
        cm_set_register(unit, offset, size, value);
    else
        unit->is->model->written(unit, offset, size, value);
    cm_core_kick(&board->core);
    return true;
}

static uint64_t next_event(void *context, uint64_t now)
{
    cm_board *board = context;
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < board->timed_count; i++) {
        const uint64_t one = board->timed[i]->is->model->event(board->timed[i], now);
        next = one < next ? one : next;
    }
    return next;
}

void cm_board_flash(cm_board *board, unsigned wait_states, unsigned miss_penalty, bool cached)
{
    const cm_part *part = board->part;
    const bool waits = part->flash_waits, caches = cached && !board->no_cache;
    if (board->wait_states >= 0)
        wait_states = (unsigned)board->wait_states;
    if (part->architecture != CM_ARMV6M) {
        cm7_flash_timing timing = {.wait = 0};
        if (waits)
            timing = (cm7_flash_timing){
                .wait = (uint8_t)wait_states,
                .line_shift = part->line_shift,
                .last_place = caches ? (uint8_t)(part->cache_lines - 1) : 0};
        cm7_set_flash(&board->v7m, timing);
        return;
    }
    cm6_flash_timing timing = {.data_allocates = part->data_allocates};
    if (waits) {
        timing.cached = caches;
        timing.miss = (uint16_t)(wait_states + (timing.cached ? miss_penalty : 0));
        timing.hit = timing.cached ? 0 : timing.miss;
        timing.after_hit = timing.miss > 0 ? part->after_hit : 0;
    }
    cm6_set_flash(&board->v6m, timing);
}

void cm_board_accelerate(cm_board *board, unsigned wait_states, bool code, bool data, bool ahead)
{
    cm7_accelerator *is = board->v7m.accelerator;
    is->wait = (uint8_t)(board->wait_states >= 0 ? (unsigned)board->wait_states : wait_states);
    is->code.on = code && is->code.shape.lines != 0 && !board->no_cache;
    is->data.on = data && is->data.shape.lines != 0 && !board->no_cache;
    is->reads_ahead = ahead;
    cm7_set_flash(&board->v7m, (cm7_flash_timing){.wait = is->wait,
                                                  .line_shift = is->read_shift,
                                                  .ahead = cm7_ahead_properties_of[is->rule]});
}

void cm_board_free(cm_board *board)
{
    if (board == NULL)
        return;
    for (size_t i = 0; i < board->part->peripheral_count; i++)
        free(board->units[i].state);
    free(board->core.flash);
    free(board->core.ram);
    free(board->core.code_pages);
    board->core.instructions->end(&board->core);
    cm_watch_end(&board->core);
    free(board);
}

/* CPUID by architecture: Cortex-M0+ r0p1 (ARM DDI 0484), Cortex-M3 r2p1 (ARM DDI 0337), Cortex-M4
 * r0p1 (ARM DDI 0439), each in table 4-1; Cortex-M33 r1p0 (Arm 100230). */
static const uint32_t identities[] = {
    [CM_ARMV6M] = 0x410cc601u,
    [CM_ARMV7M] = 0x412fc231u,
    [CM_ARMV7EM] = 0x410fc241u,
    [CM_ARMV8M] = 0x411fd210u};

/* Instruction sets by architecture, and the same watched. */
static const cm_instructions *const sets[] = {
    [CM_ARMV6M] = &cm6_instructions,
    [CM_ARMV7M] = &cm7_instructions,
    [CM_ARMV7EM] = &cm7_instructions,
    [CM_ARMV8M] = &cm8_instructions};
static const cm_instructions *const watched[] = {
    [CM_ARMV6M] = &cm6_watched,
    [CM_ARMV7M] = &cm7_watched,
    [CM_ARMV7EM] = &cm7_watched,
    [CM_ARMV8M] = &cm8_watched};

cm_board *cm_board_new(const cm_part *part)
{
    cm_board *board = calloc(1, sizeof *board);
    if (board == NULL)
        return NULL;
    cm_core *core = &board->core;
    board->part = part;
    board->wait_states = -1;
    board->vectors = part->flash_base;
    core->flash_base = part->flash_base;
    core->flash_size = part->flash_size;
    core->ram_base = part->ram_base;
    core->ram_size = part->ram_size;
    core->flash = malloc(part->flash_size);
    core->ram = calloc(1, part->ram_size);
    core->instructions = sets[part->architecture];
    core->cpuid = identities[part->architecture];
    core->dsp = part->architecture >= CM_ARMV7EM;
    core->armv8m = part->architecture == CM_ARMV8M;
    core->fpu = part->fpu;
    core->bit_band = part->bit_band;
    core->interrupts = part->interrupts != 0 ? part->interrupts : 32;
    core->priority_mask =
        (uint8_t)(0xff00u >> (part->priority_bits != 0 ? part->priority_bits : 2));
    core->code_pages = calloc(1, part->ram_size >> CM_PAGE_SHIFT);
    bool whole = core->flash != NULL && core->ram != NULL && core->code_pages != NULL;
    if (part->architecture == CM_ARMV6M) {
        board->v6m.multiplier = part->multiplier;
        board->v6m.set_count = part->cache_sets;
    } else if (part->accelerated) {
        board->v7m.accelerator = cm7_accelerator_new(
            part->flash_size, part->line_shift, part->code_cache, part->data_cache, &core->misses);
        whole = whole && board->v7m.accelerator != NULL;
        if (whole)
            board->v7m.accelerator->rule = part->ahead;
    }
    whole = core->instructions->start(core) && whole;
    if (part->ram_is_far) {
        board->v7m.ram_near = 0;
        board->v7m.far_pause = 1;
    }
    core->bus =
        (cm_bus){.read = read_unit, .write = write_unit, .event = next_event, .board = board};
    for (size_t i = 0; i < part->peripheral_count; i++) {
        board->units[i].is = &part->peripherals[i];
        board->units[i].board = board;
        if (part->peripherals[i].model->state != 0) {
            board->units[i].state = calloc(1, part->peripherals[i].model->state);
            whole = whole && board->units[i].state != NULL;
        }
        if (strcmp(part->peripherals[i].name, part->console) == 0)
            board->console_unit = &board->units[i];
        if (part->peripherals[i].model->event != NULL)
            board->timed[board->timed_count++] = &board->units[i];
    }
    if (!whole) {
        cm_board_free(board);
        return NULL;
    }
    memset(core->flash, 0xff, part->flash_size);
    return board;
}

bool cm_board_watch(cm_board *board, const sim_program *program)
{
    board->core.instructions = watched[board->part->architecture];
    return cm_watch_start(&board->core, program);
}

bool cm_board_reset(cm_board *board)
{
    if (board->part->accelerated)
        /* the part's registers say the rest */
        cm7_accelerator_reset(board->v7m.accelerator);
    else
        cm_board_flash(board, 0, 0, true);
    for (size_t i = 0; i < board->part->peripheral_count; i++) {
        cm_unit *unit = &board->units[i];
        memset(unit->registers, 0, sizeof unit->registers);
        if (unit->is->model->reset != NULL)
            unit->is->model->reset(unit);
    }
    return board->part->boot != NULL ? board->part->boot(board)
                                     : cm_core_reset(&board->core, board->vectors);
}

/* The core sleeps, or circles in one instruction. False: nothing can end that. */
static bool wait_for_something(cm_board *board, uint64_t until)
{
    cm_core *core = &board->core;
    const uint64_t event = cm_core_next_event(core);
    if (cm_core_wakes(core))
        return true;
    cm_unit *console = board->console_unit;
    if (console != NULL && console->is->model->listens(console)) {
        if (console->is->model->feed(console, event == UINT64_MAX ? -1 : CM_PATIENCE_MS) ||
            core->halt)
            return true;
    }
    if (event == UINT64_MAX)
        return false;
    const uint64_t end = event < until ? event : until;
    core->cycles = end > core->cycles ? end : core->cycles;
    return true;
}

int cm_console_byte(cm_unit *unit, int milliseconds)
{
    cm_board *board = unit->board;
    const int byte =
        unit == board->console_unit ? board->console.receive(milliseconds) : SIM_NOTHING;
    if (byte == SIM_ENDED) {
        board->core.halt = true;
        cm_core_kick(&board->core);
    }
    return byte;
}

int cm_patience(cm_board *board)
{
    return cm_core_next_event(&board->core) == UINT64_MAX ? -1 : CM_PATIENCE_MS;
}

cm_stop cm_board_run(cm_board *board, uint64_t until)
{
    cm_core *core = &board->core;
    for (;;) {
        const cm_stop stop = cm_core_run(core, until);
        if (stop == CM_SLEEP) {
            if (wait_for_something(board, until))
                continue;
            (void)cm_fault(core, CM_LOCKUP, core->r[CM_PC],
                           "the program waits for an interrupt that cannot occur");
            return CM_LOCKUP;
        }
        if (stop != CM_RESET)
            return stop;
        if (!cm_board_reset(board))
            return core->stop;
    }
}

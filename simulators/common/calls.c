#include "calls.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DEEPEST = 512, MOST_PATHS = 1 << 20 };
#define NONE UINT32_MAX
#define ROOT (UINT32_MAX - 1) /* function of the path before the first */

/* A path: its last function, and the path that it lengthens. */
typedef struct node {
    uint32_t function, parent, first, next;
    uint64_t cycles;
} node;

/* A call that has not returned: its path, where it returns to, and the stack pointer then. */
typedef struct frame { uint32_t node, back, sp; } frame;

struct sim_calls {
    const sim_program *program;
    sim_code flash, ram;
    uint32_t *function; /* by halfword of flash, then of RAM */
    node *nodes;
    uint32_t count, room;
    uint32_t depth; /* frames; the first is never left */
    frame frames[DEEPEST];
};

static size_t halfwords(const sim_calls *calls)
{
    return ((size_t)calls->flash.size + calls->ram.size) / 2;
}

static uint32_t number_of(const sim_program *program, uint32_t address)
{
    const sim_symbol *found = sim_program_function(program, address);
    return found != NULL ? (uint32_t)(found - program->symbols) : NONE;
}

static uint32_t function_at(const sim_calls *calls, uint32_t address)
{
    const uint32_t in_flash = address - calls->flash.base, in_ram = address - calls->ram.base;
    if (in_flash < calls->flash.size)
        return calls->function[in_flash / 2];
    return in_ram < calls->ram.size ? calls->function[(calls->flash.size + in_ram) / 2] : NONE;
}

/* The path that `function` makes of this one; the path itself if there is no room. */
static uint32_t longer(sim_calls *calls, uint32_t parent, uint32_t function)
{
    for (uint32_t i = calls->nodes[parent].first; i != NONE; i = calls->nodes[i].next)
        if (calls->nodes[i].function == function)
            return i;
    if (calls->count == MOST_PATHS)
        return parent;
    if (calls->count == calls->room) {
        node *more = realloc(calls->nodes, 2 * (size_t)calls->room * sizeof *more);
        if (more == NULL)
            return parent;
        calls->nodes = more;
        calls->room *= 2;
    }
    calls->nodes[calls->count] =
        (node){.function = function, .parent = parent, .first = NONE, .next = NONE};
    calls->nodes[calls->count].next = calls->nodes[parent].first;
    calls->nodes[parent].first = calls->count;
    return calls->count++;
}

sim_calls *sim_calls_new(sim_code flash, sim_code ram, const sim_program *program)
{
    sim_calls *calls = calloc(1, sizeof *calls);
    if (calls == NULL)
        return NULL;
    *calls = (sim_calls){.program = program, .flash = flash, .ram = ram, .count = 1, .room = 1024};
    calls->nodes = calloc(calls->room, sizeof *calls->nodes);
    calls->function = calloc(halfwords(calls) + 1, sizeof *calls->function);
    if (calls->nodes == NULL || calls->function == NULL) {
        sim_calls_free(calls);
        return NULL;
    }
    for (size_t i = 0; i < halfwords(calls); i++) {
        const uint32_t at = 2 * (uint32_t)i;
        calls->function[i] =
            number_of(program, at < flash.size ? flash.base + at : ram.base + (at - flash.size));
    }
    calls->nodes[0] = (node){.function = ROOT, .parent = NONE, .first = NONE, .next = NONE};
    calls->frames[0] = (frame){.back = NONE};
    calls->depth = 1;
    return calls;
}

void sim_calls_free(sim_calls *calls)
{
    if (calls == NULL)
        return;
    free(calls->nodes);
    free(calls->function);
    free(calls);
}

sim_step sim_step_linked(uint32_t from, uint32_t to, uint32_t sp, uint32_t link, uint64_t cycles)
{
    return (sim_step){
        .from = from,
        .to = to,
        .sp = sp,
        .call = link - from == 2 || link - from == 4,
        .back = link,
        .sp_back = sp,
        .cycles = cycles};
}

static bool returns(const frame *call, const sim_step *step)
{
    return step->to == call->back && step->sp == call->sp;
}

/* The innermost call that this instruction returns from: its number, or 0. Calls within that one
 * were left with it. */
static uint32_t returned(const sim_calls *calls, const sim_step *step)
{
    uint32_t at = calls->depth - 1;
    while (at > 0 && !returns(&calls->frames[at], step))
        at--;
    return at;
}

/* The function of the innermost frame changes without a call: a jump to another one. */
static void jump(sim_calls *calls, uint32_t function)
{
    frame *top = &calls->frames[calls->depth - 1];
    const uint32_t parent = calls->depth > 1 ? calls->frames[calls->depth - 2].node : 0;
    if (calls->nodes[top->node].function != function)
        top->node = longer(calls, parent, function);
}

static void call(sim_calls *calls, const sim_step *step, uint32_t function)
{
    if (calls->depth == DEEPEST)
        return;
    const uint32_t caller = calls->frames[calls->depth - 1].node;
    calls->frames[calls->depth++] =
        (frame){.node = longer(calls, caller, function), .back = step->back, .sp = step->sp_back};
}

void sim_calls_step(sim_calls *calls, const sim_step *step)
{
    if (calls->frames[calls->depth - 1].node == 0)
        jump(calls, function_at(calls, step->from)); /* the first instruction */
    const frame *top = &calls->frames[calls->depth - 1];
    calls->nodes[top->node].cycles += step->cycles;
    const uint32_t to = function_at(calls, step->to);
    if (calls->depth > 1 && returns(top, step)) {
        calls->depth--;
        jump(calls, to);
        return;
    }
    const bool other = to != calls->nodes[top->node].function;
    if (step->call && (other || (to != NONE && step->to == calls->program->symbols[to].address))) {
        call(calls, step, to);
    } else if (other) {
        const uint32_t left = returned(calls, step);
        calls->depth = left > 0 ? left : calls->depth;
        jump(calls, to);
    }
}

/* Names are those of the program: what would end a name or a line there becomes '_'. */
static void write_name(const sim_calls *calls, uint32_t function, FILE *to)
{
    const char *name = function != NONE ? calls->program->symbols[function].name : "?";
    for (; *name != '\0'; name++)
        fputc(*name == ';' || *name <= ' ' || *name > '~' ? '_' : *name, to);
}

static void write_path(const sim_calls *calls, uint32_t last, FILE *to)
{
    uint32_t path[DEEPEST], depth = 0;
    for (; last != 0 && depth < DEEPEST; last = calls->nodes[last].parent)
        path[depth++] = last;
    while (depth-- > 0) {
        write_name(calls, calls->nodes[path[depth]].function, to);
        if (depth > 0)
            fputc(';', to);
    }
}

void sim_calls_write(const sim_calls *calls, FILE *to)
{
    for (uint32_t i = 1; i < calls->count; i++) {
        if (calls->nodes[i].cycles == 0)
            continue;
        write_path(calls, i, to);
        fprintf(to, " %" PRIu64 "\n", calls->nodes[i].cycles);
    }
}

#include "shadow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OF_FUNCTION = 1, OF_WHY = 2 };

static const struct {
    const char *name;
    sh_call call;
} calls[] = {
    {"mb_mark_begin", SH_BEGIN},
    {"mb_mark_end", SH_END},
    {"mb_mark_secret", SH_SECRET},
    {"mb_mark_public", SH_PUBLIC},
};

static size_t place_count(const sh_memories *of)
{
    return ((size_t)of->flash.size + of->ram.size) / 2;
}

static void note_functions(sh_shadow *shadow)
{
    const sim_program *const program = shadow->program;
    const sim_code flash = shadow->of.flash, ram = shadow->of.ram;
    for (size_t i = 0; i < place_count(&shadow->of); i++) {
        const uint32_t from = 2 * (uint32_t)i;
        const uint32_t address =
            from < flash.size ? flash.base + from : ram.base + (from - flash.size);
        const sim_symbol *function = sim_program_function(program, address);
        const size_t number = function != NULL ? (size_t)(function - program->symbols) : SH_NODES;
        shadow->function_of[i] = (uint16_t)(number < SH_NODES ? number : SH_NODES);
    }
    for (size_t i = 0; i < program->count; i++) {
        for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
            const uint32_t place = sh_place(shadow, program->symbols[i].address);
            if (place != UINT32_MAX && strcmp(program->symbols[i].name, calls[c].name) == 0)
                shadow->places[place] = (uint8_t)(calls[c].call << SH_CALL_SHIFT);
        }
    }
}

sh_shadow *sh_new(const sh_memories *of, const sim_program *program)
{
    sh_shadow *shadow = calloc(1, sizeof *shadow);
    if (shadow == NULL)
        return NULL;
    shadow->of = *of;
    shadow->program = program;
    shadow->node_count = 1; /* number 0: no secret */
    shadow->nodes[0].function = SH_NODES;
    shadow->bits = calloc(1, (size_t)of->data.size + 1);
    shadow->why = calloc((size_t)of->data.size + 1, sizeof *shadow->why);
    shadow->places = calloc(1, place_count(of) + 1);
    shadow->function_of = calloc(place_count(of) + 1, sizeof *shadow->function_of);
    if (shadow->bits == NULL || shadow->why == NULL || shadow->places == NULL ||
        shadow->function_of == NULL) {
        sh_free(shadow);
        return NULL;
    }
    note_functions(shadow);
    return shadow;
}

void sh_free(sh_shadow *shadow)
{
    if (shadow == NULL)
        return;
    free(shadow->bits);
    free(shadow->why);
    free(shadow->places);
    free(shadow->function_of);
    free(shadow);
}

/* --- why -------------------------------------------------------------------------------------- */

static uint32_t hash(uint32_t a, uint32_t b)
{
    const uint32_t mixed = (a * 0x9e3779b1u) ^ (b * 0x85ebca6bu);
    return mixed ^ mixed >> 15;
}

/* The node with these members, a new one if there is none; 0 if the table is full. */
static sh_why node(sh_shadow *shadow, sh_why parent, uint16_t function, uint8_t origins)
{
    sh_why *const head =
        &shadow->heads[hash(parent | (uint32_t)function << 16, origins) % SH_NODES];
    for (sh_why at = *head; at != 0; at = shadow->nodes[at].next) {
        const sh_node *one = &shadow->nodes[at];
        if (one->parent == parent && one->function == function && one->origins == origins)
            return at;
    }
    if (shadow->node_count >= SH_NODES)
        return 0;
    const sh_why number = (sh_why)shadow->node_count++;
    shadow->nodes[number] = (sh_node){
        .parent = parent,
        .next = *head,
        .function = function,
        .origins = origins,
        .depth = (uint8_t)(parent != 0 ? shadow->nodes[parent].depth + 1 : 0)};
    *head = number;
    return number;
}

static sh_cached *cached(sh_shadow *shadow, sh_why from, uint16_t by, uint8_t of)
{
    return &shadow->cache[hash(from, by | (uint32_t)of << 16) % SH_CACHED];
}

static bool holds(const sh_cached *entry, sh_why from, uint16_t by, uint8_t of)
{
    return entry->of == of && entry->from == from && entry->by == by;
}

sh_why sh_merge_slowly(sh_shadow *shadow, sh_why a, sh_why b)
{
    sh_cached *const entry = cached(shadow, a, b, OF_WHY);
    if (holds(entry, a, b, OF_WHY))
        return entry->to;
    const sh_node *const first = &shadow->nodes[a], *const second = &shadow->nodes[b];
    sh_why to = a;
    if ((second->origins & ~first->origins) != 0)
        to = (first->origins & ~second->origins) == 0
                 ? b
                 : node(shadow, first->parent, first->function,
                        (uint8_t)(first->origins | second->origins));
    if (to == 0)
        to = a;
    *entry = (sh_cached){.from = a, .to = to, .by = b, .of = OF_WHY};
    return to;
}

sh_why sh_pass_slowly(sh_shadow *shadow, sh_why why)
{
    const uint16_t function = shadow->function;
    if (why == 0 || function == SH_NODES)
        return why;
    sh_cached *const entry = cached(shadow, why, function, OF_FUNCTION);
    if (holds(entry, why, function, OF_FUNCTION))
        return entry->to;
    sh_why to = why;
    bool passed = shadow->nodes[why].depth >= SH_DEEPEST;
    for (sh_why at = why; at != 0 && !passed; at = shadow->nodes[at].parent)
        passed = shadow->nodes[at].function == function;
    if (!passed) {
        to = node(shadow, why, function, shadow->nodes[why].origins);
        if (to == 0)
            to = why;
    }
    *entry = (sh_cached){.from = why, .to = to, .by = function, .of = OF_FUNCTION};
    return to;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The bytes of a range that are data: how many, and where they begin. */
static uint32_t within(const sh_shadow *shadow, uint32_t address, uint32_t bytes, uint32_t *from)
{
    *from = address - shadow->of.data.base;
    if (*from >= shadow->of.data.size)
        return 0;
    const uint32_t room = shadow->of.data.size - *from;
    return bytes < room ? bytes : room;
}

uint32_t sh_load(sh_shadow *shadow, uint32_t address, unsigned size, sh_why *why)
{
    uint32_t from, secret = 0;
    *why = 0;
    if (within(shadow, address, size, &from) != size)
        return 0;
    for (unsigned i = 0; i < size; i++)
        secret |= (uint32_t)shadow->bits[from + i] << 8 * i;
    if (secret == 0)
        return 0;
    for (unsigned i = 0; i < size; i++) {
        if (shadow->bits[from + i] != 0)
            *why = sh_merge(shadow, *why, shadow->why[from + i]);
    }
    return secret;
}

void sh_store(sh_shadow *shadow, uint32_t address, unsigned size, uint32_t secret, sh_why why)
{
    uint32_t from;
    if (within(shadow, address, size, &from) != size)
        return;
    for (unsigned i = 0; i < size; i++)
        shadow->bits[from + i] = (uint8_t)(secret >> 8 * i);
    if (secret != 0) {
        for (unsigned i = 0; i < size; i++)
            shadow->why[from + i] = why;
    }
}

/* --- marks ------------------------------------------------------------------------------------ */

static void clear(sh_shadow *shadow)
{
    memset(shadow->bits, 0, shadow->of.data.size);
    shadow->cleared = true;
}

void sh_begin(sh_shadow *shadow)
{
    clear(shadow);
    shadow->active = true;
    shadow->spans++;
}

void sh_end(sh_shadow *shadow)
{
    clear(shadow);
    shadow->active = false;
}

static void note_mark(sh_shadow *shadow, uint32_t caller, bool public, uint32_t bytes)
{
    sh_mark *mark = shadow->marks;
    const sh_mark *const end = mark + shadow->mark_count;
    while (mark < end && (mark->caller != caller || mark->public != public))
        mark++;
    if (mark == end) {
        if (shadow->mark_count == SH_MARKS) {
            shadow->lost++;
            return;
        }
        shadow->mark_count++;
        *mark = (sh_mark){.caller = caller, .public = public};
    }
    mark->count++;
    mark->bytes += bytes;
}

void sh_make_secret(sh_shadow *shadow, uint32_t address, uint32_t bytes, unsigned origin,
                    uint32_t caller)
{
    uint32_t from;
    const uint32_t count = within(shadow, address, bytes, &from);
    const sh_why why = node(shadow, 0, SH_NODES, (uint8_t)(1u << (origin & 7)));
    if (!shadow->active || count == 0)
        return;
    memset(shadow->bits + from, 0xff, count);
    for (uint32_t i = 0; i < count; i++)
        shadow->why[from + i] = why;
    note_mark(shadow, caller, false, count);
}

void sh_make_public(sh_shadow *shadow, uint32_t address, uint32_t bytes, uint32_t caller)
{
    uint32_t from;
    const uint32_t count = within(shadow, address, bytes, &from);
    if (!shadow->active || count == 0)
        return;
    memset(shadow->bits + from, 0, count);
    note_mark(shadow, caller, true, count);
}

bool sh_obey(sh_shadow *shadow, sh_call call, const uint32_t arguments[3], uint32_t caller)
{
    switch (call) {
    case SH_BEGIN:
        sh_begin(shadow);
        break;
    case SH_END:
        sh_end(shadow);
        break;
    case SH_SECRET:
        sh_make_secret(shadow, arguments[0], arguments[1], arguments[2], caller);
        break;
    case SH_PUBLIC:
        sh_make_public(shadow, arguments[0], arguments[1], caller);
        break;
    default:
        break;
    }
    const bool cleared = shadow->cleared;
    shadow->cleared = false;
    return cleared;
}

/* --- findings --------------------------------------------------------------------------------- */

void sh_find(sh_shadow *shadow, sh_kind kind, bool waits, unsigned cost, sh_why why)
{
    const uint32_t start = hash(shadow->pc, kind);
    for (uint32_t i = 0; i < SH_FINDINGS; i++) {
        sh_finding *const one = &shadow->findings[(start + i) % SH_FINDINGS];
        const bool same = one->pc == shadow->pc && one->kind == kind && one->waits == waits;
        if (one->count == 0) {
            if (shadow->finding_count == SH_FINDINGS / 2)
                break; /* a table that is half full is still fast */
            shadow->finding_count++;
            *one = (sh_finding){.pc = shadow->pc,
                                .kind = (uint8_t)kind,
                                .cost = (uint8_t)(cost < SH_UNKNOWN ? cost : SH_UNKNOWN),
                                .waits = waits,
                                .why = sh_pass(shadow, why)};
        } else if (!same) {
            continue;
        }
        one->count++;
        one->origins |= shadow->nodes[why].origins;
        return;
    }
    shadow->lost++;
}

/* Addresses of the functions from the secret on, with commas between. */
static void write_chain(const sh_shadow *shadow, sh_why why, FILE *to)
{
    uint32_t chain[SH_DEEPEST + 2];
    size_t count = 0;
    for (; why != 0 && count < sizeof chain / sizeof chain[0]; why = shadow->nodes[why].parent) {
        const uint16_t function = shadow->nodes[why].function;
        if (function < shadow->program->count)
            chain[count++] = shadow->program->symbols[function].address;
    }
    while (count > 0) {
        count--;
        fprintf(to, "0x%" PRIx32 "%s", chain[count], count > 0 ? "," : "");
    }
}

static void write_ran(const sh_shadow *shadow, sim_code code, size_t first, FILE *to)
{
    for (size_t i = 0; i < code.size / 2; i++) {
        if ((shadow->places[first + i] & SH_RAN) != 0)
            fprintf(to, "ran\t0x%" PRIx32 "\n", code.base + 2 * (uint32_t)i);
    }
}

static void write_all(const sh_shadow *shadow, FILE *to)
{
    static const char *const kinds[SH_KINDS] = {"branch", "jump", "load", "store", "operands"};
    fprintf(to, "spans\t%" PRIu64 "\nlost\t%" PRIu64 "\n", shadow->spans, shadow->lost);
    for (size_t i = 0; i < SH_FINDINGS; i++) {
        const sh_finding *one = &shadow->findings[i];
        if (one->count == 0)
            continue;
        fprintf(to, "finding\t%s\t%s\t0x%" PRIx32 "\t%" PRIu64 "\t%u\t", kinds[one->kind],
                one->waits ? "error" : "note", one->pc, one->count, (unsigned)one->origins);
        if (one->cost != SH_UNKNOWN)
            fprintf(to, "%u", (unsigned)one->cost);
        fputc('\t', to);
        write_chain(shadow, one->why, to);
        fputc('\n', to);
    }
    for (size_t i = 0; i < shadow->mark_count; i++) {
        const sh_mark *mark = &shadow->marks[i];
        fprintf(to, "%s\t0x%" PRIx32 "\t%" PRIu64 "\t%" PRIu64 "\n",
                mark->public ? "public" : "secret", mark->caller, mark->count, mark->bytes);
    }
    write_ran(shadow, shadow->of.flash, 0, to);
    write_ran(shadow, shadow->of.ram, shadow->of.flash.size / 2, to);
}

bool sh_write(const sh_shadow *shadow, const sim_command *command, const char *path)
{
    FILE *to = fopen(path, "w");
    bool written = to != NULL;
    if (to != NULL) {
        write_all(shadow, to);
        written = !ferror(to);
        written = fclose(to) == 0 && written;
    }
    if (!written)
        fprintf(stderr, "%s: the flow of secrets cannot be written to %s\n", command->program,
                path);
    return written;
}

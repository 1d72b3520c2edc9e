/*
 * Time at a flash accelerator. A fetch whose word can be decoded at `at` has its address phase at
 * `at` - 2 and its data phase, in which the array is read, in the cycle after; a load that is
 * executed at `now` has its data phase in the cycle after. A read occupies the array for its wait
 * states and one cycle more, and is never given up.
 */
#include "accelerator.h"

#include <stdlib.h>
#include <string.h>

/* Of CM7_LOST_IN_PAUSE: cycles without a fetch that are a pause, and more cycles of a read behind
 * it. */
enum { PAUSE = 1, LATE = 3 };

const cm7_ahead_properties cm7_ahead_properties_of[CM7_AHEAD_RULES] = {
    [CM7_WITH_FIRST] = {.ends = false},
    [CM7_MOVES_ON] = {.ends = true},
    [CM7_BEHIND_LAST] = {.ends = true, .every = true, .connects = true},
    [CM7_LOST_IN_PAUSE] = {.every = true, .target_early = true},
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- a cache ---------------------------------------------------------------------------------- */

static bool cache_has(const cm7_cache *cache, uint32_t line)
{
    const uint8_t place = cache->on ? cache->places[line >> cache->shape.parts_shift] : 0;
    return place != 0 &&
           (cache->parts[place - 1] >> (line & ((1u << cache->shape.parts_shift) - 1)) & 1) != 0;
}

static bool cache_use(cm7_cache *cache, uint32_t line)
{
    if (!cache_has(cache, line))
        return false;
    cache->used[cache->places[line >> cache->shape.parts_shift] - 1] = ++cache->uses;
    return true;
}

static void cache_fill(cm7_cache *cache, uint32_t line)
{
    if (!cache->on)
        return;
    const uint32_t tag = line >> cache->shape.parts_shift;
    const uint8_t part = (uint8_t)(1u << (line & ((1u << cache->shape.parts_shift) - 1)));
    if (cache->places[tag] == 0) {
        unsigned oldest = tag % cache->shape.sets;
        for (unsigned i = oldest; i < cache->shape.lines; i += cache->shape.sets)
            oldest = cache->used[i] < cache->used[oldest] ? i : oldest;
        if (cache->used[oldest] != 0)
            cache->places[cache->tags[oldest]] = 0;
        cache->tags[oldest] = tag;
        cache->parts[oldest] = 0;
        cache->places[tag] = (uint8_t)(oldest + 1);
    }
    const unsigned place = cache->places[tag] - 1u;
    cache->parts[place] |= part;
    cache->used[place] = ++cache->uses;
}

void cm7_cache_empty(cm7_cache *cache)
{
    for (unsigned i = 0; i < cache->shape.lines; i++) {
        if (cache->used[i] != 0)
            cache->places[cache->tags[i]] = 0;
    }
    memset(cache->used, 0, sizeof cache->used);
}

/* --- life ------------------------------------------------------------------------------------- */

cm7_accelerator *cm7_accelerator_new(uint32_t flash_bytes, uint8_t read_shift, cm7_cache_shape code,
                                     cm7_cache_shape data, uint64_t *misses)
{
    cm7_accelerator *is = calloc(1, sizeof *is);
    if (is == NULL)
        return NULL;
    is->read_shift = read_shift;
    is->misses = misses;
    is->code.shape = code;
    is->data.shape = data;
    is->code.places = calloc(1, (flash_bytes >> (read_shift + code.parts_shift)) + 1);
    is->data.places = calloc(1, (flash_bytes >> (read_shift + data.parts_shift)) + 1);
    if (is->code.places == NULL || is->data.places == NULL) {
        cm7_accelerator_free(is);
        return NULL;
    }
    return is;
}

void cm7_accelerator_free(cm7_accelerator *is)
{
    if (is == NULL)
        return;
    free(is->code.places);
    free(is->data.places);
    free(is);
}

void cm7_accelerator_reset(cm7_accelerator *is)
{
    cm7_cache_empty(&is->code);
    cm7_cache_empty(&is->data);
    is->array = (cm7_array){.line = CM7_NO_READ, .ahead = CM7_NO_READ, .missed = CM7_NO_READ};
    is->before = is->array;
    is->data_line = CM7_NO_READ;
    is->asked = is->came = 0;
}

/* --- the array: one read after the other ------------------------------------------------------ */

/* A read ahead has begun before `phase`, or has not begun. */
static void settle(cm7_array *array, uint8_t wait, uint64_t phase)
{
    if (array->ahead == CM7_NO_READ || array->ahead_start >= phase ||
        array->ahead_start < array->free)
        return;
    array->start = array->ahead_start;
    array->free = array->start + wait + 1;
}

/* A read that is asked for at `phase` waits for one that has begun: its first cycle. */
static uint64_t occupy(cm7_array *array, uint8_t wait, uint64_t phase)
{
    settle(array, wait, phase);
    const uint64_t start = array->start < phase ? later(phase, array->free) : phase;
    array->start = start;
    array->free = later(array->free, start + wait + 1);
    if (array->ahead != CM7_NO_READ && array->ahead_start >= phase) /* comes after it */
        array->ahead_start = later(array->ahead_start, array->free);
    return start;
}

/* --- code ------------------------------------------------------------------------------------- */

/* The line behind `line` is read from `from` on, as soon as the array is free. */
static void read_ahead(cm7_accelerator *is, uint32_t line, uint64_t from)
{
    cm7_array *array = &is->array;
    if (!is->reads_ahead || array->ahead == line + 1)
        return;
    array->ahead = cache_has(&is->code, line + 1) ? CM7_NO_READ : line + 1;
    array->ahead_start = later(from, array->free);
}

/* The last word of `line` is fetched at `phase`. */
static void use_up(cm7_accelerator *is, uint32_t line, uint64_t phase)
{
    cm7_array *array = &is->array;
    if (is->rule == CM7_BEHIND_LAST) {
        read_ahead(is, line, phase + 1);
        return;
    }
    /* the next line takes its place, if it is read or being read */
    settle(array, is->wait, phase + 1);
    if (array->ahead != line + 1 || array->ahead_start > phase)
        return;
    array->line = line + 1;
    array->ready = array->ahead_start + is->wait;
    read_ahead(is, line + 1, phase + 1);
}

/* Before `phase` nothing was fetched for a while: more cycles of a read. */
static unsigned pause(cm7_accelerator *is, uint64_t phase)
{
    cm7_array *array = &is->array;
    if (is->rule != CM7_LOST_IN_PAUSE || !is->reads_ahead || is->wait == 0 ||
        phase <= array->fetched + PAUSE)
        return 0;
    settle(array, is->wait, array->fetched + PAUSE); /* what has begun is read to its end */
    array->ahead = CM7_NO_READ;
    return LATE;
}

/* Cycles in which the bus connects before a transfer whose data phase could be at `phase`. */
static unsigned connecting(const cm7_accelerator *is, uint64_t phase)
{
    return cm7_ahead_properties_of[is->rule].connects && is->wait != 0 &&
           phase > is->array.fetched + 1;
}

/* The last cycle of the data phase of a fetch from another line than the last one. */
static uint64_t other_line(cm7_accelerator *is, uint32_t line, uint64_t phase, unsigned late)
{
    cm7_array *array = &is->array;
    uint64_t end = phase;
    settle(array, is->wait, phase);
    if (array->ahead != CM7_NO_READ && array->ahead_start >= phase)
        array->ahead = CM7_NO_READ; /* not begun: makes way */
    if (line == array->ahead) {
        end = later(phase, array->ahead_start + is->wait);
        array->missed = end > phase ? line : CM7_NO_READ;
    } else if (!cache_use(&is->code, line)) {
        end = occupy(array, is->wait, phase) + is->wait + late;
        array->free = later(array->free, end + 1);
        array->missed = line;
    }
    array->line = line;
    array->ready = end;
    if (is->rule != CM7_BEHIND_LAST || end > phase)
        read_ahead(is, line, phase);
    return end;
}

unsigned cm7_accelerated_fetch(cm7_accelerator *is, uint32_t address, uint64_t at)
{
    cm7_array *array = &is->array;
    const uint32_t line = address >> is->read_shift, last = (1u << is->read_shift) - 4;
    const unsigned connects = connecting(is, at - 1);
    const uint64_t phase = at - 1 + connects;
    const cm7_ahead_properties *rule = &cm7_ahead_properties_of[is->rule];
    const bool ends = rule->ends && is->reads_ahead && (address & last) == last;
    uint64_t end = phase;
    if (array->missed != CM7_NO_READ) {
        cache_fill(&is->code, array->missed);
        array->missed = CM7_NO_READ;
    }
    if (line == array->line && array->ready <= phase && !ends && !rule->every)
        return 0;
    is->before = *array;
    const unsigned late = pause(is, phase);
    if (line != array->line) {
        end = other_line(is, line, phase, late);
    } else if (array->ready > phase) {
        end = array->ready;
        array->missed = line;
    }
    if (ends)
        use_up(is, line, end);
    is->waited = end > phase;
    *is->misses += is->waited;
    array->fetched = end;
    is->asked = at - 2;
    is->came = end + 1;
    return (unsigned)(end - phase) + connects;
}

void cm7_accelerated_branch(cm7_accelerator *is, uint64_t at)
{
    if (is->asked == 0)
        return;
    if (is->asked + 2 >= at) { /* never asked for */
        *is->misses -= is->waited;
        is->array = is->before;
    } else if (is->came >= at && is->waited) { /* on its way, as if it had only been read ahead */
        is->array.ahead = is->array.line;
        is->array.ahead_start = is->array.start;
        is->array.line = CM7_NO_READ;
    }
    is->asked = 0;
}

/* --- data ------------------------------------------------------------------------------------- */

/* More cycles of a load from `line` whose data phase could be at `phase`. */
static unsigned read_data(cm7_accelerator *is, uint32_t line, uint64_t phase)
{
    if (line == is->data_line)
        return 0;
    is->data_line = line;
    if (cache_use(&is->data, line))
        return 0;
    cache_fill(&is->data, line);
    (*is->misses)++;
    /* should the last fetch never be asked for */
    (void)occupy(&is->before, is->wait, phase);
    return (unsigned)(occupy(&is->array, is->wait, phase) + is->wait - phase);
}

unsigned cm7_accelerated_data(cm7_accelerator *is, uint32_t address, uint64_t now)
{
    const unsigned connects = connecting(is, now + 1);
    if (is->wait == 0)
        return 0;
    const unsigned more = connects + read_data(is, address >> is->read_shift, now + 1 + connects);
    if (cm7_ahead_properties_of[is->rule].connects) {
        is->array.fetched = later(is->array.fetched, now + 1 + more);
        is->before.fetched = later(is->before.fetched, now + 1 + more);
    }
    return more;
}

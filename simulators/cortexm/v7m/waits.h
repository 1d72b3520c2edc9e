/*
 * More cycles of transfers: with flash, behind a cache or an accelerator, and with far RAM
 * (docs/explain/cortexm.md). For the function that executes, which alone includes this; which of
 * them it takes in is left to the compiler.
 */
#ifndef MOTEBENCH_CORTEXM_V7M_WAITS_H
#define MOTEBENCH_CORTEXM_V7M_WAITS_H

#include "accelerator.h"
#include "v7m.h"

/* More cycles until a word of code from `address` comes, which would come at `at`; brings its line
 * in. */
__attribute__((unused)) static unsigned fetch_line(cm7_core *v7m, uint32_t address, uint64_t at)
{
    if (v7m->accelerator != NULL)
        return cm7_accelerated_fetch(v7m->accelerator, address - v7m->core.flash_base, at);
    const uint32_t line = address >> v7m->timing.line_shift;
    uint32_t *const tag = &v7m->line_tags[line & v7m->timing.last_place];
    if (*tag == line)
        return 0;
    v7m->core.misses++;
    v7m->fill = tag;
    v7m->evicted = *tag;
    v7m->fill_until = at + v7m->timing.wait;
    *tag = line;
    return v7m->timing.wait;
}

/* A branch whose target could be decoded at `at`: it gives up a line on its way, which was a miss
 * if flash was asked for it. */
__attribute__((unused)) static void end_fetch(cm7_core *v7m, uint64_t at)
{
    if (v7m->accelerator != NULL) {
        cm7_accelerated_branch(v7m->accelerator, at);
        return;
    }
    if (v7m->fill_until >= at && v7m->fill_until != 0) {
        *v7m->fill = v7m->evicted;
        v7m->core.misses -= v7m->fill_until - v7m->timing.wait >= at;
    }
    v7m->fill_until = 0;
}

/* The cycle at which the target of a branch can be decoded: `at`, if flash does not wait. It is
 * asked for then; or from `early` on, each cycle until the branch is executed. */
__attribute__((unused)) static uint64_t
fetch_target(cm7_core *v7m, uint32_t target, uint64_t early, uint64_t at)
{
    uint64_t came = v7m->timing.ahead.target_early ? early : at;
    end_fetch(v7m, came);
    came += fetch_line(v7m, target, came);
    while (came < at) {
        came++;
        came += fetch_line(v7m, target, came);
    }
    return came;
}

/* More cycles of a read of data from flash by an instruction that is executed at `now`. */
static unsigned data_wait(cm7_core *v7m, uint32_t address, uint64_t now)
{
    if (v7m->accelerator != NULL)
        return cm7_accelerated_data(v7m->accelerator, address - v7m->core.flash_base, now);
    const uint32_t line = address >> v7m->timing.line_shift;
    if (v7m->timing.wait == 0 || v7m->data_line == line)
        return 0;
    v7m->data_line = line;
    v7m->core.misses++;
    return v7m->timing.wait;
}

/* Is this in far RAM (docs/explain/cortexm.md)? */
static bool is_far(const cm7_core *v7m, uint32_t address)
{
    const uint32_t offset = address - v7m->core.ram_base;
    return offset >= v7m->ram_near && offset < v7m->core.ram_size;
}

/* The cycle of the first of `count` transfers with far RAM, one a cycle, that could begin at `now`:
 * the bus needs a cycle to connect with it if they do not follow another one directly. */
static uint64_t far_transfers(cm7_core *v7m, unsigned count, uint64_t now)
{
    const uint64_t begins = now <= v7m->far_next ? v7m->far_next : now + 1;
    v7m->far_next = begins + count + v7m->far_pause;
    return begins;
}

/* Stores are buffered: only what comes directly behind waits for them. */
static void far_stores(cm7_core *v7m, uint32_t to, unsigned count, uint64_t now)
{
    if (is_far(v7m, to))
        (void)far_transfers(v7m, count, now);
}

/* More cycles of a read of data, successive words, one a cycle, wherever they are. */
static unsigned data_waits(cm7_core *v7m, uint32_t from, unsigned words, uint64_t now)
{
    unsigned more = 0;
    if (is_far(v7m, from))
        return (unsigned)(far_transfers(v7m, words, now) - now);
    for (unsigned i = 0; i < words; i++, from += 4) {
        if (from - v7m->core.flash_base < v7m->core.flash_size)
            more += data_wait(v7m, from, now + more + i);
    }
    return more;
}

#endif

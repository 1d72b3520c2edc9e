/*
 * A counter, not ticked but computed: a tap of a prescaler says how many ticks there were, the
 * counter where that leaves it.
 */
#ifndef MOTEBENCH_SIM_AVR_COUNTER_H
#define MOTEBENCH_SIM_AVR_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* Ticks since `origin`, one in `divisor` cycles, on top of `base`. divisor 0: it stands still. */
typedef struct av_tap {
    uint64_t origin, base;
    uint32_t divisor;
} av_tap;

uint64_t av_tap_ticks(const av_tap *tap, uint64_t now);

/* From now on with another divisor; ticks so far stay. */
void av_tap_set(av_tap *tap, uint64_t now, uint32_t divisor);

enum { AV_COMPARES = 3, AV_MATCH = 1, AV_AT_TOP = 8, AV_AT_MAX = 16 };

/* Counts to `top` and begins anew. Above it, it counts to `max` first. */
typedef struct av_counter {
    uint64_t ticks;
    uint32_t count, top, max, compare[AV_COMPARES];
} av_counter;

/* Takes the ticks up to that number. What was passed: AV_MATCH << n, AV_AT_TOP, AV_AT_MAX (it began
 * anew after these). */
unsigned av_counter_advance(av_counter *counter, uint64_t ticks);

/* Ticks until the counter has the value, or until it begins anew behind top or max; at least 1. 0:
 * it never does. */
uint64_t av_counter_until(const av_counter *counter, uint32_t value);
uint64_t av_counter_until_end(const av_counter *counter);

/* The cycle at which a counter on this tap begins anew (0), or has the value of its compare
 * register n (n + 1); never: UINT64_MAX. */
uint64_t av_counter_cycle(const av_counter *counter, const av_tap *tap, unsigned which);

/* The cycle at which the tap has ticked that often; never: UINT64_MAX. */
uint64_t av_tap_cycle(const av_tap *tap, uint64_t ticks);

#endif

#include "clocks.h"

#include <stddef.h>

enum { PAIRS = 501, WARM_PAIRS = 16, CLOCKS = 3, STRIDE = MB_READINGS };

static bool has_counter, has_cpu;

uint64_t mb_clock_lap(uint64_t *reading)
{
    mb_port_quiet(true);
    const uint64_t now = mb_port_clock();
    mb_port_quiet(false);
    const uint64_t ticks = mb_port_elapsed(*reading, now);
    *reading = now;
    return ticks;
}

MB_FROM_RAM(mb_time_batch)
mb_status mb_time_batch(mb_status (*run)(mb_job *, uint32_t), mb_job *job, uint32_t n,
                        mb_reading *reading)
{
    uint64_t cpu[2] = {0, 0}, counts[2] = {0, 0};
#ifdef MB_PREEMPTIBLE
    uint64_t preempted[2] = {0, 0};
    const bool known = mb_port_preemptions(&preempted[0]);
#endif
    mb_port_quiet(true);
    reading->cpu_ok = has_cpu && mb_port_cpu(&cpu[0]);
    reading->counts_ok = has_counter && mb_port_counter(&counts[0]);
    uint64_t begin = mb_port_clock();
    mb_status status = run(job, n);
    uint64_t end = mb_port_clock();
    if (reading->counts_ok)
        reading->counts_ok = mb_port_counter(&counts[1]);
    if (reading->cpu_ok)
        reading->cpu_ok = mb_port_cpu(&cpu[1]);
    mb_port_quiet(false);
#ifdef MB_PREEMPTIBLE
    reading->preempted =
        known && mb_port_preemptions(&preempted[1]) ? preempted[1] - preempted[0] : UINT64_MAX;
#endif
    reading->ticks = mb_port_elapsed(begin, end);
    reading->counts = mb_port_elapsed(counts[0], counts[1]);
    reading->cpu = cpu[1] - cpu[0];
    return status;
}

#ifdef MB_PREEMPTIBLE
static uint32_t xorshift(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

/*
 * Two chains, neither of which waits for the other. One chain leaves most of the core idle, and
 * hardly sees a second thread of the same core, which slows ciphers down; four see more of it than
 * ciphers do (docs/explain/methods.md, "Slow phases of the machine").
 */
uint64_t mb_reference_loop(void)
{
    enum { STEPS = 8000 };
    static volatile uint32_t seed = 1; /* so that the compiler cannot know the result */
    const uint64_t begin = mb_port_clock();
    uint32_t a = seed, b = a ^ 0x9E3779B9;
    for (size_t i = 0; i < STEPS; i++) {
        a = xorshift(a);
        b = xorshift(b);
    }
    seed = a ^ b;
    return mb_port_elapsed(begin, mb_port_clock());
}
#endif

MB_FROM_RAM(nothing)
static mb_status nothing(mb_job *job, uint32_t n)
{
    (void)job;
    (void)n;
    return MB_OK;
}

/*
 * Median of n values below 2^32, each STRIDE behind the one before, by repeated halving of their
 * range: no sorting, no copy, a few hundred readings.
 */
static uint32_t median(const uint64_t *values, size_t n)
{
    uint32_t low = 0, high = UINT32_MAX;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        size_t below = 0;
        for (size_t i = 0; i < n; i++)
            below += (uint32_t)values[STRIDE * i] <= middle;
        if (below > n / 2)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint64_t difference(uint64_t begin, uint64_t end)
{
    return end - begin;
}

/* Smallest step between readings that differ, over at most `most` changes. */
static uint64_t resolution(bool (*read)(uint64_t *), uint64_t (*elapsed)(uint64_t, uint64_t),
                           size_t most)
{
    uint32_t best = UINT32_MAX;
    uint64_t last = 0;
    if (!read(&last))
        return 1;
    for (size_t steps = 0, reads = 0; steps < most && reads < 100 * most; reads++) {
        uint64_t now;
        if (!read(&now))
            break;
        if (now == last)
            continue;
        const uint32_t step = (uint32_t)elapsed(last, now);
        if (step < best)
            best = step;
        last = now;
        steps++;
    }
    return best == UINT32_MAX ? 1 : best;
}

static bool read_clock(uint64_t *ticks)
{
    *ticks = mb_port_clock();
    return true;
}

void mb_clocks_init(void)
{
    mb_clocks clocks;
    mb_port_clocks(&clocks.clock, &clocks.counter, &clocks.cpu);
    has_counter = clocks.counter.name != NULL;
    has_cpu = clocks.cpu.name != NULL;
}

/* The median reading of `n` iterations that do nothing, of each clock. */
static void time_idle(uint32_t n, size_t pairs, uint32_t medians[CLOCKS], bool *counts_ok,
                      bool *cpu_ok)
{
    uint64_t *samples = mb_port_buffers()->samples;
    /*
     * Called through a volatile pointer, as an adapter's run is: the compiler must not see that it
     * does nothing.
     */
    mb_status (*volatile empty)(mb_job *, uint32_t) = nothing;
    mb_job job;
    if (mb_the_adapter.idle != NULL) {
        mb_the_adapter.idle(&job);
        empty = mb_the_adapter.run;
    }
    for (size_t i = 0; i < WARM_PAIRS + pairs; i++) {
        mb_reading reading;
        (void)mb_time_batch(empty, &job, n, &reading);
        *counts_ok = *counts_ok && reading.counts_ok;
        *cpu_ok = *cpu_ok && reading.cpu_ok;
        uint64_t *sample = samples + STRIDE * (i < WARM_PAIRS ? 0 : i - WARM_PAIRS);
        sample[0] = reading.ticks;
        sample[1] = reading.counts;
        sample[2] = reading.cpu;
    }
    for (size_t i = 0; i < CLOCKS; i++)
        medians[i] = median(samples + i, pairs);
}

#if MB_STREAMING
/*
 * Cost of an iteration of the timed loop whose operation is empty: harness overhead that is not
 * subtracted.
 */
static double loop_ticks(uint32_t once, size_t pairs)
{
    enum { ITERATIONS = 1000 };
    uint32_t many[CLOCKS];
    bool counts_ok = true, cpu_ok = true;
    if (mb_the_adapter.idle == NULL)
        return -1;
    time_idle(1 + ITERATIONS, pairs, many, &counts_ok, &cpu_ok);
    return many[0] > once ? (double)(many[0] - once) / ITERATIONS : 0;
}
#endif

size_t mb_clocks_measure(mb_clocks *clocks)
{
    const mb_buffers *buffers = mb_port_buffers();
    const size_t pairs = buffers->sample_cap < PAIRS ? buffers->sample_cap : PAIRS;
    const mb_needs needs = {.samples = pairs};
    const size_t lacks = buffers->place != NULL ? buffers->place(buffers->frame_in, &needs) : 0;
    if (lacks > 0)
        return lacks;
    uint32_t around[CLOCKS], twice[CLOCKS];
    bool counts_ok = true, cpu_ok = true;
    mb_port_clocks(&clocks->clock, &clocks->counter, &clocks->cpu);
    time_idle(1, pairs, around, &counts_ok, &cpu_ok);
#if MB_STREAMING
    clocks->loop = loop_ticks(around[0], pairs);
#endif
    if (mb_the_adapter.idle != NULL) {
        /*
         * A second iteration costs what a call costs, which is no overhead: a program makes it too.
         */
        time_idle(2, pairs, twice, &counts_ok, &cpu_ok);
        for (size_t i = 0; i < CLOCKS; i++)
            around[i] = 2 * around[i] > twice[i] ? 2 * around[i] - twice[i] : 0;
    }
    has_counter = counts_ok;
    has_cpu = cpu_ok;
    if (!counts_ok)
        clocks->counter.name = NULL;
    if (!cpu_ok)
        clocks->cpu.name = NULL;
    clocks->clock.overhead = around[0];
    clocks->counter.overhead = around[1];
    clocks->cpu.overhead = around[2];
    clocks->clock.resolution = resolution(read_clock, mb_port_elapsed, pairs);
    clocks->counter.resolution =
        counts_ok ? resolution(mb_port_counter, mb_port_elapsed, pairs) : 1;
    clocks->cpu.resolution = cpu_ok ? resolution(mb_port_cpu, difference, pairs) : 1;
    return 0;
}

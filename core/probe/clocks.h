/* Timing one batch, and what that costs. */
#ifndef MOTEBENCH_CLOCKS_H
#define MOTEBENCH_CLOCKS_H

#include "motebench/adapter.h"
#include "motebench/port.h"

/* The port's clocks with measured resolution and overhead; a clock without name does not exist. */
typedef struct mb_clocks {
    mb_clock clock, counter, cpu;
#if MB_STREAMING
    /*
     * Ticks of the clock that an iteration of the adapter's no-op job takes; negative: it has none.
     */
    double loop;
#endif
} mb_clocks;

/*
 * Readings of one batch in ticks, overhead included. `*_ok` is false where there is no such clock
 * or it failed.
 */
typedef struct mb_reading {
    uint64_t ticks, counts, cpu;
    bool counts_ok, cpu_ok;
#ifdef MB_PREEMPTIBLE
    /* Number of preemptions of the thread meanwhile; UINT64_MAX: unknown. */
    uint64_t preempted;
#endif
} mb_reading;

/* Finds out which clocks there are. After mb_port_init. */
void mb_clocks_init(void);

/*
 * Measure resolution and overhead: up to 501 pairs of readings around a call that does nothing. The
 * readings are kept where those of jobs are. Returns the bytes of memory that are missing for that,
 * 0 if none are.
 */
size_t mb_clocks_measure(mb_clocks *clocks);

/* The ticks since `reading`, which becomes the reading of now. Nothing interrupts it. */
uint64_t mb_clock_lap(uint64_t *reading);

/*
 * Time `run(job, n)`. The wall clock is read innermost, the counter around it, processor time
 * outermost, so the one that matters most sees least of the others; preemptions are asked of the
 * system outside all of them. Overheads are measured by this same function.
 */
mb_status mb_time_batch(mb_status (*run)(mb_job *, uint32_t), mb_job *job, uint32_t n,
                        mb_reading *reading);

#ifdef MB_PREEMPTIBLE
/*
 * Ticks of the reference loop: always the same integer operations, about 15 microseconds on a
 * computer, without memory. Its time says how fast the machine is right now, and nothing else.
 */
uint64_t mb_reference_loop(void);
#endif

#endif

/* The clocks of a POSIX process. */
#include <sys/resource.h>
#include <time.h>

#include "posix.h"

#ifdef CLOCK_MONOTONIC_RAW
#define WALL CLOCK_MONOTONIC_RAW
#define WALL_NAME "CLOCK_MONOTONIC_RAW"
#else
#define WALL CLOCK_MONOTONIC
#define WALL_NAME "CLOCK_MONOTONIC"
#endif
#define NS 1000000000u

static bool (*read_counter)(uint64_t *);

uint64_t mb_nanoseconds(int clock_id)
{
    struct timespec t;
    if (clock_gettime((clockid_t)clock_id, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

uint64_t mb_port_clock(void)
{
    return mb_nanoseconds(WALL);
}

bool mb_port_counter(uint64_t *ticks)
{
    return read_counter(ticks);
}

bool mb_port_cpu(uint64_t *ticks)
{
    *ticks = mb_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    return *ticks != 0;
}

/* getrusage(2): involuntary context switches. Nothing counts them per thread but Linux. */
bool mb_port_preemptions(uint64_t *times)
{
#ifdef RUSAGE_THREAD
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        return false;
    *times = (uint64_t)usage.ru_nivcsw;
    return true;
#else
    (void)times;
    return false;
#endif
}

uint64_t mb_port_elapsed(uint64_t begin, uint64_t end)
{
    return end - begin;
}

/*
 * Nothing else runs in this process; what the system does meanwhile is what rounds and intervals
 * are for.
 */
void mb_port_quiet(bool quiet)
{
    (void)quiet;
}

void mb_port_clocks(mb_clock *clock, mb_clock *counter, mb_clock *cpu)
{
    *clock = (mb_clock){.name = WALL_NAME, .hz = NS};
    *cpu = (mb_clock){.name = "CLOCK_THREAD_CPUTIME_ID", .hz = NS};
    *counter = (mb_clock){.name = NULL};
    if (mb_count_open(counter))
        read_counter = mb_count_read;
    else if (mb_perf_open(counter))
        read_counter = mb_perf_read;
    else if (mb_tick_open(counter))
        read_counter = mb_tick_read;
}

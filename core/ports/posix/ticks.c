/*
 * Counters that the processor lets every program read. They run at a constant rate, not with the
 * core clock.
 */
#include "posix.h"

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>

enum { TRIES = 8, TSC_LEAF = 0x15, KVM_SIGNATURE = 0x40000000, KVM_TIMING = 0x40000010 };
#define MEASURE_NS 2000000u
/* 400 ppm of 2.5 GHz; what is measured is good to some 50 ppm (100 ns of 2 ms) */
#define MEASURED_STEP 1000000u

bool mb_tick_read(uint64_t *ticks)
{
    /* The fences keep what is measured between the two readings. */
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
    *ticks = (uint64_t)high << 32 | low;
    return true;
}

/*
 * The rate as the processor or the hypervisor states it, or 0 (Intel SDM vol. 2, CPUID leaf 15H;
 * KVM leaf 40000010H).
 */
static uint64_t stated_rate(void)
{
    uint32_t a, b, c, d;
    if (__get_cpuid(TSC_LEAF, &a, &b, &c, &d) && a != 0 && b != 0 && c != 0)
        return (uint64_t)c * b / a;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c >> 31 & 1u) != 0) {
        __cpuid(KVM_SIGNATURE, a, b, c, d);
        if (a >= KVM_TIMING) {
            __cpuid(KVM_TIMING, a, b, c, d);
            return (uint64_t)a * 1000;
        }
    }
    return 0;
}

/*
 * A reading of the clock and the ticks at that moment: the closest of some, so that no interruption
 * lies between.
 */
static uint64_t read_both(uint64_t *ticks)
{
    uint64_t before, after, clock = 0, closest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        (void)mb_tick_read(&before);
        uint64_t now = mb_port_clock();
        (void)mb_tick_read(&after);
        if (after - before < closest) {
            closest = after - before;
            *ticks = before + closest / 2;
            clock = now;
        }
    }
    return clock;
}

static uint64_t measured_rate(void)
{
    uint64_t begin, end;
    uint64_t start = read_both(&begin);
    while (mb_port_clock() - start < MEASURE_NS)
        continue;
    uint64_t stop = read_both(&end);
    uint64_t rate = (uint64_t)((double)(end - begin) * 1e9 / (double)(stop - start));
    return (rate + MEASURED_STEP / 2) / MEASURED_STEP * MEASURED_STEP;
}

bool mb_tick_open(mb_clock *counter)
{
    counter->name = "tsc";
    counter->hz = stated_rate();
    if (counter->hz == 0)
        counter->hz = measured_rate();
    return true;
}
#elif defined __aarch64__
bool mb_tick_read(uint64_t *ticks)
{
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(*ticks)::"memory");
    return true;
}

bool mb_tick_open(mb_clock *counter)
{
    counter->name = "cntvct_el0";
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(counter->hz));
    return true;
}
#else
bool mb_tick_read(uint64_t *ticks)
{
    (void)ticks;
    return false;
}

bool mb_tick_open(mb_clock *counter)
{
    (void)counter;
    return false;
}
#endif

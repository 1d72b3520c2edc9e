/* Shared by the files of the POSIX port. */
#ifndef MOTEBENCH_POSIX_H
#define MOTEBENCH_POSIX_H

#include "motebench/port.h"

/* Instructions, under an emulator that counts them (motebench/count.h); false elsewhere. */
bool mb_count_open(mb_clock *counter);
bool mb_count_read(uint64_t *count);

/* The cycle counter of the kernel's perf events, user mode only; false if it is not available. */
bool mb_perf_open(mb_clock *counter);
bool mb_perf_read(uint64_t *ticks);

/*
 * The counter that the processor lets every program read (x86 TSC, ARM generic timer); false if
 * there is none.
 */
bool mb_tick_open(mb_clock *counter);
bool mb_tick_read(uint64_t *ticks);

/* Nanoseconds of a clock of clock_gettime; 0 if it cannot be read. */
uint64_t mb_nanoseconds(int clock_id);

/*
 * Peak resident memory of this process in bytes since its program was started; false if it is not
 * known.
 */
bool mb_peak_resident(uint64_t *bytes);

#endif

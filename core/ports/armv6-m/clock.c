/*
 * SysTick counts cycles, 24 bits of them, and a slower counter of the chip tells how often it came
 * round: no interrupt has to run while something is timed.
 *
 * What runs between a reading and the work is in RAM, that of the probe (mb_time_batch) included:
 * MB_FROM_RAM. It leaves the cache of the flash alone.
 */
#include "clock.h"
#include "chip.h"
#include "core.h"
#include "motebench/port.h"

enum { FINE_BITS = 24 };
#define FINE_MASK (((uint32_t)1 << FINE_BITS) - 1)

void mb_clock_init(void)
{
    SYST_RVR = FINE_MASK;
    SYST_CVR = 0;
    SYST_CSR = SYST_ENABLE | SYST_CORE_CLOCK;
}

/*
 * A reading is both counters as they are: SysTick in the lower half, the slower one in the upper.
 */
MB_FROM_RAM(mb_port_clock)
uint64_t mb_port_clock(void)
{
    const uint32_t fine = SYST_CVR;
    return (uint64_t)mb_chip_coarse() << 32 | fine;
}

MB_FROM_RAM(mb_port_counter)
bool mb_port_counter(uint64_t *ticks)
{
    *ticks = mb_port_clock();
    return true;
}

uint64_t mb_port_elapsed(uint64_t begin, uint64_t end)
{
    const uint64_t about =
        (uint64_t)(uint32_t)((end >> 32) - (begin >> 32)) * mb_chip_coarse_cycles;
    const uint32_t fine = ((uint32_t)begin - (uint32_t)end) & FINE_MASK; /* SysTick counts down */
    /* The nearest number of cycles that leaves SysTick where it is. */
    const int32_t correction =
        (int32_t)((fine - (uint32_t)about) << (32 - FINE_BITS)) >> (32 - FINE_BITS);
    return about + (uint64_t)(int64_t)correction;
}

MB_FROM_RAM(mb_port_quiet)
void mb_port_quiet(bool quiet)
{
    if (quiet) {
        mb_interrupts_off();
        mb_chip_cold();
    } else {
        mb_interrupts_on();
    }
}

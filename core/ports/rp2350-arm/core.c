/*
 * Cortex-M33 of an RP2350: TIMER0 counts microseconds beside SysTick. Data sheet: 8.5, 12.8.
 */
#include "rp2350/core.h"

#include "motebench/port.h"
#include "rp2350/registers.h"

enum { CRYSTAL_HZ = 12000000, MICROSECOND_HZ = 1000000 };

const uint32_t mb_chip_coarse_cycles = F_CPU / MICROSECOND_HZ;
const char mb_chip_timer_name[] = "SysTick, TIMER0";

void mb_core_counter_init(void)
{
    TICKS_TIMER0_CYCLES = CRYSTAL_HZ / MICROSECOND_HZ;
    TICKS_TIMER0_CTRL = TICKS_ENABLE;
}

MB_FROM_RAM(mb_chip_coarse)
uint32_t mb_chip_coarse(void)
{
    return TIMER0_RAWL;
}

/* Code is in SRAM, which has no cache. */
MB_FROM_RAM(mb_chip_cold)
void mb_chip_cold(void) {}

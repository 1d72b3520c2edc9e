/*
 * An nRF52840: clock, flash cache and the coarse counter. Product Specification v1.7: CLOCK, NVMC,
 * TIMER.
 */
#include "armv6-m/chip.h"

#include "motebench/port.h"
#include "registers.h"
#include "uart.h"

const uint32_t mb_chip_coarse_cycles = F_CPU / (TIMER_HZ >> TIMER_SHIFT);
const char mb_chip_timer_name[] = "SysTick, TIMER0";

void mb_chip_init(void)
{
    CLOCK_TASKS_HFCLKSTART = 1; /* the crystal of the board: the oscillator inside is less exact */
    while (CLOCK_EVENTS_HFCLKSTARTED == 0)
        ;
    NVMC_ICACHECNF = NVMC_CACHEEN;
    TIMER0_BITMODE = TIMER_32_BITS;
    TIMER0_PRESCALER = TIMER_SHIFT;
    TIMER0_TASKS_START = 1;
    mb_uart_init();
}

MB_FROM_RAM(mb_chip_coarse)
uint32_t mb_chip_coarse(void)
{
    TIMER0_TASKS_CAPTURE = 1;
    return TIMER0_CC;
}

/* A cache that is switched on is empty. */
MB_FROM_RAM(mb_chip_cold)
void mb_chip_cold(void)
{
    NVMC_ICACHECNF = 0;
    NVMC_ICACHECNF = NVMC_CACHEEN;
    __asm__ volatile("isb" ::: "memory");
}

/*
 * An RP2040: clock, cache of the flash and the coarse counter. Data sheet: 2.14 to 2.18, 4.6, 4.7.
 * One core runs.
 */
#include "armv6-m/chip.h"

#include "motebench/port.h"
#include "registers.h"
#include "uart.h"

enum {
    CRYSTAL_HZ = 12000000,
    MICROSECOND_HZ = 1000000,
    /* Of the crystal: one millisecond, in units of 256 of its cycles. */
    STARTUP = CRYSTAL_HZ / 1000 / 256,
    POSTDIV1 = 6,
    POSTDIV2 = 2
};
/* The PLL's own oscillator, 1500 MHz with a core of 125 MHz, in multiples of the crystal. */
#define MULTIPLE                                  \
    (F_CPU / CRYSTAL_HZ * (POSTDIV1 * POSTDIV2) + \
     F_CPU % CRYSTAL_HZ * (POSTDIV1 * POSTDIV2) / CRYSTAL_HZ)

const uint32_t mb_chip_coarse_cycles = F_CPU / MICROSECOND_HZ;
const char mb_chip_timer_name[] = "SysTick, TIMER";

static void leave_reset(uint32_t subsystems)
{
    RESETS_RESET &= ~subsystems;
    while ((RESETS_DONE & subsystems) != subsystems)
        ;
}

static void clock_init(void)
{
    XOSC_STARTUP = STARTUP;
    XOSC_CTRL = XOSC_ENABLE | XOSC_1_15_MHZ;
    while (!(XOSC_STATUS & XOSC_STABLE))
        ;
    CLK_SYS_CTRL = SYS_REF;
    while (CLK_SYS_SELECTED != (uint32_t)1 << SYS_REF)
        ;
    CLK_REF_CTRL = REF_CRYSTAL;
    while (CLK_REF_SELECTED != (uint32_t)1 << REF_CRYSTAL)
        ;
    RESETS_RESET |= RESET_PLL_SYS;
    leave_reset(RESET_PLL_SYS);
    PLL_PWR = PLL_PWR_ALL_OFF;
    PLL_CS = 1; /* the crystal, not divided */
    PLL_FBDIV = MULTIPLE;
    PLL_PWR = PLL_PWR_NO_OUTPUT;
    while (!(PLL_CS & PLL_LOCKED))
        ;
    PLL_PRIM = (uint32_t)POSTDIV1 << PLL_POSTDIV1_AT | (uint32_t)POSTDIV2 << PLL_POSTDIV2_AT;
    PLL_PWR = PLL_PWR_ON;
    CLK_SYS_CTRL = SYS_PLL;
    while (CLK_SYS_SELECTED != (uint32_t)1 << SYS_PLL)
        ;
    CLK_PERI_CTRL = PERI_SYS;
}

void mb_chip_init(void)
{
    clock_init();
    WATCHDOG_TICK = CRYSTAL_HZ / MICROSECOND_HZ | TICK_ENABLE;
    leave_reset(RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_TIMER | RESET_UART0);
    mb_uart_init();
}

MB_FROM_RAM(mb_chip_coarse)
uint32_t mb_chip_coarse(void)
{
    return TIMER_RAWL;
}

/* Reading the register waits until the cache is empty. */
MB_FROM_RAM(mb_chip_cold)
void mb_chip_cold(void)
{
    XIP_FLUSH = 1;
    (void)XIP_FLUSH;
}

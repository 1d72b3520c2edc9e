/*
 * Registers of the RP2040 that the probe uses: Raspberry Pi RP2040 data sheet, the sections as
 * named.
 */
#ifndef MOTEBENCH_RP2040_REGISTERS_H
#define MOTEBENCH_RP2040_REGISTERS_H

#include "armv6-m/core.h"

/* Cache of the flash, 2.6.3 */
#define XIP_FLUSH MB_REGISTER(uint32_t, 0x14000004)

/* Resets of subsystems, 2.14 */
#define RESETS_RESET MB_REGISTER(uint32_t, 0x4000C000)
#define RESETS_DONE MB_REGISTER(uint32_t, 0x4000C008)
enum {
    RESET_IO_BANK0 = 1 << 5,
    RESET_PADS_BANK0 = 1 << 8,
    RESET_PLL_SYS = 1 << 12,
    RESET_TIMER = 1 << 21,
    RESET_UART0 = 1 << 22
};

/* Clocks, 2.15 */
#define CLK_REF_CTRL MB_REGISTER(uint32_t, 0x40008030)
#define CLK_REF_SELECTED MB_REGISTER(uint32_t, 0x40008038)
#define CLK_SYS_CTRL MB_REGISTER(uint32_t, 0x4000803C)
#define CLK_SYS_SELECTED MB_REGISTER(uint32_t, 0x40008044)
#define CLK_PERI_CTRL MB_REGISTER(uint32_t, 0x40008048)
enum { REF_CRYSTAL = 2, SYS_REF = 0, SYS_PLL = 1, PERI_SYS = 1 << 11 };

/* Crystal oscillator, 2.16 */
#define XOSC_CTRL MB_REGISTER(uint32_t, 0x40024000)
#define XOSC_STATUS MB_REGISTER(uint32_t, 0x40024004)
#define XOSC_STARTUP MB_REGISTER(uint32_t, 0x4002400C)
enum { XOSC_1_15_MHZ = 0xAA0, XOSC_ENABLE = 0xFAB << 12 };
#define XOSC_STABLE 0x80000000u

/* PLL of the system clock, 2.18 */
#define PLL_CS MB_REGISTER(uint32_t, 0x40028000)
#define PLL_PWR MB_REGISTER(uint32_t, 0x40028004)
#define PLL_FBDIV MB_REGISTER(uint32_t, 0x40028008)
#define PLL_PRIM MB_REGISTER(uint32_t, 0x4002800C)
enum {
    PLL_PWR_ALL_OFF = 0x2D,
    PLL_PWR_NO_OUTPUT = 0x0C,
    PLL_PWR_ON = 0x04,
    PLL_POSTDIV1_AT = 16,
    PLL_POSTDIV2_AT = 12
};
#define PLL_LOCKED 0x80000000u

/* Watchdog, 4.7: makes the microseconds of the timer */
#define WATCHDOG_TICK MB_REGISTER(uint32_t, 0x4005802C)
enum { TICK_ENABLE = 1 << 9 };

/* Timer, 4.6 */
#define TIMER_RAWL MB_REGISTER(uint32_t, 0x40054028)

/* Pins, 2.19 */
#define GPIO_CTRL(pin) MB_REGISTER(uint32_t, 0x40014004 + 8 * (pin))
enum { GPIO_UART = 2 };

/* UART0, 4.2 */
#define UART_DR MB_REGISTER(uint32_t, 0x40034000)
#define UART_FR MB_REGISTER(uint32_t, 0x40034018)
#define UART_IBRD MB_REGISTER(uint32_t, 0x40034024)
#define UART_FBRD MB_REGISTER(uint32_t, 0x40034028)
#define UART_LCR_H MB_REGISTER(uint32_t, 0x4003402C)
#define UART_CR MB_REGISTER(uint32_t, 0x40034030)
#define UART_IFLS MB_REGISTER(uint32_t, 0x40034034)
#define UART_IMSC MB_REGISTER(uint32_t, 0x40034038)
enum {
    UART_RXFE = 1 << 4,
    UART_TXFF = 1 << 5,
    UART_FIFO = 1 << 4,
    UART_8_BITS = 3 << 5,
    UART_ON = 1 << 0 | 1 << 8 | 1 << 9,
    UART_RX = 1 << 4,
    UART_RX_TIMEOUT = 1 << 6,
    IRQ_UART0 = 20
};

#endif

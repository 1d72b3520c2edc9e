/*
 * Registers of the RP2350 that the probe uses: Raspberry Pi RP2350 data sheet, the sections as
 * named.
 */
#ifndef MOTEBENCH_RP2350_REGISTERS_H
#define MOTEBENCH_RP2350_REGISTERS_H

#include "core.h"

/* Resets of subsystems, 7.5 */
#define RESETS_RESET MB_REGISTER(uint32_t, 0x40020000)
#define RESETS_DONE MB_REGISTER(uint32_t, 0x40020008)
enum {
    RESET_IO_BANK0 = 1 << 6,
    RESET_PADS_BANK0 = 1 << 9,
    RESET_PLL_SYS = 1 << 14,
    RESET_UART0 = 1 << 26
};

/* Clocks, 8.1 */
#define CLK_REF_CTRL MB_REGISTER(uint32_t, 0x40010030)
#define CLK_REF_SELECTED MB_REGISTER(uint32_t, 0x40010038)
#define CLK_SYS_CTRL MB_REGISTER(uint32_t, 0x4001003C)
#define CLK_SYS_SELECTED MB_REGISTER(uint32_t, 0x40010044)
#define CLK_PERI_CTRL MB_REGISTER(uint32_t, 0x40010048)
enum { REF_CRYSTAL = 2, SYS_REF = 0, SYS_PLL = 1, PERI_SYS = 1 << 11 };

/* Crystal oscillator, 8.2 */
#define XOSC_CTRL MB_REGISTER(uint32_t, 0x40048000)
#define XOSC_STATUS MB_REGISTER(uint32_t, 0x40048004)
#define XOSC_STARTUP MB_REGISTER(uint32_t, 0x4004800C)
enum { XOSC_1_15_MHZ = 0xAA0, XOSC_ENABLE = 0xFAB << 12 };
#define XOSC_STABLE 0x80000000u

/* PLL of the system clock, 8.6 */
#define PLL_CS MB_REGISTER(uint32_t, 0x40050000)
#define PLL_PWR MB_REGISTER(uint32_t, 0x40050004)
#define PLL_FBDIV MB_REGISTER(uint32_t, 0x40050008)
#define PLL_PRIM MB_REGISTER(uint32_t, 0x4005000C)
enum {
    PLL_PWR_ALL_OFF = 0x2D,
    PLL_PWR_NO_OUTPUT = 0x0C,
    PLL_PWR_ON = 0x04,
    PLL_POSTDIV1_AT = 16,
    PLL_POSTDIV2_AT = 12
};
#define PLL_LOCKED 0x80000000u

/* Ticks of the timer, 8.5, and the timer, 12.8 */
#define TICKS_TIMER0_CTRL MB_REGISTER(uint32_t, 0x40108018)
#define TICKS_TIMER0_CYCLES MB_REGISTER(uint32_t, 0x4010801C)
#define TIMER0_RAWL MB_REGISTER(uint32_t, 0x400B0028)
enum { TICKS_ENABLE = 1 };

/* Pins, 9.11: function, and pads, which are isolated after a reset */
#define GPIO_CTRL(pin) MB_REGISTER(uint32_t, 0x40028004 + 8 * (pin))
#define PAD_CTRL(pin) MB_REGISTER(uint32_t, 0x40038004 + 4 * (pin))
enum { GPIO_UART = 2, PAD_INPUT_4_MA = 0x56 };

/* UART0, 12.1 */
#define UART_DR MB_REGISTER(uint32_t, 0x40070000)
#define UART_FR MB_REGISTER(uint32_t, 0x40070018)
#define UART_IBRD MB_REGISTER(uint32_t, 0x40070024)
#define UART_FBRD MB_REGISTER(uint32_t, 0x40070028)
#define UART_LCR_H MB_REGISTER(uint32_t, 0x4007002C)
#define UART_CR MB_REGISTER(uint32_t, 0x40070030)
#define UART_IFLS MB_REGISTER(uint32_t, 0x40070034)
#define UART_IMSC MB_REGISTER(uint32_t, 0x40070038)
enum {
    UART_RXFE = 1 << 4,
    UART_TXFF = 1 << 5,
    UART_FIFO = 1 << 4,
    UART_8_BITS = 3 << 5,
    UART_ON = 1 << 0 | 1 << 8 | 1 << 9,
    UART_RX = 1 << 4,
    UART_RX_TIMEOUT = 1 << 6,
    IRQ_UART0 = 33
};

#endif

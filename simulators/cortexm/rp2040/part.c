/* The declaration. Addresses: data sheet 2.2; interrupts: 2.3.2. */
#include "rp2040.h"

static const cm_peripheral rp2040[] = {
    {"XIP_CTRL", 0x14000000, 0x20, &cm_rp_xip, CM_NO_IRQ},
    {"XIP_SSI", 0x18000000, 0xf8, &cm_rp_ssi, CM_NO_IRQ},
    {"CLOCKS", 0x40008000, 0xc8, &cm_rp_clocks, CM_NO_IRQ},
    {"RESETS", 0x4000c000, 0x0c, &cm_rp_resets, CM_NO_IRQ},
    {"IO_BANK0", 0x40014000, 0x190, &cm_plain, CM_NO_IRQ},
    {"IO_QSPI", 0x40018000, 0x58, &cm_plain, CM_NO_IRQ},
    {"PADS_BANK0", 0x4001c000, 0x80, &cm_plain, CM_NO_IRQ},
    {"PADS_QSPI", 0x40020000, 0x1c, &cm_plain, CM_NO_IRQ},
    {"XOSC", 0x40024000, 0x20, &cm_rp_crystal, CM_NO_IRQ},
    {"PLL_SYS", 0x40028000, 0x10, &cm_rp_pll, CM_NO_IRQ},
    {"PLL_USB", 0x4002c000, 0x10, &cm_rp_pll, CM_NO_IRQ},
    {"UART0", 0x40034000, 0x4c, &cm_rp_uart, 20},
    {"UART1", 0x40038000, 0x4c, &cm_rp_uart, 21},
    {"TIMER", 0x40054000, 0x44, &cm_rp_timer, CM_NO_IRQ},
    {"WATCHDOG", 0x40058000, 0x30, &cm_plain, CM_NO_IRQ},
    {"ROSC", 0x40060000, 0x24, &cm_plain, CM_NO_IRQ},
    {"SIO", 0xd0000000, 0x60, &cm_plain, CM_NO_IRQ},
};

/*
 * SRAM: four banks of 64 KB, of which successive words take turns, and two of 4 KB behind them. One
 * core alone never waits for a bank (2.6.2), so they are one memory here. Flash: the 2 MB of a
 * Raspberry Pi Pico.
 */
const cm_part cm_rp2040 = {
    .name = "rp2040",
    .flash_base = 0x10000000,
    .flash_size = 0x200000,
    .ram_base = 0x20000000,
    .ram_size = 0x42000,
    .clock_max = 133000000,
    .flash_waits = true,
    .data_allocates = true,
    .cache_sets = 1024,
    .multiplier = 1,
    .peripherals = rp2040,
    .peripheral_count = CM_COUNT(rp2040),
    .console = "UART0",
    .boot = cm_rp_boot,
};
_Static_assert(CM_COUNT(rp2040) <= CM_UNITS_MAX, "a board has room for every peripheral");

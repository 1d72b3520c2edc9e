/*
 * The declaration: Raspberry Pi, RP2350 data sheet, 2.2 (address map), 3.2 (interrupts), 3.7.2
 * (Cortex-M33), 7.5 (resets), 8.5 (ticks), 12.8 (timer). Other peripherals are those of the RP2040.
 */
#include "rp2350.h"

#include "../rp2040/rp2040.h"
#include "raspberrypi.h"

/* --- RESETS, 7.5 ------------------------------------------------------------------------------ */

enum { SUBSYSTEMS = 0x1fffffff };

static void resets_reset(cm_unit *unit)
{
    cm_set_register(unit, SIM_RP_RESET, 4, SUBSYSTEMS);
}

static void resets_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    sim_rp_resets_read(unit->registers, SUBSYSTEMS);
}

static const cm_model resets = {.reset = resets_reset, .read = resets_read};

/* --- TIMER, 12.8: microseconds since reset, at the usual clock of the core; without alarms ---- */

enum { CYCLES = 150 };

static void timer_read(cm_unit *unit, uint32_t offset)
{
    cm_rp_timer_show(unit, offset, CYCLES);
}

static const cm_model timer = {.read = timer_read};

static const cm_peripheral rp2350[] = {
    {"CLOCKS", 0x40010000, 0xd4, &cm_rp_clocks, CM_NO_IRQ},
    {"RESETS", 0x40020000, 0x0c, &resets, CM_NO_IRQ},
    {"IO_BANK0", 0x40028000, 0x320, &cm_plain, CM_NO_IRQ},
    {"PADS_BANK0", 0x40038000, 0xcc, &cm_plain, CM_NO_IRQ},
    {"XOSC", 0x40048000, 0x14, &cm_rp_crystal, CM_NO_IRQ},
    {"PLL_SYS", 0x40050000, 0x10, &cm_rp_pll, CM_NO_IRQ},
    {"UART0", 0x40070000, 0x4c, &cm_rp_uart, 33},
    {"TIMER0", 0x400b0000, 0x4c, &timer, CM_NO_IRQ},
    {"TICKS", 0x40108000, 0x48, &cm_plain, CM_NO_IRQ},
};

/*
 * The program lies in SRAM0 to 3, data in SRAM4 to 9. Fetches have a bus of their own, which loads
 * and stores never use (3.7.2.1.1), so that code and data in other banks do not wait for each other
 * (2.1.1). Only a literal can lie in the bank that is fetched from; its load does not wait here,
 * as it sometimes would (3.7.4.9.12).
 */
const cm_part cm_rp2350_m33 = {
    .name = "rp2350-m33",
    .architecture = CM_ARMV8M,
    .interrupts = 48,
    .priority_bits = 4,
    .flash_base = 0x20000000,
    .flash_size = 0x40000,
    .ram_base = 0x20040000,
    .ram_size = 0x42000,
    .clock_max = 150000000,
    .peripherals = rp2350,
    .peripheral_count = CM_COUNT(rp2350),
    .console = "UART0",
};
_Static_assert(CM_COUNT(rp2350) <= CM_UNITS_MAX, "a board has room for every peripheral");

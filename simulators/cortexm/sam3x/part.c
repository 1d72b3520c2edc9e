/* Declaration of the part. Addresses: data sheet 11057C, chapters 6 (product mapping) and 7
 * (memories); interrupts: 9.1. */
#include "sam3x.h"

static const cm_peripheral sam3x8e[] = {
    {"TC0", 0x40080000, 0x100, &cm_sam3x_tc, CM_NO_IRQ},
    {"MATRIX", 0x400e0400, 0x200, &cm_plain, CM_NO_IRQ},
    {"PMC", 0x400e0600, 0x110, &cm_sam3x_pmc, CM_NO_IRQ},
    {"UART", 0x400e0800, 0x128, &cm_sam3x_uart, 8},
    {"EEFC0", 0x400e0a00, 0x10, &cm_sam3x_eefc, CM_NO_IRQ},
    {"EEFC1", 0x400e0c00, 0x10, &cm_sam3x_eefc, CM_NO_IRQ},
    {"PIOA", 0x400e0e00, 0x150, &cm_plain, CM_NO_IRQ},
    {"WDT", 0x400e1a50, 0x0c, &cm_plain, CM_NO_IRQ},
};

/* Two planes of flash of 256 KB, and SRAM0 (64 KB, here by its mirror) before SRAM1 (32 KB). */
const cm_part cm_sam3x8e = {
    .name = "sam3x8e",
    .architecture = CM_ARMV7M,
    .bit_band = true,
    .interrupts = 45,
    .priority_bits = 4,
    .flash_base = 0x00080000,
    .flash_size = 0x80000,
    .ram_base = 0x20070000,
    .ram_size = 0x18000,
    .clock_max = 84000000,
    .flash_waits = true,
    .accelerated = true,
    .line_shift = 4,
    .ahead = CM7_BEHIND_LAST,
    .ram_is_far = true,
    .peripherals = sam3x8e,
    .peripheral_count = CM_COUNT(sam3x8e),
    .console = "UART",
};
_Static_assert(CM_COUNT(sam3x8e) <= CM_UNITS_MAX, "a board has room for every peripheral");

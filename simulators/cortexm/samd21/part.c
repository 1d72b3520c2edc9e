/* Declarations of parts. Addresses and interrupts: data sheet chapters 10.3 (memories), 12 (product
 * mapping), 11.2. */
#include "samd21.h"

static const cm_peripheral samd21[] = {
    {"PAC0", 0x40000000, 0x08, &cm_plain, CM_NO_IRQ},
    {"PM", 0x40000400, 0x3c, &cm_plain, CM_NO_IRQ},
    {"SYSCTRL", 0x40000800, 0x50, &cm_sysctrl, CM_NO_IRQ},
    {"GCLK", 0x40000c00, 0x0c, &cm_gclk, CM_NO_IRQ},
    {"WDT", 0x40001000, 0x0c, &cm_watchdog, CM_NO_IRQ},
    {"EIC", 0x40001800, 0x40, &cm_plain, CM_NO_IRQ},
    {"PAC1", 0x41000000, 0x08, &cm_plain, CM_NO_IRQ},
    {"DSU", 0x41002000, 0x20, &cm_plain, CM_NO_IRQ},
    {"NVMCTRL", 0x41004000, 0x24, &cm_nvmctrl, CM_NO_IRQ},
    {"PORT", 0x41004400, 0x100, &cm_port, CM_NO_IRQ},
    /* the same pins, by the single-cycle port */
    {"PORT", 0x60000000, 0x100, &cm_port, CM_NO_IRQ},
    {"PAC2", 0x42000000, 0x08, &cm_plain, CM_NO_IRQ},
    {"EVSYS", 0x42000400, 0x20, &cm_plain, CM_NO_IRQ},
    {"SERCOM0", 0x42000800, 0x31, &cm_sercom, 9},
    {"SERCOM1", 0x42000c00, 0x31, &cm_sercom, 10},
    {"SERCOM2", 0x42001000, 0x31, &cm_sercom, 11},
    {"SERCOM3", 0x42001400, 0x31, &cm_sercom, 12},
    {"SERCOM4", 0x42001800, 0x31, &cm_sercom, 13},
    {"SERCOM5", 0x42001c00, 0x31, &cm_sercom, 14},
    {"TC3", 0x42002c00, 0x20, &cm_tc, 18},
    {"TC4", 0x42003000, 0x20, &cm_tc, 19},
    {"TC5", 0x42003400, 0x20, &cm_tc, 20},
};

const cm_part cm_samd21g18a = {
    .name = "samd21g18a",
    .flash_base = 0,
    .flash_size = 0x40000,
    .ram_base = 0x20000000,
    .ram_size = 0x8000,
    .clock_max = 48000000,
    .constants_base = 0x00800000,
    .constants_size = 0x10000,
    .flash_waits = true,
    .after_hit = 1,
    .multiplier = 1,
    .peripherals = samd21,
    .peripheral_count = CM_COUNT(samd21),
    .console = "SERCOM5",
};

/* The same, with flash that never waits: figures of the core alone */
const cm_part cm_cortex_m0_nows = {
    .name = "cortex-m0-nows",
    .flash_base = 0,
    .flash_size = 0x40000,
    .ram_base = 0x20000000,
    .ram_size = 0x8000,
    .clock_max = 48000000,
    .constants_base = 0x00800000,
    .constants_size = 0x10000,
    .flash_waits = false,
    .multiplier = 1,
    .peripherals = samd21,
    .peripheral_count = CM_COUNT(samd21),
    .console = "SERCOM5",
};
_Static_assert(CM_COUNT(samd21) <= CM_UNITS_MAX, "a board has room for every peripheral");

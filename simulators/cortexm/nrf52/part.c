/* Declarations of parts. Addresses and interrupts: product specification chapter 4 (memory, instantiation). */
#include "nrf52.h"

/* Flash that never waits: figures of the core alone */
const cm_part cm_cortex_m4_nows = {
    .name = "cortex-m4-nows",
    .architecture = CM_ARMV7EM, .fpu = true, .interrupts = 48, .priority_bits = 3,
    .flash_base = 0, .flash_size = 0x100000, .ram_base = 0x20000000, .ram_size = 0x40000, .clock_max = 64000000,
    .flash_waits = false,
    .console = "UART0",
};
const cm_part cm_cortex_m3_nows = {
    .name = "cortex-m3-nows",
    .architecture = CM_ARMV7M, .interrupts = 48, .priority_bits = 3,
    .flash_base = 0, .flash_size = 0x100000, .ram_base = 0x20000000, .ram_size = 0x40000, .clock_max = 64000000,
    .flash_waits = false,
    .console = "UART0",
};

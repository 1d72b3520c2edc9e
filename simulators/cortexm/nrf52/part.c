/* Declarations of parts. Addresses and interrupts: product specification v1.7, chapter 4 (memory,
 * instantiation). */
#include "nrf52.h"

static const cm_peripheral nrf52840[] = {
    {"CLOCK", 0x40000000, 0x600, &cm_nrf_clock, CM_NO_IRQ},
    {"UART0", 0x40002000, 0x600, &cm_nrf_uart, 2},
    {"TIMER0", 0x40008000, 0x600, &cm_nrf_timer, CM_NO_IRQ},
    {"TIMER1", 0x40009000, 0x600, &cm_nrf_timer, CM_NO_IRQ},
    {"WDT", 0x40010000, 0x700, &cm_plain, CM_NO_IRQ},
    {"NVMC", 0x4001e000, 0x600, &cm_nrf_nvmc, CM_NO_IRQ},
    {"P0", 0x50000000, 0x300, &cm_plain, CM_NO_IRQ},
    {"P0", 0x50000500, 0x280, &cm_plain, CM_NO_IRQ},
    {"P1", 0x50000800, 0x280, &cm_plain, CM_NO_IRQ},
};

/* Flash that never waits: figures of the core alone, among the peripherals of an nRF52840, which
 * has no bit-banding. Far RAM is that of the boards of pqm4 and pqm3: on an STM32L4R5 all that the
 * stack reaches (SRAM2 and SRAM3), and SRAM2 of an STM32F207. Large RAM is as much as the bits of
 * bit-banding reach: more than the STM32L4R5 has, since ours holds the probe too. */
#define NO_WAITS(...)                        \
    {.interrupts = 48,                       \
     .priority_bits = 3,                     \
     .flash_base = 0,                        \
     .flash_size = 0x100000,                 \
     .ram_base = 0x20000000,                 \
     .ram_size = 0x40000,                    \
     .clock_max = 64000000,                  \
     .flash_waits = false,                   \
     .peripherals = nrf52840,                \
     .peripheral_count = CM_COUNT(nrf52840), \
     .console = "UART0",                     \
     __VA_ARGS__}

const cm_part cm_cortex_m4_nows =
    NO_WAITS(.name = "cortex-m4-nows", .architecture = CM_ARMV7EM, .bit_band = true, .fpu = true,
             .far_ram = 1 << 20, .large_ram = 1 << 20);
const cm_part cm_cortex_m3_nows = NO_WAITS(.name = "cortex-m3-nows", .architecture = CM_ARMV7M,
                                           .bit_band = true, .far_ram = 16 << 10);

/* A Cortex-M33 has no bit-banding. */
const cm_part cm_cortex_m33_nows = NO_WAITS(.name = "cortex-m33-nows", .architecture = CM_ARMV8M);

/* The part itself: flash that is read by 128 bits, and a cache of 2 KB for instructions. */
const cm_part cm_nrf52840 = {
    .name = "nrf52840",
    .architecture = CM_ARMV7EM,
    .fpu = true,
    .interrupts = 48,
    .priority_bits = 3,
    .flash_base = 0,
    .flash_size = 0x100000,
    .ram_base = 0x20000000,
    .ram_size = 0x40000,
    .clock_max = 64000000,
    .flash_waits = true,
    .line_shift = 4,
    .cache_lines = 128,
    .peripherals = nrf52840,
    .peripheral_count = CM_COUNT(nrf52840),
    .console = "UART0",
};
_Static_assert(CM_COUNT(nrf52840) <= CM_UNITS_MAX, "a board has room for every peripheral");

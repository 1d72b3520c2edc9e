/*
 * Declarations of parts. Addresses: RM0351 and RM0453, 2.2 (memory organisation), RM0090, 2.3, and
 * RM0008, 3.3; interrupts: the tables of vectors. Flash of the STM32L4 and STM32WL is read by 64
 * bits, behind an ART accelerator with 32 lines of code and 8 of data, of four reads each: RM0351,
 * 3.3.4, and RM0453, 4.3.5. That of the STM32F407 is read by 128 bits, and the lines, 64 and 8, are
 * one read each: RM0090, 3.5.2. Any line can be anywhere: assumed, from "the least recently used
 * line" that these sections say is replaced. The STM32F103 reads 64 bits, into two buffers:
 * PM0075, 2.2. Addresses and interrupts of the STM32F407 and STM32F103 were compared with ST's
 * headers; sections of RM0090, RM0008 and PM0075 were not looked up again.
 */
#include "stm32.h"

#define ART                                                    \
    .flash_waits = true, .accelerated = true, .line_shift = 3, \
    .code_cache = {.lines = 32, .sets = 1, .parts_shift = 2},  \
    .data_cache = {.lines = 8, .sets = 1, .parts_shift = 2}

static const cm_peripheral stm32l4[] = {
    {"TIM2", 0x40000000, 0x64, &cm_stm32_timer, CM_NO_IRQ},
    {"USART2", 0x40004400, 0x2c, &cm_stm32_usart, 38},
    {"PWR", 0x40007000, 0x60, &cm_plain, CM_NO_IRQ},
    {"RCC", 0x40021000, 0xa0, &cm_stm32_rcc, CM_NO_IRQ},
    {"FLASH", 0x40022000, 0x54, &cm_stm32_flash, CM_NO_IRQ},
    {"GPIOA", 0x48000000, 0x30, &cm_plain, CM_NO_IRQ},
};

static const cm_peripheral stm32wl[] = {
    {"TIM2", 0x40000000, 0x64, &cm_stm32_timer, CM_NO_IRQ},
    {"USART2", 0x40004400, 0x30, &cm_stm32_usart, 37},
    {"GPIOA", 0x48000000, 0x30, &cm_plain, CM_NO_IRQ},
    {"RCC", 0x58000000, 0xa0, &cm_stm32_rcc, CM_NO_IRQ},
    {"PWR", 0x58000400, 0xa0, &cm_plain, CM_NO_IRQ},
    {"FLASH", 0x58004000, 0xa4, &cm_stm32_flash, CM_NO_IRQ},
};

/* STM32L476RG: 1 MB of flash, and SRAM1; SRAM2 lies elsewhere. */
const cm_part cm_stm32l4 = {
    .name = "stm32l4",
    .architecture = CM_ARMV7EM,
    .fpu = true,
    .bit_band = true,
    .interrupts = 48,
    .priority_bits = 4,
    .flash_base = 0x08000000,
    .flash_size = 0x100000,
    .ram_base = 0x20000000,
    .ram_size = 0x18000,
    .clock_max = 80000000,
    ART,
    .peripherals = stm32l4,
    .peripheral_count = CM_COUNT(stm32l4),
    .console = "USART2",
};

/* STM32WL55JC, its Cortex-M4, which has no floating-point unit; SRAM1 and SRAM2 follow each
 * other. */
const cm_part cm_stm32wl = {
    .name = "stm32wl",
    .architecture = CM_ARMV7EM,
    .interrupts = 48,
    .priority_bits = 4,
    .flash_base = 0x08000000,
    .flash_size = 0x40000,
    .ram_base = 0x20000000,
    .ram_size = 0x10000,
    .clock_max = 48000000,
    ART,
    .peripherals = stm32wl,
    .peripheral_count = CM_COUNT(stm32wl),
    .console = "USART2",
};

static const cm_peripheral stm32f407[] = {
    {"TIM2", 0x40000000, 0x54, &cm_stm32f4_timer, CM_NO_IRQ},
    {"USART2", 0x40004400, 0x1c, &cm_stm32f_usart, 38},
    {"PWR", 0x40007000, 0x08, &cm_plain, CM_NO_IRQ},
    {"GPIOA", 0x40020000, 0x28, &cm_plain, CM_NO_IRQ},
    {"RCC", 0x40023800, 0x8c, &cm_stm32f4_rcc, CM_NO_IRQ},
    {"FLASH", 0x40023c00, 0x18, &cm_stm32f4_flash, CM_NO_IRQ},
};

static const cm_peripheral stm32f103[] = {
    {"TIM2", 0x40000000, 0x50, &cm_stm32f1_timer, CM_NO_IRQ},
    {"TIM3", 0x40000400, 0x50, &cm_stm32f1_timer, CM_NO_IRQ},
    {"USART2", 0x40004400, 0x1c, &cm_stm32f_usart, 38},
    {"GPIOA", 0x40010800, 0x1c, &cm_plain, CM_NO_IRQ},
    {"RCC", 0x40021000, 0x28, &cm_stm32f1_rcc, CM_NO_IRQ},
    {"FLASH", 0x40022000, 0x24, &cm_stm32f1_flash, CM_NO_IRQ},
};

/* STM32F407VG: 1 MB of flash; SRAM1 and SRAM2 follow each other, the CCM RAM lies elsewhere. Its 82
 * interrupts are not all there: USART2 is one of the first. */
const cm_part cm_stm32f407 = {
    .name = "stm32f407",
    .architecture = CM_ARMV7EM,
    .fpu = true,
    .bit_band = true,
    .interrupts = 48,
    .priority_bits = 4,
    .flash_base = 0x08000000,
    .flash_size = 0x100000,
    .ram_base = 0x20000000,
    .ram_size = 0x20000,
    .clock_max = 168000000,
    .flash_waits = true,
    .accelerated = true,
    .ahead = CM7_MOVES_ON,
    .line_shift = 4,
    .code_cache = {.lines = 64, .sets = 1},
    .data_cache = {.lines = 8, .sets = 1},
    .peripherals = stm32f407,
    .peripheral_count = CM_COUNT(stm32f407),
    .console = "USART2",
};

/* STM32F103RB: 128 KB of flash here, and 20 KB of SRAM. */
const cm_part cm_stm32f103 = {
    .name = "stm32f103",
    .architecture = CM_ARMV7M,
    .bit_band = true,
    .interrupts = 43,
    .priority_bits = 4,
    .flash_base = 0x08000000,
    .flash_size = 0x20000,
    .ram_base = 0x20000000,
    .ram_size = 0x5000,
    .clock_max = 72000000,
    .flash_waits = true,
    .accelerated = true,
    .ahead = CM7_LOST_IN_PAUSE,
    .line_shift = 3,
    .peripherals = stm32f103,
    .peripheral_count = CM_COUNT(stm32f103),
    .console = "USART2",
};
_Static_assert(CM_COUNT(stm32l4) <= CM_UNITS_MAX && CM_COUNT(stm32wl) <= CM_UNITS_MAX,
               "a board has room for every peripheral");

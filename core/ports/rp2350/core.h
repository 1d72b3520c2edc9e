/*
 * Differences between the cores of an RP2350, of which an image chooses one kind: Cortex-M33, with
 * core/ports/rp2350-arm beside this folder, or Hazard3.
 */
#ifndef MOTEBENCH_RP2350_CORE_H
#define MOTEBENCH_RP2350_CORE_H

/*
 * IMAGE_CORE: the kind of core, in the image type (data sheet 5.9.3.1). CORE_SUBSYSTEMS: those that
 * it needs out of reset (7.5). mb_core_counter_init: starts the chip's counter that the port of the
 * core reads. mb_core_enable: lets an interrupt of the chip through.
 */
#ifdef __riscv
#include "riscv32/chip.h"
#include "riscv32/core.h"

enum { IMAGE_CORE = 1 << 8, CORE_SUBSYSTEMS = 0 };

static inline void mb_core_counter_init(void) {}

/*
 * Hazard3's array of enabled interrupts: bit 16 and up are those of the window whose number is in
 * the lowest bits.
 */
static inline void mb_core_enable(uint32_t irq)
{
    const uint32_t window = (uint32_t)1 << (16 + irq % 16) | irq / 16;
    __asm__ volatile("csrs 0xbe0, %0" ::"r"(window));
}
#else
#include "armv6-m/chip.h"
#include "armv6-m/core.h"

enum { IMAGE_CORE = 2 << 4 /* Arm, in Secure state */, CORE_SUBSYSTEMS = 1 << 23 /* TIMER0 */ };

void mb_core_counter_init(void);

static inline void mb_core_enable(uint32_t irq)
{
    (&NVIC_ISER)[irq / 32] = (uint32_t)1 << irq % 32;
}
#endif

#endif

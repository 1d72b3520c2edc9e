/* Control and status registers: RISC-V Instruction Set Manual, volume II, chapter 3. */
#ifndef MOTEBENCH_RISCV32_CORE_H
#define MOTEBENCH_RISCV32_CORE_H

#include <stdint.h>

#define MB_REGISTER(type, address) (*(volatile type *)(uintptr_t)(address))

enum { MSTATUS_MIE = 8, MIE_EXTERNAL = 1 << 11 };

static inline void mb_interrupts_off(void)
{
    __asm__ volatile("csrci mstatus, %0" ::"i"(MSTATUS_MIE) : "memory");
}

static inline void mb_interrupts_on(void)
{
    __asm__ volatile("csrsi mstatus, %0" ::"i"(MSTATUS_MIE) : "memory");
}

/* Lets run what was held back. */
static inline void mb_interrupts_happen(void)
{
    mb_interrupts_on();
    mb_interrupts_off();
}

/* Sleeps until an interrupt is there, also one that is held back. */
static inline void mb_sleep(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

#endif

/*
 * Control and status registers: RISC-V Instruction Set Manual, volume II, chapter 3. RV32E is the
 * QingKe V2 of WCH, whose counter, SysTick, and interrupts are not those of the manual: WCH's
 * core_riscv.h.
 */
#ifndef MOTEBENCH_RISCV32_CORE_H
#define MOTEBENCH_RISCV32_CORE_H

#include <stdint.h>

#define MB_REGISTER(type, address) (*(volatile type *)(uintptr_t)(address))

enum { MSTATUS_MIE = 8, MIE_EXTERNAL = 1 << 11 };

static inline void mb_interrupts_off(void)
{
    __asm__ volatile("csrci mstatus, %0" ::"i"(MSTATUS_MIE) : "memory");
}

#ifdef __riscv_32e
#define SYSTICK_CTLR MB_REGISTER(uint32_t, 0xE000F000)
#define SYSTICK_CNT MB_REGISTER(uint32_t, 0xE000F008)
#define SYSTICK_CMP MB_REGISTER(uint32_t, 0xE000F010)
enum { SYSTICK_RUNS = 0x0D /* and comes round, by the clock of the core */, MSTATUS_MPIE = 0x80 };

static inline void mb_interrupts_on(void)
{
    __asm__ volatile("csrs mstatus, %0" ::"r"(MSTATUS_MPIE | MSTATUS_MIE) : "memory");
}
#else
static inline void mb_interrupts_on(void)
{
    __asm__ volatile("csrsi mstatus, %0" ::"i"(MSTATUS_MIE) : "memory");
}
#endif

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

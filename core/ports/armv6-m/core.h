/* Registers of the core: ARMv6-M Architecture Reference Manual (DDI 0419), B3. */
#ifndef MOTEBENCH_ARMV6_M_CORE_H
#define MOTEBENCH_ARMV6_M_CORE_H

#include <stdint.h>

#define MB_REGISTER(type, address) (*(volatile type *)(uintptr_t)(address))

#define SYST_CSR MB_REGISTER(uint32_t, 0xE000E010)
#define SYST_RVR MB_REGISTER(uint32_t, 0xE000E014)
#define SYST_CVR MB_REGISTER(uint32_t, 0xE000E018)
#define NVIC_ISER MB_REGISTER(uint32_t, 0xE000E100)
#define SCB_VTOR MB_REGISTER(uint32_t, 0xE000ED08) /* ignored by cores that have none */
#define SCB_AIRCR MB_REGISTER(uint32_t, 0xE000ED0C)

enum { SYST_ENABLE = 1, SYST_CORE_CLOCK = 4 };
#define AIRCR_RESET 0x05FA0004u

/* ARMv7-M only */
#define SCB_CPACR MB_REGISTER(uint32_t, 0xE000ED88)
#define CPACR_FLOATS 0x00F00000u

static inline void mb_interrupts_off(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static inline void mb_interrupts_on(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}

/* Lets run what was held back. */
static inline void mb_interrupts_happen(void)
{
    mb_interrupts_on();
    __asm__ volatile("isb");
    mb_interrupts_off();
}

/* Sleeps until an interrupt is there, also one that is held back. */
static inline void mb_sleep(void)
{
    __asm__ volatile("dsb\n\twfi" ::: "memory");
}

#endif

/* From reset to main: RISC-V Instruction Set Manual, volume II, 3.1.7 (mtvec). */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "chip.h"
#include "core.h"

extern uint8_t mb_data_begin[], mb_data_end[], mb_data_image[], mb_bss_begin[], mb_bss_end[];
int main(void);
void mb_reset(void);
void mb_start(void) __attribute__((noreturn, used));

/* The stack pointer first: C code needs it. */
__attribute__((naked, used, section(".vectors"))) void mb_reset(void)
{
    __asm__ volatile("la sp, mb_stack_top\n\tj mb_start");
}

/* After a fault the probe is of no use any more. */
__attribute__((interrupt("machine"), aligned(4))) static void trap(void)
{
    uint32_t cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    while (cause >> 31 == 0)
        ;
    mb_chip_interrupt();
}

void mb_start(void)
{
    memcpy(mb_data_begin, mb_data_image, (size_t)(mb_data_end - mb_data_begin));
    memset(mb_bss_begin, 0, (size_t)(mb_bss_end - mb_bss_begin));
    __asm__ volatile("csrw mtvec, %0\n\tcsrw mie, %1" ::"r"(trap), "r"(MIE_EXTERNAL));
    (void)main();
    for (;;)
        mb_sleep();
}

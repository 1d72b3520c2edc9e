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

#ifdef __riscv_32e
/* The table that QingKe reads addresses from, up to USART1's, with a jump as its first entry. */
__attribute__((naked, used, section(".vectors"))) void mb_reset(void)
{
    __asm__ volatile(".option push\n\t.option norvc\n\tj 1f\n\t.option pop\n\t"
                     ".rept 32\n\t.word mb_trap\n\t.endr\n"
                     "1:\tla sp, mb_stack_top\n\tj mb_start");
}
#else
/* The stack pointer first: C code needs it. */
__attribute__((naked, used, section(".vectors"))) void mb_reset(void)
{
    __asm__ volatile("la sp, mb_stack_top\n\tj mb_start");
}
#endif

/* After a fault the probe is of no use any more. */
__attribute__((interrupt("machine"), aligned(4), used)) static void mb_trap(void)
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
#ifdef __riscv_32e
    __asm__ volatile("csrw mtvec, %0" ::"r"(3)); /* a table of addresses, at 0 */
#else
    __asm__ volatile("csrw mtvec, %0\n\tcsrw mie, %1" ::"r"(mb_trap), "r"(MIE_EXTERNAL));
#endif
    (void)main();
    for (;;)
        mb_sleep();
}

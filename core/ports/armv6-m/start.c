/*
 * From reset to main: ARMv6-M and ARMv7-M Architecture Reference Manuals (DDI 0419, DDI 0403), B1.5
 * (the vector table), and for the floating-point unit DDI 0403 B3.2.20 (CPACR).
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "chip.h"
#include "core.h"

#ifdef __ARM_ARCH_6M__
enum { EXCEPTIONS = 16, INTERRUPTS = 32 };
#else
enum { EXCEPTIONS = 16, INTERRUPTS = 48 }; /* as many as any chip here has */
#endif

extern uint8_t mb_data_begin[], mb_data_end[], mb_data_image[], mb_bss_begin[], mb_bss_end[],
    mb_stack_top[];
int main(void);

/*
 * After a fault the probe is of no use any more; a board that begins anew can at least be asked
 * again.
 */
static void fault(void)
{
    SCB_AIRCR = AIRCR_RESET;
    for (;;)
        ;
}

typedef void (*handler)(void);
void mb_reset(void);

static const struct {
    uint8_t *stack;
    handler exception[EXCEPTIONS - 1];
    handler interrupt[INTERRUPTS];
} vectors __attribute__((section(".vectors"), used)) = {
    .stack = mb_stack_top,
    .exception = {mb_reset, fault, fault, [10] = fault, [13] = fault, fault},
    .interrupt = {[0 ... INTERRUPTS - 1] = mb_chip_interrupt},
};

void mb_reset(void)
{
#ifdef __ARM_FP
    SCB_CPACR |= CPACR_FLOATS;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
    memcpy(mb_data_begin, mb_data_image, (size_t)(mb_data_end - mb_data_begin));
    memset(mb_bss_begin, 0, (size_t)(mb_bss_end - mb_bss_begin));
    SCB_VTOR = (uint32_t)(uintptr_t)&vectors;
    (void)main();
    for (;;)
        mb_sleep();
}

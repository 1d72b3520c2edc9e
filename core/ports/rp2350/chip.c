/*
 * An RP2350 whose core 0 runs: its clock, and what the boot ROM asks for. Data sheet: 5.9, 7.5,
 * 8.1, 8.2, 8.6.
 */
#include "core.h"
#include "registers.h"
#include "uart.h"

enum {
    CRYSTAL_HZ = 12000000,
    /* Of the crystal: one millisecond, in units of 256 of its cycles. */
    STARTUP = CRYSTAL_HZ / 1000 / 256,
    POSTDIV1 = 5,
    POSTDIV2 = 2
};
/* The PLL's own oscillator, 1500 MHz with a core of 150 MHz, in multiples of the crystal. */
#define MULTIPLE (F_CPU / (CRYSTAL_HZ / (POSTDIV1 * POSTDIV2)))

/*
 * The boot ROM starts an image only if a block loop in its first 4 KB says what it is: an
 * executable (1) for one kind of the cores of an RP2350 (1 << 12), in one word of the only item.
 * Its loop has no other block. Without an item for the entry point, RISC-V code begins at the
 * image's first address, and an Arm image with its table of vectors.
 */
static const uint32_t image_def[] __attribute__((section(".image_def"), used)) = {
    0xFFFFDED3, (1u << 12 | (uint32_t)IMAGE_CORE | 1u) << 16 | 0x0142, 0x000001FF, 0, 0xAB123579,
};

static void leave_reset(uint32_t subsystems)
{
    RESETS_RESET &= ~subsystems;
    while ((RESETS_DONE & subsystems) != subsystems)
        ;
}

void mb_chip_init(void)
{
    XOSC_STARTUP = STARTUP;
    XOSC_CTRL = XOSC_ENABLE | XOSC_1_15_MHZ;
    while (!(XOSC_STATUS & XOSC_STABLE))
        ;
    CLK_SYS_CTRL = SYS_REF;
    while (CLK_SYS_SELECTED != (uint32_t)1 << SYS_REF)
        ;
    CLK_REF_CTRL = REF_CRYSTAL;
    while (CLK_REF_SELECTED != (uint32_t)1 << REF_CRYSTAL)
        ;
    RESETS_RESET |= RESET_PLL_SYS;
    leave_reset(RESET_PLL_SYS);
    PLL_PWR = PLL_PWR_ALL_OFF;
    PLL_CS = 1; /* the crystal, not divided */
    PLL_FBDIV = MULTIPLE;
    PLL_PWR = PLL_PWR_NO_OUTPUT;
    while (!(PLL_CS & PLL_LOCKED))
        ;
    PLL_PRIM = (uint32_t)POSTDIV1 << PLL_POSTDIV1_AT | (uint32_t)POSTDIV2 << PLL_POSTDIV2_AT;
    PLL_PWR = PLL_PWR_ON;
    CLK_SYS_CTRL = SYS_PLL;
    while (CLK_SYS_SELECTED != (uint32_t)1 << SYS_PLL)
        ;
    CLK_PERI_CTRL = PERI_SYS;
    leave_reset(RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_UART0 | CORE_SUBSYSTEMS);
    mb_core_counter_init();
    mb_uart_init();
}

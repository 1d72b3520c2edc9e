/*
 * A SAM D21: clock, flash and the coarse counter. Data sheet DS40001882: GCLK, SYSCTRL (DFLL48M),
 * NVMCTRL, TC.
 */
#include "armv6-m/chip.h"

#include <stdbool.h>

#include "motebench/port.h"
#include "registers.h"
#include "usart.h"

enum {
    CRYSTAL_HZ = 32768,
    PATIENCE = 3000000 /* times to look for a crystal: more than its 2 s at 8 MHz */
};

const uint32_t mb_chip_coarse_cycles = 1024;
const char mb_chip_timer_name[] = "SysTick, TC4";

static void synchronise(void)
{
    while (GCLK_STATUS & GCLK_STATUS_SYNCBUSY)
        ;
}

static void generate(uint32_t generator, uint32_t source)
{
    GCLK_GENDIV = generator;
    synchronise();
    GCLK_GENCTRL = generator | source | GCLK_GENCTRL_GENEN;
    synchronise();
}

static bool ready(uint32_t flags, uint32_t patience)
{
    while ((SYSCTRL_PCLKSR & flags) != flags)
        if (patience-- == 0)
            return false;
    return true;
}

static bool crystal(void)
{
    SYSCTRL_XOSC32K = XOSC32K_STARTUP_2_S | XOSC32K_XTALEN | XOSC32K_EN32K;
    SYSCTRL_XOSC32K = XOSC32K_STARTUP_2_S | XOSC32K_XTALEN | XOSC32K_EN32K | XOSC32K_ENABLE;
    return ready(PCLKSR_XOSC32KRDY, PATIENCE);
}

/*
 * DFLL48M, held by the crystal of the board; without one it runs free, as the factory calibrated
 * it.
 */
static void clock_init(void)
{
    GCLK_CTRL = GCLK_CTRL_SWRST; /* whatever a boot loader chose: the core is on OSC8M */
    while (GCLK_CTRL & GCLK_CTRL_SWRST)
        ;
    synchronise();
    SYSCTRL_OSC8M &= ~OSC8M_PRESC; /* not divided */
    const bool held = crystal();
    if (held) {
        generate(1, GCLK_GENCTRL_SRC_XOSC32K);
        GCLK_CLKCTRL = GCLK_ID_DFLL48 | GCLK_CLKCTRL_GEN_1 | GCLK_CLKCTRL_CLKEN;
        synchronise();
    }
    /* Asked for always: its registers cannot be written otherwise (errata 9905). */
    SYSCTRL_DFLLCTRL = DFLLCTRL_ENABLE;
    ready(PCLKSR_DFLLRDY, PATIENCE);
    if (held) {
        SYSCTRL_DFLLMUL = DFLLMUL_STEPS | (F_CPU + CRYSTAL_HZ / 2) / CRYSTAL_HZ;
        ready(PCLKSR_DFLLRDY, PATIENCE);
        SYSCTRL_DFLLCTRL = DFLLCTRL_ENABLE | DFLLCTRL_MODE | DFLLCTRL_QLDIS;
        ready(PCLKSR_DFLLRDY | PCLKSR_DFLLLCKC | PCLKSR_DFLLLCKF, PATIENCE);
    } else {
        SYSCTRL_DFLLVAL =
            CALIBRATION_HIGH >> CALIBRATION_DFLL_AT << DFLLVAL_COARSE_AT | DFLLVAL_FINE_MIDDLE;
        ready(PCLKSR_DFLLRDY, PATIENCE);
    }
    generate(0, GCLK_GENCTRL_SRC_DFLL48M);
}

static void counter_init(void)
{
    PM_APBCMASK |= PM_TC4 | PM_TC5;
    GCLK_CLKCTRL = GCLK_ID_TC4_TC5 | GCLK_CLKCTRL_CLKEN;
    synchronise();
    TC4_CTRLA = TC_MODE_32 | TC_PRESCALER_1024;
    TC4_CTRLA = TC_MODE_32 | TC_PRESCALER_1024 | TC_ENABLE;
    while (TC4_STATUS & TC_SYNCBUSY)
        ;
    TC4_READREQ = TC_READ_COUNT_ALWAYS; /* reading it then needs no request, and no waiting */
}

void mb_chip_init(void)
{
    NVMCTRL_CTRLB = NVMCTRL_CTRLB_MANW | NVMCTRL_CTRLB_RWS_1; /* before the clock gets faster */
    clock_init();
    counter_init();
    mb_usart_init();
}

MB_FROM_RAM(mb_chip_coarse)
uint32_t mb_chip_coarse(void)
{
    return TC4_COUNT;
}

MB_FROM_RAM(mb_chip_cold)
void mb_chip_cold(void)
{
    NVMCTRL_CTRLA = NVMCTRL_CMD_INVALL;
    while (!(NVMCTRL_INTFLAG & NVMCTRL_READY))
        ;
}

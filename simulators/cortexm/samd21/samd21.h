/*
 * Peripherals of the SAM D21 as far as firmware that measures needs them. Register layouts:
 * Microchip SAM D21/DA1 family data sheet (DS40001882), the chapter named at each model; what is
 * not modelled stands in docs/explain/limitations.md.
 */
#ifndef MOTEBENCH_CORTEXM_SAMD21_H
#define MOTEBENCH_CORTEXM_SAMD21_H

#include "../board/board.h"

extern const cm_part cm_samd21g18a, cm_cortex_m0_nows;

extern const cm_model cm_sysctrl;  /* every clock is ready at once */
extern const cm_model cm_gclk;     /* synchronised at once */
extern const cm_model cm_port;     /* pins: nothing is connected */
extern const cm_model cm_nvmctrl;  /* wait states and cache */
extern const cm_model cm_sercom;   /* USART */
extern const cm_model cm_tc;       /* timer, 8, 16 or 32 bits, counting up */
extern const cm_model cm_watchdog; /* can be off only */

#endif

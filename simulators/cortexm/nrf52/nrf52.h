/*
 * Peripherals of the nRF52840 as far as firmware that measures needs them. Register layouts: Nordic
 * nRF52840 Product Specification v1.7, the chapter named at each model; what is not modelled stands
 * in docs/explain/limitations.md.
 */
#ifndef MOTEBENCH_CORTEXM_NRF52_H
#define MOTEBENCH_CORTEXM_NRF52_H

#include "../board/board.h"

extern const cm_part cm_cortex_m4_nows, cm_cortex_m3_nows, cm_cortex_m33_nows, cm_nrf52840;

extern const cm_model cm_nrf_clock; /* every clock is ready at once */
extern const cm_model cm_nrf_nvmc;  /* its switch of the instruction cache */
extern const cm_model cm_nrf_timer;
extern const cm_model cm_nrf_uart;

#endif

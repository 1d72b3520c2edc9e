/*
 * Peripherals of the SAM3X8E as far as firmware that measures needs them. Register layouts: Atmel
 * SAM3X / SAM3A data sheet (11057C), the chapter named at each model; what is not modelled stands
 * in docs/explain/limitations.md.
 */
#ifndef MOTEBENCH_CORTEXM_SAM3X_H
#define MOTEBENCH_CORTEXM_SAM3X_H

#include "../board/board.h"

extern const cm_part cm_sam3x8e;

extern const cm_model cm_sam3x_eefc; /* wait states, width of a read, reading ahead */
extern const cm_model cm_sam3x_pmc;  /* every clock is ready at once */
extern const cm_model cm_sam3x_tc;   /* three counters, which count up without events */
extern const cm_model cm_sam3x_uart;

#endif

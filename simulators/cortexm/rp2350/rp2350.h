/* The RP2350 with its Cortex-M33 cores, of which one runs. */
#ifndef MOTEBENCH_CORTEXM_RP2350_H
#define MOTEBENCH_CORTEXM_RP2350_H

#include "../board/board.h"

extern const cm_part cm_rp2350_m33;

#endif

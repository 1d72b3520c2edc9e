#ifndef MOTEBENCH_SIM_AVR_XT_TIMERS_H
#define MOTEBENCH_SIM_AVR_XT_TIMERS_H

#include "../board/board.h"
#include "../board/counter.h"

/* Timer A: its prescaler is also a clock of the timers B. */
typedef struct av_tca {
    av_tap tap; /* first: xt/tcb.c reads it */
    av_counter counter;
    uint8_t control, compare_control, interrupts, flags, high;
} av_tca;

/* Brings all timers B to `now`, before the tap of timer A changes. */
void av_tcb_bring_all(av_board *board, uint64_t now);

#endif

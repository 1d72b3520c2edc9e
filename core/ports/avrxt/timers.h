/* The timers as one clock that counts every cycle of the core. */
#ifndef MOTEBENCH_AVRXT_TIMERS_H
#define MOTEBENCH_AVRXT_TIMERS_H

#include "motebench/port.h"

extern const char MOTE_FLASH mb_timers_name[];

/* Starts them. */
void mb_timers_init(void);

#endif

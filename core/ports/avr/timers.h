/* The timers of an AVR as one clock that counts every cycle of the core. */
#ifndef MOTEBENCH_AVR_TIMERS_H
#define MOTEBENCH_AVR_TIMERS_H

#include <stdint.h>

#include "mote/flash.h"

extern const char MOTE_FLASH mb_timers_name[];

/* Starts them. */
void mb_timers_init(void);

#endif

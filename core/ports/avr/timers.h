/* The timers of an AVR as one clock that counts every cycle of the core. */
#ifndef MOTEBENCH_AVR_TIMERS_H
#define MOTEBENCH_AVR_TIMERS_H

#include <avr/io.h>
#include <stdint.h>

#include "mote/flash.h"

#if !defined __AVR_ATmega2560__ && !defined __AVR_ATmega328P__
#error "which timers this part has is not said: timers.c, timers_small.c"
#endif

extern const char MOTE_FLASH mb_timers_name[];

/* Starts them. */
void mb_timers_init(void);

#endif

/* SysTick and a counter of the chip as one clock that counts every cycle of the core. */
#ifndef MOTEBENCH_ARMV6_M_CLOCK_H
#define MOTEBENCH_ARMV6_M_CLOCK_H

/* Starts SysTick. */
void mb_clock_init(void);

#endif

/*
 * Functions that a chip provides to the port of its core: one folder beside this one,
 * core/ports/<chip>, and the byte stream of motebench/port.h.
 */
#ifndef MOTEBENCH_ARMV6_M_CHIP_H
#define MOTEBENCH_ARMV6_M_CHIP_H

#include <stdint.h>

/* Cycles of the core in one tick of mb_chip_coarse. */
extern const uint32_t mb_chip_coarse_cycles;
/* Name of the counter behind mb_chip_coarse in hello. */
extern const char mb_chip_timer_name[];

/* The core to F_CPU, the serial interface, the coarse counter. */
void mb_chip_init(void);

/*
 * A 32-bit counter that runs all the time. It may lag behind by up to 2^22 cycles, for it only
 * tells how often a 24-bit one came round. Has MB_FROM_RAM, as mb_chip_cold has.
 */
uint32_t mb_chip_coarse(void);

/* Leaves nothing in a cache of the flash, so that what is measured next finds it empty. */
void mb_chip_cold(void);

/* Any interrupt of the chip. */
void mb_chip_interrupt(void);

#endif

/*
 * Peripherals of the RP2040 as far as firmware that measures needs them. Register layouts:
 * Raspberry Pi RP2040 data sheet, the section named at each model; what is not modelled stands in
 * docs/explain/limitations.md.
 */
#ifndef MOTEBENCH_CORTEXM_RP2040_H
#define MOTEBENCH_CORTEXM_RP2040_H

#include "../board/board.h"

extern const cm_part cm_rp2040;

extern const cm_model cm_rp_clocks;  /* every clock has switched at once */
extern const cm_model cm_rp_crystal; /* stable at once */
extern const cm_model cm_rp_pll;     /* locked at once */
extern const cm_model cm_rp_resets;  /* out of reset at once */
extern const cm_model cm_rp_timer;   /* microseconds */
extern const cm_model cm_rp_uart;    /* PL011 */
/* the line to the flash chip: sets what a miss of the cache takes */
extern const cm_model cm_rp_ssi;
extern const cm_model cm_rp_xip; /* the cache */

/* Registers of a timer, with that many cycles a microsecond, when the one at `offset` is read. */
void cm_rp_timer_show(cm_unit *unit, uint32_t offset, unsigned cycles);

/* Work of the boot ROM: checks and starts the first 256 bytes of flash. */
bool cm_rp_boot(cm_board *board);

#endif

/*
 * Functions that a chip provides to the port of its core: one folder beside this one, and the byte
 * stream of motebench/port.h.
 */
#ifndef MOTEBENCH_RISCV32_CHIP_H
#define MOTEBENCH_RISCV32_CHIP_H

/* The core to F_CPU, the serial interface. */
void mb_chip_init(void);

/* Any interrupt of the chip. */
void mb_chip_interrupt(void);

#endif

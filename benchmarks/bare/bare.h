/*
 * Bare programs for STM32 boards, measured with the core's cycle counter. Macros of the compiler's
 * command line: FLASH_ACR, the address of the flash's control register; SETTINGS, what is written
 * there; SENT, USART2's data register; RAM_END.
 */
#ifndef MOTEBENCH_BENCHMARKS_BARE_H
#define MOTEBENCH_BENCHMARKS_BARE_H

#include <stdint.h>

#define CYCLES (*(volatile uint32_t *)0xE0001004)

/* What is measured; the program ends behind it. */
void mb_bare_main(void);

/* A line with a name and a number. */
void mb_bare_say(const char *name, uint32_t number);

#endif

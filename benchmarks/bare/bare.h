/*
 * Bare programs for STM32 boards, measured with the core's cycle counter. Macros of the compiler's
 * command line: FLASH_ACR, the address of the flash's control register; SETTINGS, what is written
 * there; SENT, USART2's data register; RAM_END. Boards with the UART of an nRF52840: FLASH_ACR is
 * its ENABLE, STARTS_SENDING its STARTTX.
 */
#ifndef MOTEBENCH_BENCHMARKS_BARE_H
#define MOTEBENCH_BENCHMARKS_BARE_H

#include <stdint.h>

#define CYCLES (*(volatile uint32_t *)0xE0001004)

/* What is measured; the program ends behind it. */
void mb_bare_main(void);

/* A line with a name and a number. */
void mb_bare_say(const char *name, uint32_t number);

/* A name and the cycles of all calls, as jnk0le's own test reads them: less the one of the second
 * read of the counter. */
#define MEASURE(name, calls, call)               \
    do {                                         \
        uint32_t sum = 0;                        \
        call;                                    \
        for (unsigned i = 0; i < (calls); i++) { \
            const uint32_t before = CYCLES;      \
            call;                                \
            sum += CYCLES - before - 1;          \
        }                                        \
        mb_bare_say(name, sum);                  \
    } while (0)

#endif

/*
 * The byte stream of a board: USART2 on PA2 (TX) and PA3 (RX), 8 data bits, no parity, one stop
 * bit.
 */
#ifndef MOTEBENCH_STM32F_USART_H
#define MOTEBENCH_STM32F_USART_H

#include <stdint.h>

/* Bits a second. With a bus of 42 or 36 MHz 500,000 is exact. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 500000UL
#endif

/* USART2, whose bus has `bus_hz`; its clock and its pins are on already. Interrupts go on. */
void mb_stm32f_usart_init(uint32_t bus_hz);

#endif

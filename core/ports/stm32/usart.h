/*
 * The byte stream of a board: USART2 on PA2 (TX) and PA3 (RX), 8 data bits, no parity, one stop
 * bit; and the coarse counter.
 */
#ifndef MOTEBENCH_STM32_USART_H
#define MOTEBENCH_STM32_USART_H

/* Bits a second. At 80 and 48 MHz 500,000 is exact. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 500000UL
#endif

/* USART2, whose interrupt this is, and TIM2; their clocks and that of port A run already. */
void mb_stm32_init(unsigned interrupt);

#endif

/* The byte stream of a board: SERCOM5 on PB22 and PB23, 8 data bits, no parity, one stop bit. */
#ifndef MOTEBENCH_SAMD21_USART_H
#define MOTEBENCH_SAMD21_USART_H

/* Bits a second. At 48 MHz 500,000 is exact. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 500000UL
#endif

void mb_usart_init(void);

#endif

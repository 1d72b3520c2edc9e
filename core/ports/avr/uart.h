/* The byte stream of a board: USART0, 8 data bits, no parity, one stop bit. */
#ifndef MOTEBENCH_AVR_UART_H
#define MOTEBENCH_AVR_UART_H

/* Bits a second. At 16 MHz 500,000 is exact. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 500000UL
#endif

void mb_uart_init(void);

/* Waits until everything has been sent. */
void mb_uart_drain(void);

#endif

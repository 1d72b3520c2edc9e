/* The byte stream of a board: UART0 on P0.06 (TXD) and P0.08 (RXD), 8 data bits, no parity, one stop bit. */
#ifndef MOTEBENCH_NRF52840_UART_H
#define MOTEBENCH_NRF52840_UART_H

/* Bits a second. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 1000000UL
#endif

void mb_uart_init(void);

#endif

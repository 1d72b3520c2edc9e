/* The byte stream of a board: 8 data bits, no parity, one stop bit. */
#ifndef MOTEBENCH_AVRXT_UART_H
#define MOTEBENCH_AVRXT_UART_H

/* Bits a second. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 115200UL
#endif

void mb_uart_init(void);

/* Waits until everything has been sent. */
void mb_uart_drain(void);

#endif

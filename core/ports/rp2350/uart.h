/*
 * The byte stream of a board: UART0 on GP0 (TX) and GP1 (RX), 8 data bits, no parity, one stop bit.
 */
#ifndef MOTEBENCH_RP2350_UART_H
#define MOTEBENCH_RP2350_UART_H

/* Bits a second. At 150 MHz 500,000 is exact. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 500000UL
#endif

void mb_uart_init(void);

#endif

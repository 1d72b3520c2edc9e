/* The byte stream of a board: UART0, 8 data bits, no parity, one stop bit. */
#ifndef MOTEBENCH_NRF52840_UART_H
#define MOTEBENCH_NRF52840_UART_H

/* Bits a second. */
#ifndef MOTEBENCH_BAUD
#define MOTEBENCH_BAUD 1000000UL
#endif

/*
 * Pins, those of port 1 from 32 on. These two the development kit (PCA10056) connects to its USB.
 */
#ifndef MOTEBENCH_TX_PIN
#define MOTEBENCH_TX_PIN 6u
#define MOTEBENCH_RX_PIN 8u
#endif

void mb_uart_init(void);

#endif

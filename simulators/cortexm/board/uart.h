/*
 * Behaviour of all UARTs: a byte is sent in no time; a received byte is there as soon as the
 * program waits for one, and not before, so that what is timed does not depend on when the outside
 * sends.
 */
#ifndef MOTEBENCH_CORTEXM_UART_H
#define MOTEBENCH_CORTEXM_UART_H

#include "board.h"

/* Readings of the flags in a row that mean the program waits for input. */
enum { CM_PATIENT_POLLS = 16 };

/* The state of a unit that is a UART. */
typedef struct cm_uart {
    bool full;      /* a byte was received, and not read */
    unsigned polls; /* readings of the flags in a row that found nothing */
} cm_uart;

/* Waits for a byte as cm_console_byte, and puts it into the register at `data`, of `size` bytes.
 * False: there is no room, or nothing came. */
bool cm_uart_receive(cm_unit *unit, uint32_t data, unsigned size, int milliseconds);

/* The program reads the byte: it stays in the register, and is what this reading gets. */
void cm_uart_taken(cm_unit *unit);

/* The program reads the flags. True: it waits for a byte. */
bool cm_uart_polled(cm_unit *unit);

/* The program writes a byte, which goes to the outside if the UART `sends` and is the console. */
void cm_uart_send(cm_unit *unit, bool sends, uint32_t byte);

#endif

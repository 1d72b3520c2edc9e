/* A serial line: bytes take the time of their frames. What does not fit the receiver waits outside;
 * nothing is lost. */
#ifndef MOTEBENCH_SIM_AVR_LINE_H
#define MOTEBENCH_SIM_AVR_LINE_H

#include "board.h"

enum { AV_FIFO = 2 };

/* Flags of a USART, in the status of every family, in the order of its vectors. */
enum { AV_RECEIVED = 0x80, AV_EMPTY = 0x20, AV_SENT = 0x40 };

typedef struct av_line {
    uint32_t frame; /* cycles of a byte with its start and stop bits */
    bool receives;
    uint8_t fifo[AV_FIFO], waiting;
    uint64_t next_in; /* no byte comes before */
    /* cycles at which the next byte may be written, and at which the last one has left */
    uint64_t buffer_free, shift_free;
    /* a byte is on its way; one has left since the flag was cleared */
    bool sending, sent;
} av_line;

/* Brings the line to `now`; the cycle of its next change. */
uint64_t av_line_event(av_line *line, av_board *board, uint64_t now);

void av_line_send(av_line *line, av_board *board, uint64_t now, uint8_t byte);

/* The byte that has waited longest; 0: there is none. */
uint8_t av_line_take(av_line *line);

/* The flags that are set. */
uint8_t av_line_flags(const av_line *line, uint64_t now);

/* As av_line_event of the line of a USART, whose control register `asks` for interrupts of these
 * flags. */
uint64_t av_usart_event(av_unit *unit, av_line *line, unsigned asks, uint64_t now);

/* Asleep, and nothing else will happen: waits for input. AV_NONE, or why there is none. */
av_stop av_line_wait(av_board *board);

/* The line of a unit, or NULL if it is no USART. */
av_line *av_line_of(av_unit *unit);

#endif

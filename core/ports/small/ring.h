/*
 * Received bytes of a serial interface, waiting to be read: its interrupt puts bytes in, the probe
 * takes them out and sleeps while there are none. Defines mb_port_read and mb_port_flush: for one
 * source file of a port, which includes the functions of its core before: mb_interrupts_off,
 * mb_interrupts_on, mb_interrupts_happen and mb_sleep.
 */
#ifndef MOTEBENCH_SMALL_RING_H
#define MOTEBENCH_SMALL_RING_H

#include <stddef.h>
#include <stdint.h>

#include "motebench/port.h"

/* Bytes; what a longer burst loses costs a frame, which its check shows. */
#ifdef MB_RING
enum { RING = MB_RING };
#else
enum { RING = 256 };
#endif

static volatile uint8_t ring[RING];
static volatile uint16_t head;
static uint16_t tail;

static inline void mb_ring_put(uint8_t byte)
{
    const uint16_t next = (uint16_t)((head + 1u) % RING);
    if (next != tail) {
        ring[head] = byte;
        head = next;
    }
}

size_t mb_port_read(uint8_t *buf, size_t cap)
{
    size_t n = 0;
    mb_interrupts_off();
    while (head == tail) {
        mb_sleep(); /* ends with the interrupt, which runs in the next line */
        mb_interrupts_happen();
    }
    while (n < cap && head != tail) {
        buf[n++] = ring[tail];
        tail = (uint16_t)((tail + 1u) % RING);
    }
    mb_interrupts_on();
    return n;
}

/* mb_port_write waits until each byte is with the interface. */
bool mb_port_flush(void)
{
    return true;
}

#endif

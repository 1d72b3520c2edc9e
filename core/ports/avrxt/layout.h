/* RAM of an AVR, as core/ports/small/memory.c asks for it. */
#ifndef MOTEBENCH_AVRXT_LAYOUT_H
#define MOTEBENCH_AVRXT_LAYOUT_H

#include <avr/io.h>
#include <stdint.h>

extern uint8_t _end[], __data_start[], __bss_end[]; /* by the linker */
#define MB_FREE _end /* __heap_start is that of user code, where it has a heap */
#define MB_RAM_END ((uintptr_t)RAMEND + 1)
#define MB_STATIC_BYTES ((uint16_t)(__bss_end - __data_start))

typedef uint8_t mb_paint;

/*
 * Bytes of stack: that requests are read with, from the end of RAM; those of a small cipher, once a
 * job is placed.
 */
enum { MB_READING = 464, MB_WORKING = 176 };

static inline uintptr_t mb_stack_pointer(void)
{
    return SP;
}

#endif

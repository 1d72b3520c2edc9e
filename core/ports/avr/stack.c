/*
 * Stack use by painting: everything between the state and the stack pointer is filled with one value, and what no
 * longer holds it afterwards was used. A routine whose deepest bytes stay untouched, or get that very value, is seen that many
 * bytes too shallow.
 */
#include "stack.h"

#include <avr/io.h>
#include <stdint.h>

#include "cbor.h"
#include "motebench/port.h"

#ifndef MOTEBENCH_STACK
#define MOTEBENCH_STACK 512 /* bytes that the probe itself takes, with room to spare */
#endif

enum { PAINT = 0xC5, MARGIN = 4 };

extern uint8_t __heap_start[], __data_start[], __bss_end[]; /* by the linker */

static uint8_t *bottom; /* of the stack */
static uintptr_t caller;

void *mb_stack_init(size_t size, size_t *lacks)
{
    const size_t room = (size_t)((uintptr_t)RAMEND + 1 - (uintptr_t)__heap_start);
    bottom = __heap_start;
    if (size + MOTEBENCH_STACK > room) {
        *lacks = size + MOTEBENCH_STACK - room;
        return NULL;
    }
    bottom += size;
    return __heap_start;
}

bool mb_port_memory_before(void)
{
    return true;
}

void mb_port_memory_begin(void)
{
    caller = SP;
    for (volatile uint8_t *p = bottom; (uintptr_t)p < caller - MARGIN; p++)
        *p = PAINT;
}

bool mb_port_memory_held(struct mb_map *reply)
{
    const uint8_t *p = bottom;
    while ((uintptr_t)p < caller && *(const volatile uint8_t *)p == PAINT)
        p++;
    mb_map_uint(reply, "stack", caller - (uintptr_t)p);
    mb_map_uint(reply, "static", (uint64_t)(uintptr_t)(__bss_end - __data_start));
    mb_map_uint(reply, "state", (uint64_t)(uintptr_t)(bottom - __heap_start));
    return true;
}

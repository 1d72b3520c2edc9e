/*
 * Stack use by painting: everything between the state and the stack pointer is filled with one value, and what no
 * longer holds it afterwards was used. A routine whose deepest words stay untouched, or get that very value, is seen that
 * many bytes too shallow.
 */
#include "stack.h"

#include <stdint.h>

#include "cbor.h"
#include "motebench/port.h"

#ifndef MOTEBENCH_STACK
#define MOTEBENCH_STACK 1024 /* bytes that the probe itself takes, with room to spare */
#endif

enum { PAINT = 0xC5, ALIGNMENT = 8 };

extern uint8_t mb_data_begin[], mb_bss_end[], mb_free[], mb_stack_top[]; /* by the linker */

static uint8_t *bottom; /* of the stack */
static uintptr_t caller;

static inline uintptr_t stack_pointer(void)
{
    uintptr_t at;
    __asm__ volatile("mov %0, sp" : "=r"(at));
    return at;
}

void *mb_stack_init(size_t size, size_t *lacks)
{
    const size_t room = (size_t)(mb_stack_top - mb_free);
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    bottom = mb_free;
    if (size + MOTEBENCH_STACK > room) {
        *lacks = size + MOTEBENCH_STACK - room;
        return NULL;
    }
    bottom += size;
    return mb_free;
}

bool mb_port_memory_before(void)
{
    return true;
}

void mb_port_memory_begin(void)
{
    caller = stack_pointer();
    for (volatile uint8_t *p = bottom; (uintptr_t)p < caller; p++)
        *p = PAINT;
}

bool mb_port_memory_held(struct mb_map *reply)
{
    const uint8_t *p = bottom;
    while ((uintptr_t)p < caller && *(const volatile uint8_t *)p == PAINT)
        p++;
    mb_map_uint(reply, "stack", caller - (uintptr_t)p);
    mb_map_uint(reply, "static", (uint64_t)(uintptr_t)(mb_bss_end - mb_data_begin));
    mb_map_uint(reply, "state", (uint64_t)(uintptr_t)(bottom - mb_free));
    return true;
}

/*
 * Stack use by painting: every word between the state and the stack pointer is filled with one value, and what no longer
 * holds it afterwards was used. A routine whose deepest words stay untouched, or get that very value, is seen that
 * many bytes too shallow. A stack that came down to the state shows in the lowest words of the paint.
 */
#include "stack.h"

#include <stdint.h>

#include "cbor.h"

#ifndef MOTEBENCH_STACK
#define MOTEBENCH_STACK 1024 /* bytes that the probe itself takes, with room to spare */
#endif

enum { ALIGNMENT = 8, GUARD = 4 /* words */ };
#define PAINT 0xC5C5C5C5u

extern uint8_t mb_data_begin[], mb_bss_end[], mb_free[], mb_stack_top[]; /* by the linker */

static uint32_t *bottom; /* of the stack */
static const uint32_t *deepest;
static uintptr_t caller;

static inline uintptr_t stack_pointer(void)
{
    uintptr_t at;
    __asm__ volatile("mov %0, sp" : "=r"(at));
    return at;
}

static void paint(void)
{
    for (volatile uint32_t *p = bottom; (uintptr_t)p < stack_pointer(); p++)
        *p = PAINT;
}

/* Looks how deep the stack was, before it calls anything. */
static size_t overrun(void)
{
    const uint32_t *const sound = bottom + GUARD;
    deepest = bottom;
    while ((uintptr_t)deepest < stack_pointer() && *(const volatile uint32_t *)deepest == PAINT)
        deepest++;
    if (deepest >= sound)
        return 0;
    const size_t lacks = (size_t)((uintptr_t)sound - (uintptr_t)deepest);
    paint(); /* the next job is another one */
    return lacks;
}

void mb_stack_init(size_t size, mb_buffers *buffers)
{
    const size_t room = (size_t)(mb_stack_top - mb_free);
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    bottom = (uint32_t *)(void *)mb_free;
    if (size + MOTEBENCH_STACK > room) {
        buffers->ctx_lacks = size + MOTEBENCH_STACK - room;
    } else {
        buffers->ctx = mb_free;
        bottom += size / sizeof *bottom;
    }
    buffers->overrun = overrun;
    paint();
}

bool mb_port_memory_before(void)
{
    return true;
}

void mb_port_memory_begin(void)
{
    caller = stack_pointer();
    paint();
}

bool mb_port_memory_held(struct mb_map *reply)
{
    mb_map_uint(reply, MB_TEXT("stack"), caller - (uintptr_t)deepest);
    mb_map_uint(reply, MB_TEXT("static"), (uint64_t)(uintptr_t)(mb_bss_end - mb_data_begin));
    mb_map_uint(reply, MB_TEXT("state"), (uint64_t)((uintptr_t)bottom - (uintptr_t)mb_free));
    return true;
}

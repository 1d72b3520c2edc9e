/*
 * Memory, from the end of static data upwards: the request, readings, the adapter's state, input, output, tag; each as
 * long as the job needs it, so that the stack, which comes down from the end of RAM, has all the rest. Once a job is
 * closed its reply is written from the begin of all that.
 *
 * Stack use by painting: everything between the job and the stack pointer is filled with one value, and what no longer
 * holds it afterwards was used. A routine whose deepest bytes stay untouched, or get that very value, is seen that many
 * bytes too shallow. A stack that came down to the job shows in the lowest bytes of the paint, and in the check of the
 * request.
 */
#include "memory.h"

#include <avr/io.h>

#include "cbor.h"
#include "wire.h"

/* Bytes of stack: that requests are read with, from the end of RAM; and those of a small cipher, from `place` on. */
enum { READING = 464, WORKING = 176 };
enum { PAINT = 0xC5, MARGIN = 4, GUARD = 16, SAMPLES = 8, SAMPLE_BYTES = 3 * sizeof(uint64_t) };

extern uint8_t __heap_start[], __data_start[], __bss_end[]; /* by the linker */

static mb_buffers *memory;
static uint8_t *bottom; /* of the stack */
static const uint8_t *deepest;
static uintptr_t caller;
static uint16_t ctx_bytes, request_bytes; /* with its check */

static void paint(void)
{
    for (volatile uint8_t *p = bottom; (uintptr_t)p < SP - MARGIN; p++)
        *p = PAINT;
}

static uint8_t *take(uint8_t **at, size_t len)
{
    uint8_t *piece = *at;
    *at += len;
    return piece;
}

static size_t place(const uint8_t *end, const mb_needs *needs)
{
    ctx_bytes = (uint16_t)needs->ctx;
    request_bytes = (uint16_t)(end - memory->frame_in) + MB_CHECK_BYTES;
    uint8_t *at = memory->frame_in + (request_bytes > needs->reply ? request_bytes : needs->reply);
    const size_t samples = SAMPLE_BYTES * needs->samples;
    const uintptr_t top = (uintptr_t)at + samples + needs->ctx + needs->in + needs->out + needs->aux + WORKING;
    if (top > SP)
        return top - SP;
    memory->samples = (uint64_t *)(void *)take(&at, samples);
    memory->ctx = take(&at, needs->ctx);
    memory->in = take(&at, needs->in);
    memory->out = take(&at, needs->out);
    memory->aux = take(&at, needs->aux);
    memory->aux_cap = needs->aux;
    bottom = at;
    paint();
    return 0;
}

/* Looks how deep the stack was, before it calls anything. */
static size_t overrun(void)
{
    deepest = bottom;
    while ((uintptr_t)deepest < SP && *(const volatile uint8_t *)deepest == PAINT)
        deepest++;
    const uint8_t *const sound = bottom + GUARD;
    if (deepest >= sound && mb_crc16(MB_CRC16_START, memory->frame_in, request_bytes) == 0)
        return 0;
    return deepest < sound ? (size_t)(sound - deepest) : GUARD;
}

void mb_memory_init(mb_buffers *buffers)
{
    memory = buffers;
    buffers->frame_in = buffers->frame_out = __heap_start;
    buffers->frame_cap = RAMEND + 1 - READING - (uintptr_t)__heap_start;
    buffers->data_cap = buffers->frame_cap - MB_SHORT_REPLY;
    buffers->sample_cap = SAMPLES;
    buffers->place = place;
    buffers->overrun = overrun;
}

bool mb_port_memory_before(void)
{
    return true;
}

void mb_port_memory_begin(void)
{
    caller = SP;
    paint();
}

bool mb_port_memory_held(struct mb_map *reply)
{
    mb_map_uint(reply, MB_TEXT("stack"), caller - (uintptr_t)deepest);
    mb_map_uint(reply, MB_TEXT("static"), (uint64_t)(uintptr_t)(__bss_end - __data_start));
    mb_map_uint(reply, MB_TEXT("state"), ctx_bytes);
    return true;
}

/*
 * Memory of small devices, from the end of static data upwards: the request, readings, the
 * adapter's state, input, output, tag; each as long as the job needs it, so that the stack, which
 * comes down from the end of RAM, has all the rest. Once a job is closed its reply is written from
 * the begin of all that.
 *
 * Stack use by painting: everything between the job and the stack pointer is filled with one value,
 * and what no longer holds it afterwards was used. A routine whose deepest bytes stay untouched, or
 * get that very value, is seen that many bytes too shallow. A stack that came down to the job shows
 * in the lowest bytes of the paint, and in the check of the request.
 */
#include "memory.h"

#include "cbor.h"
#include "layout.h"
#include "wire.h"

enum { MARGIN = 4, GUARD = MB_OVER_PAINT, SAMPLES = 8, SAMPLE_BYTES = 3 * sizeof(uint64_t) };
#define PAINT ((mb_paint)0xC5C5C5C5u)

static mb_buffers *memory;
static uint8_t *bottom; /* of the stack */
static uintptr_t caller;
static uint16_t ctx_bytes, request_bytes; /* with its check */

static void paint(void)
{
    for (volatile mb_paint *p = (mb_paint *)(void *)bottom;
         (uintptr_t)p < mb_stack_pointer() - MARGIN; p++)
        *p = PAINT;
}

static size_t aligned(size_t len)
{
    return (len + MB_ALIGNMENT - 1) / MB_ALIGNMENT * MB_ALIGNMENT;
}

static uint8_t *take(uint8_t **at, size_t len)
{
    uint8_t *piece = *at;
    *at += aligned(len);
    return piece;
}

static size_t place(const uint8_t *end, const mb_needs *needs)
{
    ctx_bytes = (uint16_t)needs->ctx;
    request_bytes = (uint16_t)(end - memory->frame_in) + MB_CHECK_BYTES;
    uint8_t *at =
        memory->frame_in + aligned(request_bytes > needs->reply ? request_bytes : needs->reply);
    const size_t samples = SAMPLE_BYTES * needs->samples;
    const uintptr_t top = (uintptr_t)at + samples + aligned(needs->ctx) + aligned(needs->in) +
                          aligned(needs->out) + aligned(needs->aux) + MB_WORKING;
    if (top > mb_stack_pointer())
        return top - mb_stack_pointer();
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
static inline uintptr_t deepest(void)
{
    const volatile mb_paint *p = (const volatile mb_paint *)(void *)bottom;
    while ((uintptr_t)p < mb_stack_pointer() && *p == PAINT)
        p++;
    return (uintptr_t)p;
}

static size_t overrun(void)
{
    const uintptr_t reached = deepest(), sound = (uintptr_t)bottom + GUARD;
    if (reached >= sound && mb_crc16(MB_CRC16_START, memory->frame_in, request_bytes) == 0)
        return 0;
    return reached < sound ? sound - reached : MB_OVER_REQUEST;
}

void mb_memory_init(mb_buffers *buffers)
{
    memory = buffers;
    buffers->frame_in = buffers->frame_out = MB_FREE;
    buffers->frame_cap = MB_RAM_END - MB_READING - (uintptr_t)MB_FREE;
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
    caller = mb_stack_pointer();
    paint();
}

size_t mb_port_memory_used(void)
{
    return caller - deepest();
}

bool mb_port_memory_held(struct mb_map *reply, size_t stack)
{
    mb_map_uint(reply, MB_TEXT("stack"), stack);
    mb_map_uint(reply, MB_TEXT("static"), MB_STATIC_BYTES);
    mb_map_uint(reply, MB_TEXT("state"), ctx_bytes);
    return true;
}

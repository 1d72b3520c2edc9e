/* An AVR as a port: memory, and what hello says of the build. */
#include <avr/io.h>

#include "motebench/adapter.h"
#include "motebench/port.h"
#include "stack.h"
#include "timers.h"
#include "uart.h"

/* Sizes in bytes. The builder of the firmware may choose others for a part, or to let a large state fit. */
#ifndef MOTEBENCH_FRAME
#define MOTEBENCH_FRAME 768
#endif
#ifndef MOTEBENCH_DATA
#define MOTEBENCH_DATA 512
#endif
#ifndef MOTEBENCH_AUX
#define MOTEBENCH_AUX 384
#endif
enum { SLACK = 64, SAMPLES = 8, CHUNK = 16 };

const char mb_port_arch[] = "avr";
const char mb_port_compiler[] = MOTEBENCH_COMPILER;
const char mb_port_flags[] = MOTEBENCH_FLAGS;

static uint8_t frame_in[MOTEBENCH_FRAME], frame_out[MOTEBENCH_FRAME], aux[MOTEBENCH_AUX];
static uint8_t in[MOTEBENCH_DATA + SLACK], out[MOTEBENCH_DATA + SLACK], chunk[CHUNK];
static uint64_t samples[3 * SAMPLES];

static mb_buffers buffers = {
    .frame_in = frame_in, .frame_out = frame_out, .frame_cap = MOTEBENCH_FRAME,
    .aux = aux, .aux_cap = MOTEBENCH_AUX,
    .chunk = chunk, .chunk_cap = CHUNK,
    .in = in, .out = out, .data_cap = MOTEBENCH_DATA, .slack = SLACK,
    .samples = samples, .sample_cap = SAMPLES,
};

const mb_buffers *mb_port_buffers(void)
{
    return &buffers;
}

bool mb_port_init(size_t ctx_size)
{
    buffers.ctx = mb_stack_init(ctx_size, &buffers.ctx_lacks);
    mb_timers_init();
    mb_uart_init();
    return true;
}

void mb_port_clocks(mb_clock *clock, mb_clock *counter, mb_clock *cpu)
{
    *clock = (mb_clock){.name = mb_timers_name, .hz = F_CPU};
    *counter = (mb_clock){.name = mb_timers_name};
    *cpu = (mb_clock){.name = NULL};
}

bool mb_port_cpu(uint64_t *ticks)
{
    (void)ticks;
    return false;
}

const struct mb_handler *mb_port_handler(size_t i)
{
    (void)i;
    return NULL;
}

/* A Cortex-M0 or M0+ as a port: memory, and what hello says of the build. */
#include "chip.h"
#include "clock.h"
#include "motebench/port.h"
#include "stack.h"

/* Sizes in bytes. The builder of the firmware may choose others for a part, or to let a large state fit. */
#ifndef MOTEBENCH_FRAME
#define MOTEBENCH_FRAME 2560
#endif
#ifndef MOTEBENCH_DATA
#define MOTEBENCH_DATA 2048
#endif
#ifndef MOTEBENCH_AUX
#define MOTEBENCH_AUX 768
#endif
enum { SLACK = 64, SAMPLES = 8, CHUNK = 32 };

const char mb_port_arch[] = "armv6-m";
const char mb_port_compiler[] = MOTEBENCH_COMPILER;
const char mb_port_flags[] = MOTEBENCH_FLAGS;

#define ALIGNED _Alignas(MB_ALIGNMENT) static uint8_t
ALIGNED frame_in[MOTEBENCH_FRAME], frame_out[MOTEBENCH_FRAME], aux[MOTEBENCH_AUX];
ALIGNED in[MOTEBENCH_DATA + SLACK], out[MOTEBENCH_DATA + SLACK], chunk[CHUNK];
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
    mb_stack_init(ctx_size, &buffers);
    mb_chip_init();
    mb_clock_init();
    return true;
}

void mb_port_clocks(mb_clock *clock, mb_clock *counter, mb_clock *cpu)
{
    *clock = (mb_clock){.name = mb_chip_timer_name, .hz = F_CPU};
    *counter = (mb_clock){.name = mb_chip_timer_name};
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

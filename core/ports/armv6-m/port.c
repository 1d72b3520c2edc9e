/* A Cortex-M as a port: memory, and the build's facts for hello. */
#include "motebench/port.h"
#include "chip.h"
#include "clock.h"
#include "small/memory.h"

enum { CHUNK = 32 };

#if defined(__ARM_ARCH_8M_MAIN__)
const char mb_port_arch[] = "armv8-m.main";
#elif defined(__ARM_ARCH_7EM__)
const char mb_port_arch[] = "armv7e-m";
#elif defined(__ARM_ARCH_7M__)
const char mb_port_arch[] = "armv7-m";
#else
const char mb_port_arch[] = "armv6-m";
#endif
const char mb_port_compiler[] = MOTEBENCH_COMPILER;
const char mb_port_flags[] = MOTEBENCH_FLAGS;

static uint8_t chunk[CHUNK];
static mb_buffers buffers = {.chunk = chunk, .chunk_cap = CHUNK};

const mb_buffers *mb_port_buffers(void)
{
    return &buffers;
}

bool mb_port_init(size_t ctx_size)
{
    (void)ctx_size; /* each job has as much as it needs */
    mb_memory_init(&buffers);
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

void mb_port_stop(void)
{
    for (;;)
        __asm__ volatile("cpsid i\n\twfi");
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

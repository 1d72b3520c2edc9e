/* An AVR as a port: memory, and the build's facts for hello. */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "small/memory.h"
#include "timers.h"
#include "uart.h"

enum { CHUNK = 4 };

const char MOTE_FLASH mb_port_arch[] = "avr";
const char MOTE_FLASH mb_port_compiler[] = MOTEBENCH_COMPILER;
const char MOTE_FLASH mb_port_flags[] = MOTEBENCH_FLAGS;

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

/* Asleep with interrupts off: nothing but a reset ends that, and a simulator ends. */
void mb_port_stop(void)
{
    mb_uart_drain();
    cli();
    sleep_enable();
    for (;;)
        sleep_cpu();
}

bool mb_port_cpu(uint64_t *ticks)
{
    (void)ticks;
    return false;
}

const struct mb_handler MOTE_FLASH *mb_port_handler(size_t i)
{
    (void)i;
    return NULL;
}

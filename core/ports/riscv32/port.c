/* A RISC-V microcontroller as a port: memory, the clock, and the build's facts for hello. */
#include "motebench/port.h"
#include "chip.h"
#include "core.h"
#include "small/memory.h"

#ifdef __riscv_32e
enum { CHUNK = 8 };

const char mb_port_arch[] = "riscv32e";
static const char counter_name[] = "SysTick";
#else
enum { CHUNK = 32 };

const char mb_port_arch[] = "riscv32";
static const char counter_name[] = "mcycle";
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
#ifdef __riscv_32e
    SYSTICK_CMP = UINT32_MAX;
    SYSTICK_CTLR = SYSTICK_RUNS;
#else
    __asm__ volatile("csrwi mcountinhibit, 0"); /* counters run */
#endif
    mb_chip_init();
    return true;
}

void mb_port_clocks(mb_clock *clock, mb_clock *counter, mb_clock *cpu)
{
    *clock = (mb_clock){.name = counter_name, .hz = F_CPU};
    *counter = (mb_clock){.name = counter_name};
    *cpu = (mb_clock){.name = NULL};
}

#ifdef __riscv_32e
/* It comes round: at 48 MHz after 89 s, which nothing takes that fits such a part. */
uint64_t mb_port_clock(void)
{
    return SYSTICK_CNT;
}

uint64_t mb_port_elapsed(uint64_t begin, uint64_t end)
{
    return (uint32_t)end - (uint32_t)begin;
}
#else
uint64_t mb_port_clock(void)
{
    uint32_t high, low, again;
    do
        __asm__ volatile("csrr %0, mcycleh\n\tcsrr %1, mcycle\n\tcsrr %2, mcycleh"
                         : "=r"(high), "=r"(low), "=r"(again));
    while (high != again);
    return (uint64_t)high << 32 | low;
}

uint64_t mb_port_elapsed(uint64_t begin, uint64_t end)
{
    return end - begin;
}
#endif

bool mb_port_counter(uint64_t *ticks)
{
    *ticks = mb_port_clock();
    return true;
}

void mb_port_quiet(bool quiet)
{
    if (quiet)
        mb_interrupts_off();
    else
        mb_interrupts_on();
}

void mb_port_stop(void)
{
    for (;;)
#ifdef __riscv_32e
        __asm__ volatile("csrci mstatus, 8\n\twfi");
#else
        __asm__ volatile("csrci mstatus, 8\n\tcsrw mie, zero\n\twfi");
#endif
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

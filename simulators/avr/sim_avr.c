/*
 * motebench-sim-avr: an AVR with a program in its flash, its USART0 on standard input and output. libsimavr does the
 * work; this program feeds it and stops when something is wrong.
 *
 *     motebench-sim-avr --mcu atmega2560 --clock 16000000 firmware.elf
 *
 * Ends with status 0 when the input ends while the program sleeps; 2 for wrong usage or a file that is no program for
 * this part; 3 when the simulated core stops (a crash, or sleep that nothing can end); 8 when the stack came down to
 * the program's static data, or out of all memory, or when the core crashes, or sleeps without a word, after the stack
 * came down to what the probe holds for the job that runs. Messages go to standard error.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include "orphan.h"

DEFINE_FIFO(uint16_t, uart_fifo);

enum { BUFFER = 4096, USAGE = 2, STOPPED = 3, STACK = 8, MOST_FLASH = 65536, ADDRESSES = 65536 };

/* The stack pointer is written in two halves: what it is in between for fewer instructions than this counts for nothing. */
enum { SETTLED = 6 };

/* The pointer of the probe (core/ports/small/memory.c) to the end of what it holds for a job: a symbol of the program. */
static const char HELD[] = "bottom";

/*
 * Instructions are looked at one by one only while the stack is near static data, else for so many cycles at once, which
 * is 2.5 times as fast. libsimavr ends such a stride at the cycle where a timer is due or an interrupt is raised.
 */
enum { STRIDE = 64, NEAR = 1024 };

static struct {
    avr_t *avr;
    avr_uart_t *uart;
    avr_irq_t *receiver;
    uint8_t out[BUFFER], in[BUFFER];
    size_t out_len, in_at, in_len;
    unsigned floor, below; /* end of static data; for how many instructions the stack pointer has been below it */
    unsigned held;         /* address of HELD; 0: the program has none */
    unsigned missing;      /* bytes by which the stack came into what is held, at most, since the core last slept */
    uint32_t at;           /* where it did */
    unsigned inside;       /* for how many instructions it has been deeper than that */
    unsigned shallowest;   /* how deep it was in all of them */
    bool spoke;            /* whether the program sent anything since it was last given input */
} sim;

static void flush(void)
{
    size_t at = 0;
    while (at < sim.out_len) {
        const ssize_t sent = write(STDOUT_FILENO, sim.out + at, sim.out_len - at);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            exit(0); /* nobody listens any more */
        at += (size_t)sent;
    }
    sim.out_len = 0;
}

static void on_output(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    sim.spoke = true;
    sim.out[sim.out_len++] = (uint8_t)value;
    if (sim.out_len == BUFFER)
        flush();
}

/* Called instead of waiting for as long as the core sleeps: simulated time costs nothing. */
static void no_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

static void log_to_stderr(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

static bool connect(void)
{
    uint32_t flags = 0;
    for (avr_io_t *io = sim.avr->io_port; io != NULL; io = io->next) {
        avr_uart_t *uart = (avr_uart_t *)io; /* its first member */
        if (strcmp(io->kind, "uart") == 0 && uart->name == '0')
            sim.uart = uart;
    }
    if (sim.uart == NULL)
        return false;
    avr_ioctl(sim.avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POOL_SLEEP);
    avr_ioctl(sim.avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    sim.receiver = avr_io_getirq(sim.avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(sim.avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_output, NULL);
    return true;
}

/* The program sleeps and has taken all there was: hands it more, waiting for it if need be. False at the end. */
static bool feed(void)
{
    flush();
    if (sim.in_at == sim.in_len) {
        ssize_t got;
        do
            got = read(STDIN_FILENO, sim.in, BUFFER);
        while (got < 0 && errno == EINTR);
        if (got <= 0)
            return false;
        sim.in_at = 0;
        sim.in_len = (size_t)got;
        sim.spoke = false;
    }
    while (!uart_fifo_isfull(&sim.uart->input) && sim.in_at < sim.in_len)
        avr_raise_irq(sim.receiver, sim.in[sim.in_at++]);
    return true;
}

static unsigned stack_pointer(void)
{
    return sim.avr->data[R_SPL] | (unsigned)sim.avr->data[R_SPH] << 8;
}

/* Where the program keeps the end of what the probe holds for a job. User code may have a name like it: then nowhere. */
static unsigned address_of_held(const elf_firmware_t *firmware)
{
    unsigned found = 0, address = 0;
    for (uint32_t i = 0; i < firmware->symbolcount; i++) {
        if (strcmp(firmware->symbol[i]->symbol, HELD) != 0)
            continue;
        found++;
        address = firmware->symbol[i]->addr & 0xffffu;
    }
    return found == 1 && address > sim.avr->ioend && address < sim.avr->ramend ? address : 0;
}

/*
 * Notes how deep the stack is in what the probe holds for a job, as seen at the end of each stride. That stops nothing: a
 * probe that survives it reports it itself.
 */
static void look_at_job(void)
{
    const unsigned end = sim.held != 0 ? sim.avr->data[sim.held] | (unsigned)sim.avr->data[sim.held + 1] << 8 : 0;
    const unsigned first_free = stack_pointer() + 1;
    if (first_free < sim.floor || first_free + sim.missing >= end || end > sim.avr->ramend) {
        sim.inside = 0;
        return;
    }
    if (sim.inside == 0 || sim.shallowest < first_free)
        sim.shallowest = first_free;
    if (++sim.inside < SETTLED) {
        sim.avr->run_cycle_limit = sim.avr->run_cycle_count = 1;
        return;
    }
    sim.missing = end - sim.shallowest;
    sim.at = (uint32_t)sim.avr->pc;
    sim.inside = 0;
}

/*
 * Whether the stack has come down to static data, which nothing that is computed after that can be trusted with.
 * Further down it goes on at the highest address, where there is no memory and the core crashes.
 */
static bool stack_ran_over(int state)
{
    const unsigned pointer = stack_pointer();
    const bool wrapped = pointer > sim.avr->ramend;
    sim.avr->run_cycle_limit = STRIDE;
    if (wrapped || pointer < sim.floor + NEAR)
        sim.avr->run_cycle_limit = sim.avr->run_cycle_count = 1;
    if (!wrapped && pointer + 1 >= sim.floor) {
        sim.below = 0;
        return false;
    }
    if (++sim.below < SETTLED && state != cpu_Crashed)
        return false;
    flush();
    fprintf(stderr, "motebench-sim-avr: the stack overwrote static data: %u bytes of RAM are missing, at 0x%05x\n",
            sim.floor + (wrapped ? (unsigned)ADDRESSES : 0) - pointer - 1, (unsigned)sim.avr->pc);
    return true;
}

static int lost_job(void)
{
    flush();
    fprintf(stderr,
            "motebench-sim-avr: the stack overwrote data of the job: at least %u bytes of RAM are missing, at 0x%05x\n",
            sim.missing, (unsigned)sim.at);
    return STACK;
}

static int run(void)
{
    for (;;) {
        const int state = avr_run(sim.avr);
        if (stack_ran_over(state))
            return STACK;
        look_at_job();
        if (state == cpu_Crashed && sim.missing != 0)
            return lost_job();
        if (state == cpu_Crashed || state == cpu_Done) {
            flush();
            fprintf(stderr, "motebench-sim-avr: the core %s at address 0x%05x after %llu cycles\n",
                    state == cpu_Crashed ? "crashed" : "waits with interrupts off", (unsigned)sim.avr->pc,
                    (unsigned long long)sim.avr->cycle);
            return STOPPED;
        }
        if (state == cpu_Sleeping && sim.missing != 0 && !sim.spoke)
            return lost_job();
        if (state == cpu_Sleeping)
            sim.missing = 0; /* the job is over */
        if (state == cpu_Sleeping && uart_fifo_isempty(&sim.uart->input) && !feed())
            return 0;
    }
}

static int usage(const char *problem, const char *about)
{
    fprintf(stderr,
            "motebench-sim-avr: %s%s\n"
            "usage: motebench-sim-avr --mcu NAME --clock HZ [--flash BYTES] FIRMWARE.elf\n",
            problem, about);
    return USAGE;
}

int main(int argc, char **argv)
{
    const char *mcu = NULL, *path = NULL;
    unsigned long clock = 0, flash = 0;
    mb_end_with_parent();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mcu") == 0 && i + 1 < argc)
            mcu = argv[++i];
        else if (strcmp(argv[i], "--clock") == 0 && i + 1 < argc)
            clock = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--flash") == 0 && i + 1 < argc)
            flash = strtoul(argv[++i], NULL, 10);
        else if (argv[i][0] != '-' && path == NULL)
            path = argv[i];
        else
            return usage("unknown option or missing value: ", argv[i]);
    }
    if (mcu == NULL || path == NULL || clock == 0)
        return usage("--mcu, --clock and FIRMWARE.elf are required", "");
    static elf_firmware_t firmware;
    avr_global_logger_set(log_to_stderr);
    if (elf_read_firmware(path, &firmware) != 0)
        return usage("the program cannot be read: ", path);
    sim.avr = avr_make_mcu_by_name(mcu);
    if (sim.avr == NULL)
        return usage("libsimavr does not know this part: ", mcu);
    /* More flash than the part has, as far as Z reaches: nothing that takes time depends on it. */
    if (flash != 0 && (flash <= sim.avr->flashend + 1ul || flash > (unsigned long)MOST_FLASH))
        return usage("--flash must be larger than the part's flash and at most 65536 bytes", "");
    if (flash != 0)
        sim.avr->flashend = (uint32_t)flash - 1;
    avr_init(sim.avr);
    if (firmware.flashsize > sim.avr->flashend + 1)
        return usage("the program is longer than the flash: ", path);
    firmware.frequency = (uint32_t)clock;
    avr_load_firmware(sim.avr, &firmware);
    sim.avr->frequency = (uint32_t)clock;
    sim.avr->sleep = no_sleep;
    sim.floor = (unsigned)sim.avr->ioend + 1u + firmware.datasize + firmware.bsssize;
    sim.held = address_of_held(&firmware);
    if (!connect())
        return usage("the part has no USART0: ", mcu);
    return run();
}

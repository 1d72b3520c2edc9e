/* EEFC, PMC, TC and UART. */
#include "../board/uart.h"
#include "sam3x.h"

/* --- EEFC, chapter 18: reads of 128 or 64 bits, one of code ahead. Both planes have the settings
 * of the one that was written last. Erasing and writing are not modelled. */

enum { FMR = 0x00, FSR = 0x08, FWS_AT = 8, FWS = 15, SCOD = 1 << 16, FAM = 1 << 24, FRDY = 1 };
enum { READ_128 = 4, READ_64 = 3 }; /* logarithms of bytes */

static void obey(cm_unit *unit)
{
    const uint32_t mode = cm_register(unit, FMR, 4);
    unit->board->v7m.accelerator->read_shift = (mode & FAM) != 0 ? READ_64 : READ_128;
    cm_board_accelerate(unit->board, mode >> FWS_AT & FWS, false, false, (mode & SCOD) == 0);
}

static void eefc_reset(cm_unit *unit)
{
    cm_set_register(unit, FSR, 4, FRDY);
    obey(unit);
}

static void eefc_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    if (offset >= FMR + 4)
        return;
    cm_set_register(unit, offset, size, value);
    obey(unit);
}

const cm_model cm_sam3x_eefc = {.reset = eefc_reset, .written = eefc_written};

/* --- PMC, chapter 28 -------------------------------------------------------------------------- */

enum {
    PMC_SR = 0x68,
    /* crystal oscillator, PLLA, master clock, choice of main clock, fast oscillator */
    READY = 1 << 0 | 1 << 1 | 1 << 3 | 1 << 16 | 1 << 17
};

static void pmc_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    cm_set_register(unit, PMC_SR, 4, READY);
}

const cm_model cm_sam3x_pmc = {.read = pmc_read};

/* --- TC, chapter 36: three channels that count the core's clock, divided ---------------------- */

enum {
    CHANNELS = 3,
    CHANNEL_BYTES = 0x40,
    CCR = 0x00,
    CMR = 0x04,
    CV = 0x10,
    CLKEN = 1,
    CLKDIS = 2,
    SWTRG = 4
};

typedef struct counter {
    bool runs;
    uint64_t base; /* the cycle at which it held 0, or would have */
} counter;

static void tc_read(cm_unit *unit, uint32_t offset)
{
    static const uint8_t shifts[8] = {1, 3, 5, 7}; /* TIMER_CLOCK1 to 4 */
    const uint32_t channel = offset / CHANNEL_BYTES, first = channel * CHANNEL_BYTES;
    if (channel >= CHANNELS || offset % CHANNEL_BYTES != CV)
        return;
    const counter *is = (const counter *)unit->state + channel;
    const uint64_t since = is->runs ? unit->board->core.cycles - is->base : 0;
    const uint32_t clock = cm_register(unit, first + CMR, 4) & 7;
    cm_set_register(unit, offset, 4, (uint32_t)(since >> shifts[clock]));
}

static void tc_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    const uint32_t channel = offset / CHANNEL_BYTES;
    if (channel >= CHANNELS || offset % CHANNEL_BYTES != CCR) {
        cm_set_register(unit, offset, size, value);
        return;
    }
    counter *is = (counter *)unit->state + channel;
    if ((value & CLKDIS) != 0)
        is->runs = false;
    else if ((value & CLKEN) != 0)
        is->runs = true;
    if ((value & SWTRG) != 0)
        is->base = unit->board->core.cycles;
}

static void tc_reset(cm_unit *unit)
{
    for (unsigned i = 0; i < CHANNELS; i++)
        ((counter *)unit->state)[i] = (counter){.runs = false};
}

const cm_model cm_sam3x_tc = {
    .state = CHANNELS * sizeof(counter), .reset = tc_reset, .read = tc_read, .written = tc_written};

/* --- UART, chapter 34: as board/uart.h says --------------------------------------------------- */

enum {
    CR = 0x00,
    IER = 0x08,
    IDR = 0x0c,
    IMR = 0x10,
    SR = 0x14,
    RHR = 0x18,
    THR = 0x1c,
    RXEN = 1 << 4,
    RXDIS = 1 << 5,
    TXEN = 1 << 6,
    TXDIS = 1 << 7,
    RXRDY = 1 << 0,
    TXRDY = 1 << 1,
    TXEMPTY = 1 << 9
};

typedef struct uart {
    cm_uart line; /* first: the functions of board/uart.h take the state for one */
    bool receives, sends;
} uart;

static void show(cm_unit *unit)
{
    const uart *is = unit->state;
    const uint32_t flags = (is->line.full ? RXRDY : 0) | (is->sends ? TXRDY | TXEMPTY : 0);
    cm_set_register(unit, SR, 4, flags);
    cm_interrupt(unit, (flags & cm_register(unit, IMR, 4)) != 0);
}

static bool uart_listens(const cm_unit *unit)
{
    return ((const uart *)unit->state)->receives && (cm_register(unit, IMR, 4) & RXRDY) != 0;
}

static bool uart_feed(cm_unit *unit, int milliseconds)
{
    if (!((const uart *)unit->state)->receives || !cm_uart_receive(unit, RHR, 4, milliseconds))
        return false;
    show(unit);
    return true;
}

static void uart_reset(cm_unit *unit)
{
    *(uart *)unit->state = (uart){.receives = false};
    show(unit);
}

static void uart_read(cm_unit *unit, uint32_t offset)
{
    if (offset == RHR)
        cm_uart_taken(unit);
    else if (offset == SR && cm_uart_polled(unit))
        (void)uart_feed(unit, cm_patience(unit->board));
    show(unit);
}

static void uart_control(cm_unit *unit, uint32_t value)
{
    uart *is = unit->state;
    if ((value & (RXEN | RXDIS)) != 0)
        is->receives = (value & RXDIS) == 0;
    if ((value & (TXEN | TXDIS)) != 0)
        is->sends = (value & TXDIS) == 0;
}

static void uart_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    switch (offset) {
    case CR:
        uart_control(unit, value);
        break;
    case IER:
        cm_set_register(unit, IMR, 4, cm_register(unit, IMR, 4) | value);
        break;
    case IDR:
        cm_set_register(unit, IMR, 4, cm_register(unit, IMR, 4) & ~value);
        break;
    case THR:
        cm_uart_send(unit, ((const uart *)unit->state)->sends, value);
        break;
    case IMR:
    case SR:
    case RHR:
        break;
    default:
        cm_set_register(unit, offset, size, value);
        break;
    }
    show(unit);
}

const cm_model cm_sam3x_uart = {
    .state = sizeof(uart),
    .reset = uart_reset,
    .read = uart_read,
    .written = uart_written,
    .listens = uart_listens,
    .feed = uart_feed,
};

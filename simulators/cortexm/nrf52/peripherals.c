/* CLOCK, TIMER and UART. Writing 1 to a task starts it; an event is a register that is 1 from then
 * on. */
#include "../board/uart.h"
#include "nrf52.h"

/* --- CLOCK, 5.4 ------------------------------------------------------------------------------- */

enum { HFCLKSTART = 0x000, LFCLKSTART = 0x008, HFCLKSTARTED = 0x100, LFCLKSTARTED = 0x104 };

static void clock_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    cm_set_register(unit, offset, size, value);
    if (offset == HFCLKSTART && value == 1)
        cm_set_register(unit, HFCLKSTARTED, 4, 1);
    if (offset == LFCLKSTART && value == 1)
        cm_set_register(unit, LFCLKSTARTED, 4, 1);
}

const cm_model cm_nrf_clock = {.written = clock_written};

/* --- NVMC, 4.3: the cache is off after a reset, and empty when it is switched on -------------- */

enum { ICACHECNF = 0x540, CACHEEN = 1, WAIT_STATES = 3 };

static void nvmc_reset(cm_unit *unit)
{
    cm_board_flash(unit->board, WAIT_STATES, 0, false);
}

static void nvmc_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    cm_set_register(unit, offset, size, value);
    if (offset == ICACHECNF)
        cm_board_flash(unit->board, WAIT_STATES, 0, (value & CACHEEN) != 0);
}

const cm_model cm_nrf_nvmc = {.reset = nvmc_reset, .written = nvmc_written};

/* --- TIMER, 6.30: counts at 16 MHz divided by a power of two; without compare events ---------- */

enum {
    START = 0x000,
    STOP = 0x004,
    CLEAR = 0x00c,
    CAPTURE = 0x040,
    MODE = 0x504,
    BITMODE = 0x508,
    PRESCALER = 0x510,
    CC = 0x540,
    CHANNELS = 6,
    CYCLES = 4 /* of the core in one of 16 MHz, at 64 MHz */
};

typedef struct timer {
    bool runs;
    uint64_t base; /* the cycle at which the counter held 0, or would have */
    uint64_t held; /* cycles behind that at which it stands, while it does not run */
} timer;

static uint32_t count(const cm_unit *unit)
{
    static const uint8_t widths[4] = {16, 8, 24, 32};
    const timer *is = unit->state;
    const uint64_t since = is->runs ? unit->board->core.cycles - is->base : is->held;
    const uint64_t ticks = since / CYCLES >> (cm_register(unit, PRESCALER, 4) & 15);
    return (uint32_t)(ticks & ((1ull << widths[cm_register(unit, BITMODE, 4) & 3]) - 1));
}

static void timer_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    timer *is = unit->state;
    const uint64_t now = unit->board->core.cycles;
    if (offset >= MODE) {
        cm_set_register(unit, offset, size, value);
    } else if (offset >= CAPTURE && offset < CAPTURE + 4 * CHANNELS && value == 1) {
        cm_set_register(unit, CC + (offset - CAPTURE), 4, count(unit));
    } else if (offset == START && value == 1 && !is->runs) {
        *is = (timer){.runs = true, .base = now - is->held};
    } else if (offset == STOP && value == 1 && is->runs) {
        *is = (timer){.held = now - is->base};
    } else if (offset == CLEAR && value == 1) {
        *is = (timer){.runs = is->runs, .base = now};
    }
}

static void timer_reset(cm_unit *unit)
{
    *(timer *)unit->state = (timer){.runs = false};
    cm_set_register(unit, PRESCALER, 4, 4);
}

const cm_model cm_nrf_timer = {
    .state = sizeof(timer), .reset = timer_reset, .written = timer_written};

/* --- UART, 6.33: as board/uart.h says --------------------------------------------------------- */

enum {
    STARTRX = 0x000,
    STARTTX = 0x008,
    RXDRDY = 0x108,
    TXDRDY = 0x11c,
    INTENSET = 0x304,
    INTENCLR = 0x308,
    ENABLE = 0x500,
    RXD = 0x518,
    TXD = 0x51c,
    ON = 4,
    RXDRDY_BIT = 1 << 2,
    TXDRDY_BIT = 1 << 7
};

typedef struct uart {
    bool receives, sends;
    unsigned polls; /* readings of the event in a row that found nothing */
} uart;

static void show(cm_unit *unit)
{
    const uint32_t asked = cm_register(unit, INTENSET, 4);
    const bool ready = cm_register(unit, RXDRDY, 4) != 0, sent = cm_register(unit, TXDRDY, 4) != 0;
    cm_interrupt(unit, (ready && (asked & RXDRDY_BIT) != 0) || (sent && (asked & TXDRDY_BIT) != 0));
}

static bool uart_listens(const cm_unit *unit)
{
    const uart *line = unit->state;
    return line->receives && (cm_register(unit, INTENSET, 4) & RXDRDY_BIT) != 0;
}

static bool uart_feed(cm_unit *unit, int milliseconds)
{
    uart *line = unit->state;
    if (!line->receives || cm_register(unit, RXDRDY, 4) != 0)
        return false;
    const int byte = cm_console_byte(unit, milliseconds);
    if (byte < 0)
        return false;
    cm_set_register(unit, RXD, 4, (uint32_t)byte);
    cm_set_register(unit, RXDRDY, 4, 1);
    line->polls = 0;
    show(unit);
    return true;
}

static void uart_reset(cm_unit *unit)
{
    *(uart *)unit->state = (uart){.receives = false};
}

static void uart_read(cm_unit *unit, uint32_t offset)
{
    uart *line = unit->state;
    if (offset != RXDRDY || cm_register(unit, RXDRDY, 4) != 0 || ++line->polls <= CM_PATIENT_POLLS)
        return;
    (void)uart_feed(unit, cm_patience(unit->board));
}

static void uart_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    uart *line = unit->state;
    const bool on = (cm_register(unit, ENABLE, 4) & 15) == ON;
    switch (offset) {
    case STARTRX:
        line->receives = on && value == 1;
        break;
    case STARTTX:
        line->sends = on && value == 1;
        break;
    case INTENSET:
        cm_set_register(unit, INTENSET, 4, cm_register(unit, INTENSET, 4) | value);
        break;
    case INTENCLR:
        cm_set_register(unit, INTENSET, 4, cm_register(unit, INTENSET, 4) & ~value);
        break;
    case RXD:
        break;
    case TXD:
        line->polls = 0;
        if (!line->sends)
            break;
        if (unit == unit->board->console_unit)
            unit->board->console.send((uint8_t)value);
        cm_set_register(unit, TXDRDY, 4, 1);
        break;
    default:
        cm_set_register(unit, offset, size, value);
        break;
    }
    show(unit);
}

const cm_model cm_nrf_uart = {
    .state = sizeof(uart),
    .reset = uart_reset,
    .read = uart_read,
    .written = uart_written,
    .listens = uart_listens,
    .feed = uart_feed,
};

/*
 * PL011, data sheet 4.2. A byte is sent in no time; a received byte is there as soon as the program waits for one, and not
 * before: what is timed does not depend on when the outside sends.
 */
#include "rp2040.h"

enum {
    DR = 0x00, FR = 0x18, LCR_H = 0x2c, CR = 0x30, IMSC = 0x38, RIS = 0x3c, MIS = 0x40, ICR = 0x44,
    FR_RXFE = 1 << 4, FR_RXFF = 1 << 6, FR_TXFE = 1 << 7,
    LCR_FEN = 1 << 4,
    CR_ENABLE = 1 << 0, CR_TXE = 1 << 8, CR_RXE = 1 << 9,
    RX = 1 << 4, TX = 1 << 5, TIMEOUT = 1 << 6,
    PATIENT_POLLS = 16 /* readings of the flags in a row that mean the program waits for input */
};

typedef struct uart {
    bool full;
    unsigned polls; /* readings of the flags in a row that found nothing */
} uart;

static bool on(const cm_unit *unit, uint32_t direction)
{
    const uint32_t wanted = CR_ENABLE | direction;
    return (cm_register(unit, CR, 4) & wanted) == wanted;
}

/* With its FIFO on, a single byte is told by the timeout: it does not fill the FIFO to any level. */
static void show(cm_unit *unit)
{
    const uart *line = unit->state;
    const uint32_t told = (cm_register(unit, LCR_H, 4) & LCR_FEN) != 0 ? TIMEOUT : RX;
    const uint32_t raised = (cm_register(unit, RIS, 4) & TX) | (line->full ? told : 0);
    cm_set_register(unit, FR, 4, FR_TXFE | (line->full ? 0 : FR_RXFE));
    cm_set_register(unit, RIS, 4, raised);
    cm_set_register(unit, MIS, 4, raised & cm_register(unit, IMSC, 4));
    cm_interrupt(unit, (raised & cm_register(unit, IMSC, 4)) != 0);
}

static bool uart_listens(const cm_unit *unit)
{
    return on(unit, CR_RXE) && (cm_register(unit, IMSC, 4) & (RX | TIMEOUT)) != 0;
}

static bool uart_feed(cm_unit *unit, int milliseconds)
{
    uart *line = unit->state;
    if (!on(unit, CR_RXE) || line->full)
        return false;
    const int byte = cm_console_byte(unit, milliseconds);
    if (byte < 0)
        return false;
    cm_set_register(unit, DR, 4, (uint32_t)byte);
    *line = (uart){.full = true};
    show(unit);
    return true;
}

static void uart_reset(cm_unit *unit)
{
    *(uart *)unit->state = (uart){.full = false};
    cm_set_register(unit, CR, 4, CR_TXE | CR_RXE);
    show(unit);
}

static void uart_read(cm_unit *unit, uint32_t offset)
{
    uart *line = unit->state;
    if (offset == DR) {
        *line = (uart){.full = false}; /* the byte stays in the register, and is what this reading gets */
    } else if (offset == FR && !line->full && ++line->polls > PATIENT_POLLS) {
        (void)uart_feed(unit, cm_patience(unit->board));
    }
    show(unit);
}

static void uart_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    switch (offset) {
    case DR:
        ((uart *)unit->state)->polls = 0;
        if (!on(unit, CR_TXE))
            break;
        if (unit == unit->board->console_unit)
            unit->board->console.send((uint8_t)value);
        cm_set_register(unit, RIS, 4, cm_register(unit, RIS, 4) | TX);
        break;
    case ICR: cm_set_register(unit, RIS, 4, cm_register(unit, RIS, 4) & ~value); break;
    case FR: case RIS: case MIS: break;
    default: cm_set_register(unit, offset, size, value); break;
    }
    show(unit);
}

const cm_model cm_rp_uart = {
    .state = sizeof(uart), .reset = uart_reset, .read = uart_read, .written = uart_written,
    .listens = uart_listens, .feed = uart_feed,
};

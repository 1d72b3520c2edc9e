/* PL011, data sheet 4.2. */
#include "../board/uart.h"
#include "raspberrypi.h"
#include "rp2040.h"

enum { LCR_FEN = 1 << 4, CR_ENABLE = 1 << 0, CR_TXE = 1 << 8, CR_RXE = 1 << 9 };

static bool on(const cm_unit *unit, uint32_t direction)
{
    const uint32_t wanted = CR_ENABLE | direction;
    return (cm_register(unit, SIM_UART_CR, 4) & wanted) == wanted;
}

/* With its FIFO on, a single byte is told by the timeout: it does not fill the FIFO to any
 * level. */
static void show(cm_unit *unit)
{
    const cm_uart *line = unit->state;
    const bool fifo = (cm_register(unit, SIM_UART_LCR_H, 4) & LCR_FEN) != 0;
    const uint32_t received = !line->full ? 0 : fifo ? SIM_UART_TIMEOUT : SIM_UART_RX;
    const uint32_t raised = (cm_register(unit, SIM_UART_RIS, 4) & SIM_UART_TX) | received;
    cm_interrupt(unit, sim_rp_uart_show(unit->registers, line->full, raised));
}

static bool uart_listens(const cm_unit *unit)
{
    return on(unit, CR_RXE) && sim_rp_uart_listens(unit->registers);
}

static bool uart_feed(cm_unit *unit, int milliseconds)
{
    if (!on(unit, CR_RXE) || !cm_uart_receive(unit, SIM_UART_DR, 4, milliseconds))
        return false;
    show(unit);
    return true;
}

static void uart_reset(cm_unit *unit)
{
    *(cm_uart *)unit->state = (cm_uart){.full = false};
    cm_set_register(unit, SIM_UART_CR, 4, CR_TXE | CR_RXE);
    show(unit);
}

static void uart_read(cm_unit *unit, uint32_t offset)
{
    if (offset == SIM_UART_DR)
        cm_uart_taken(unit);
    else if (offset == SIM_UART_FR && cm_uart_polled(unit))
        (void)uart_feed(unit, cm_patience(unit->board));
    show(unit);
}

static void uart_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    switch (offset) {
    case SIM_UART_DR:
        cm_uart_send(unit, on(unit, CR_TXE), value);
        if (on(unit, CR_TXE))
            cm_set_register(unit, SIM_UART_RIS, 4,
                            cm_register(unit, SIM_UART_RIS, 4) | SIM_UART_TX);
        break;
    case SIM_UART_ICR:
        cm_set_register(unit, SIM_UART_RIS, 4, cm_register(unit, SIM_UART_RIS, 4) & ~value);
        break;
    case SIM_UART_FR:
    case SIM_UART_RIS:
    case SIM_UART_MIS:
        break;
    default:
        cm_set_register(unit, offset, size, value);
        break;
    }
    show(unit);
}

const cm_model cm_rp_uart = {
    .state = sizeof(cm_uart),
    .reset = uart_reset,
    .read = uart_read,
    .written = uart_written,
    .listens = uart_listens,
    .feed = uart_feed,
};

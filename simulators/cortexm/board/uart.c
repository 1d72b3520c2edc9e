#include "uart.h"

bool cm_uart_receive(cm_unit *unit, uint32_t data, unsigned size, int milliseconds)
{
    cm_uart *line = unit->state;
    const int byte = line->full ? SIM_NOTHING : cm_console_byte(unit, milliseconds);
    if (byte < 0)
        return false;
    cm_set_register(unit, data, size, (uint32_t)byte);
    *line = (cm_uart){.full = true};
    return true;
}

void cm_uart_taken(cm_unit *unit)
{
    *(cm_uart *)unit->state = (cm_uart){.full = false};
}

bool cm_uart_polled(cm_unit *unit)
{
    cm_uart *line = unit->state;
    return !line->full && ++line->polls > CM_PATIENT_POLLS;
}

void cm_uart_send(cm_unit *unit, bool sends, uint32_t byte)
{
    ((cm_uart *)unit->state)->polls = 0;
    if (sends && unit == unit->board->console_unit)
        unit->board->console.send((uint8_t)byte);
}

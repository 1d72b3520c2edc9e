/* SERCOM as USART, data sheet chapters 25 and 26. */
#include "../board/uart.h"
#include "samd21.h"

enum {
    CTRLA = 0x00,
    CTRLB = 0x04,
    INTENCLR = 0x14,
    INTENSET = 0x16,
    INTFLAG = 0x18,
    STATUS = 0x1a,
    SYNCBUSY = 0x1c,
    DATA = 0x28,
    SWRST = 1,
    ENABLE = 2,
    TXEN = 1, /* in byte 2 of CTRLB, like the next */
    RXEN = 2,
    DRE = 1,
    TXC = 2,
    RXC = 4
};

static bool sends(const cm_unit *unit)
{
    return (unit->registers[CTRLA] & ENABLE) != 0 && (unit->registers[CTRLB + 2] & TXEN) != 0;
}

static bool receives(const cm_unit *unit)
{
    return (unit->registers[CTRLA] & ENABLE) != 0 && (unit->registers[CTRLB + 2] & RXEN) != 0;
}

static void show(cm_unit *unit)
{
    const cm_uart *line = unit->state;
    uint8_t flags = unit->registers[INTFLAG] & TXC;
    flags |= sends(unit) ? DRE : 0;
    flags |= line->full ? RXC : 0;
    unit->registers[INTFLAG] = flags;
    cm_interrupt(unit, flags & unit->registers[INTENSET]);
}

static bool sercom_listens(const cm_unit *unit)
{
    return receives(unit) && (unit->registers[INTENSET] & RXC) != 0;
}

static bool sercom_feed(cm_unit *unit, int milliseconds)
{
    if (!receives(unit) || !cm_uart_receive(unit, DATA, 1, milliseconds))
        return false;
    show(unit);
    return true;
}

static void sercom_reset(cm_unit *unit)
{
    for (unsigned i = 0; i < unit->is->size; i++)
        unit->registers[i] = 0;
    *(cm_uart *)unit->state = (cm_uart){.full = false};
    show(unit);
}

static void sercom_read(cm_unit *unit, uint32_t offset)
{
    if (offset == DATA)
        cm_uart_taken(unit);
    else if (offset == INTFLAG && cm_uart_polled(unit))
        (void)sercom_feed(unit, cm_patience(unit->board));
    show(unit);
}

static void sercom_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    switch (offset) {
    case CTRLA:
        if ((value & SWRST) != 0) {
            sercom_reset(unit);
            return;
        }
        cm_set_register(unit, offset, size, value);
        break;
    case INTENCLR:
        unit->registers[INTENSET] &= (uint8_t)~value;
        break;
    case INTENSET:
        unit->registers[INTENSET] |= (uint8_t)value;
        break;
    case INTFLAG:
        unit->registers[INTFLAG] &= (uint8_t)~value;
        break;
    case STATUS:
    case SYNCBUSY:
        break;
    case DATA:
        cm_uart_send(unit, sends(unit), value);
        unit->registers[INTFLAG] |= sends(unit) ? TXC : 0;
        break;
    default:
        cm_set_register(unit, offset, size, value);
        break;
    }
    unit->registers[INTENCLR] = unit->registers[INTENSET];
    show(unit);
}

const cm_model cm_sercom = {
    .state = sizeof(cm_uart),
    .reset = sercom_reset,
    .read = sercom_read,
    .written = sercom_written,
    .listens = sercom_listens,
    .feed = sercom_feed,
};

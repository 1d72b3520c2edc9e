/*
 * SERCOM as USART, data sheet chapters 25 and 26. A byte is sent in no time; a received byte is there as soon as the
 * program waits for one, and not before: what is timed does not depend on when the outside sends.
 */
#include "samd21.h"

enum {
    CTRLA = 0x00, CTRLB = 0x04, INTENCLR = 0x14, INTENSET = 0x16, INTFLAG = 0x18, STATUS = 0x1a, SYNCBUSY = 0x1c,
    DATA = 0x28,
    SWRST = 1, ENABLE = 2, TXEN = 1, RXEN = 2, /* the latter two in byte 2 of CTRLB */
    DRE = 1, TXC = 2, RXC = 4,
    PATIENT_POLLS = 16 /* readings of the flags in a row that mean the program waits for input */
};

typedef struct usart {
    bool full;
    unsigned polls; /* readings of the flags in a row that found nothing */
} usart;

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
    const usart *line = unit->state;
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
    usart *line = unit->state;
    if (!receives(unit) || line->full)
        return false;
    const int byte = cm_console_byte(unit, milliseconds);
    if (byte < 0)
        return false;
    unit->registers[DATA] = (uint8_t)byte;
    *line = (usart){.full = true};
    show(unit);
    return true;
}

static void sercom_reset(cm_unit *unit)
{
    for (unsigned i = 0; i < unit->is->size; i++)
        unit->registers[i] = 0;
    *(usart *)unit->state = (usart){.full = false};
    show(unit);
}

static void sercom_read(cm_unit *unit, uint32_t offset)
{
    usart *line = unit->state;
    if (offset == DATA) {
        *line = (usart){.full = false}; /* the byte stays in the register, and is what this reading gets */
    } else if (offset == INTFLAG && !line->full && ++line->polls > PATIENT_POLLS) {
        (void)sercom_feed(unit, cm_patience(unit->board));
    }
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
    case STATUS: case SYNCBUSY:
        break;
    case DATA:
        ((usart *)unit->state)->polls = 0;
        if (!sends(unit))
            break;
        if (unit == unit->board->console_unit)
            unit->board->console.send((uint8_t)value);
        unit->registers[INTFLAG] |= TXC;
        break;
    default:
        cm_set_register(unit, offset, size, value);
        break;
    }
    unit->registers[INTENCLR] = unit->registers[INTENSET];
    show(unit);
}

const cm_model cm_sercom = {
    .state = sizeof(usart), .reset = sercom_reset, .read = sercom_read, .written = sercom_written,
    .listens = sercom_listens, .feed = sercom_feed,
};

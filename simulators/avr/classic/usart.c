/* USART of AVRe+ parts: Microchip DS40002061, chapter 20; Atmel 2549, chapter 22. */
#include "../board/line.h"

enum { STATUS, CONTROL_B, CONTROL_C, BAUD_LOW = 4, BAUD_HIGH = 5, DATA = 6 };
enum { U2X = 2, RXEN = 0x10, BITS = 10 };

typedef struct usart {
    av_line line;
    uint8_t status, control, frame; /* status: only U2X */
    uint16_t baud;
} usart;

static uint64_t event(av_unit *unit, uint64_t now)
{
    usart *u = unit->state;
    return av_usart_event(unit, &u->line, u->control, now);
}

static void accepted(av_unit *unit, unsigned vector)
{
    usart *u = unit->state;
    if (vector == unit->is->vectors[2])
        u->line.sent = false;
}

static uint8_t read(av_unit *unit, uint16_t address)
{
    usart *u = unit->state;
    const uint64_t now = unit->board->core.cycles;
    event(unit, now);
    switch (address - unit->is->base) {
    case STATUS:
        return av_line_flags(&u->line, now) | u->status;
    case CONTROL_B:
        return u->control;
    case CONTROL_C:
        return u->frame;
    case BAUD_LOW:
        return (uint8_t)u->baud;
    case BAUD_HIGH:
        return (uint8_t)(u->baud >> 8);
    case DATA: {
        const uint8_t byte = av_line_take(&u->line);
        event(unit, now);
        return byte;
    }
    default:
        return 0;
    }
}

static void write(av_unit *unit, uint16_t address, uint8_t value)
{
    usart *u = unit->state;
    const uint64_t now = unit->board->core.cycles;
    switch (address - unit->is->base) {
    case STATUS:
        if (value & AV_SENT)
            u->line.sent = false;
        u->status = value & U2X;
        break;
    case CONTROL_B:
        u->control = value;
        break;
    case CONTROL_C:
        u->frame = value;
        break;
    case BAUD_LOW:
        u->baud = (uint16_t)((u->baud & 0xff00u) | value);
        break;
    case BAUD_HIGH:
        u->baud = (uint16_t)((u->baud & 0xffu) | (value & 15u) << 8);
        break;
    case DATA:
        av_line_send(&u->line, unit->board, now, value);
        break;
    default:
        break;
    }
    u->line.frame = (u->baud + 1u) * (u->status & U2X ? 8u : 16u) * BITS;
    u->line.receives = (u->control & RXEN) != 0;
}

const av_model av_usart_model = {
    .state = sizeof(usart), .read = read, .write = write, .event = event, .accepted = accepted};

/* USART of AVRxt parts: Microchip DS40002015 (megaAVR 0-series), chapter on the USART.
 * Asynchronous. */
#include "../board/line.h"

enum { RXDATAL, RXDATAH, TXDATAL, TXDATAH, STATUS, CTRLA, CTRLB, CTRLC, BAUDL, BAUDH };
enum { RXEN = 0x80, RXMODE = 6, CLK2X = 2, BITS = 10 };

typedef struct usart {
    av_line line;
    uint8_t control_a, control_b, frame, low;
    uint16_t baud;
} usart;

static uint64_t event(av_unit *unit, uint64_t now)
{
    usart *u = unit->state;
    return av_usart_event(unit, &u->line, u->control_a, now);
}

static uint8_t read(av_unit *unit, uint16_t address)
{
    usart *u = unit->state;
    const uint64_t now = unit->board->core.cycles;
    event(unit, now);
    switch (address - unit->is->base) {
    case RXDATAL: {
        const uint8_t byte = av_line_take(&u->line);
        event(unit, now);
        return byte;
    }
    case RXDATAH:
        return u->line.waiting != 0 ? AV_RECEIVED : 0;
    case STATUS:
        return av_line_flags(&u->line, now);
    case CTRLA:
        return u->control_a;
    case CTRLB:
        return u->control_b;
    case CTRLC:
        return u->frame;
    case BAUDL:
        return (uint8_t)u->baud;
    case BAUDH:
        return (uint8_t)(u->baud >> 8);
    default:
        return 0;
    }
}

static void write(av_unit *unit, uint16_t address, uint8_t value)
{
    usart *u = unit->state;
    switch (address - unit->is->base) {
    case TXDATAL:
        av_line_send(&u->line, unit->board, unit->board->core.cycles, value);
        break;
    case STATUS:
        if (value & AV_SENT)
            u->line.sent = false;
        break;
    case CTRLA:
        u->control_a = value;
        break;
    case CTRLB:
        u->control_b = value;
        break;
    case CTRLC:
        u->frame = value;
        break;
    case BAUDL:
        u->baud = (uint16_t)((u->baud & 0xff00u) | value);
        break;
    case BAUDH:
        u->baud = (uint16_t)((u->baud & 0xffu) | (unsigned)value << 8);
        break;
    default:
        break;
    }
    /* The register has 64ths of a sample; a bit has 16 samples, or 8. */
    u->line.frame = (uint32_t)u->baud * ((u->control_b & RXMODE) == CLK2X ? 8u : 16u) * BITS / 64;
    u->line.receives = (u->control_b & RXEN) != 0;
}

const av_model av_usart_xt_model = {
    .state = sizeof(usart), .read = read, .write = write, .event = event};

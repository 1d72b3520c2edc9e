/* USART of AVRxt parts: Microchip DS40002015 (megaAVR 0-series), chapter on the USART. Asynchronous. */
#include "../board/line.h"

enum { RXDATAL, RXDATAH, TXDATAL, TXDATAH, STATUS, CTRLA, CTRLB, CTRLC, BAUDL, BAUDH };
enum { RXCIF = 0x80, TXCIF = 0x40, DREIF = 0x20, RXEN = 0x80, RXMODE = 6, CLK2X = 2, BITS = 10 };

typedef struct usart {
    av_line line;
    uint8_t control_a, control_b, frame, low;
    uint16_t baud;
} usart;

static uint8_t flags(av_unit *unit, uint64_t now)
{
    const usart *u = unit->state;
    return (uint8_t)((u->line.waiting != 0 ? RXCIF : 0) | (u->line.sent ? TXCIF : 0) |
                     (av_line_ready(&u->line, now) ? DREIF : 0));
}

static uint64_t event(av_unit *unit, uint64_t now)
{
    usart *u = unit->state;
    const uint64_t next = av_line_event(&u->line, unit->board, now);
    const unsigned raised = flags(unit, now) & u->control_a;
    av_raise(unit, unit->is->vectors[0], raised & RXCIF);
    av_raise(unit, unit->is->vectors[1], raised & DREIF);
    av_raise(unit, unit->is->vectors[2], raised & TXCIF);
    return next;
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
    case RXDATAH: return u->line.waiting != 0 ? RXCIF : 0;
    case STATUS: return flags(unit, now);
    case CTRLA: return u->control_a;
    case CTRLB: return u->control_b;
    case CTRLC: return u->frame;
    case BAUDL: return (uint8_t)u->baud;
    case BAUDH: return (uint8_t)(u->baud >> 8);
    default: return 0;
    }
}

static void write(av_unit *unit, uint16_t address, uint8_t value)
{
    usart *u = unit->state;
    switch (address - unit->is->base) {
    case TXDATAL: av_line_send(&u->line, unit->board, unit->board->core.cycles, value); break;
    case STATUS:
        if (value & TXCIF)
            u->line.sent = false;
        break;
    case CTRLA: u->control_a = value; break;
    case CTRLB: u->control_b = value; break;
    case CTRLC: u->frame = value; break;
    case BAUDL: u->baud = (uint16_t)((u->baud & 0xff00u) | value); break;
    case BAUDH: u->baud = (uint16_t)((u->baud & 0xffu) | (unsigned)value << 8); break;
    default: break;
    }
    /* The register has 64ths of a sample; a bit has 16 samples, or 8. */
    u->line.frame = (uint32_t)u->baud * ((u->control_b & RXMODE) == CLK2X ? 8u : 16u) * BITS / 64;
    u->line.receives = (u->control_b & RXEN) != 0;
}

const av_model av_usart_xt_model = {.state = sizeof(usart), .read = read, .write = write, .event = event};

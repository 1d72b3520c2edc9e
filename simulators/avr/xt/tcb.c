/*
 * Timer B of AVRxt parts in the mode of periodic interrupts: Microchip DS40002015 (megaAVR
 * 0-series), chapter on TCB. In the other modes, which need events or pins, it counts in the same
 * way and flags nothing else.
 */
#include "timers.h"

enum {
    CTRLA,
    CTRLB,
    EVCTRL = 4,
    INTCTRL = 5,
    INTFLAGS = 6,
    STATUS = 7,
    TEMP = 9,
    CNTL,
    CNTH,
    CCMPL,
    CCMPH
};
enum { ENABLE = 1, CAPT = 1 };

typedef struct tcb {
    av_tap own;
    av_counter counter;
    uint8_t control_a, control_b, interrupts, flags, high;
} tcb;

static const av_tap *tap_of(av_unit *unit)
{
    static const av_tap still = {.divisor = 0};
    tcb *t = unit->state;
    av_unit *const tca = av_unit_of(unit->board, &av_tca_model);
    if ((t->control_a & ENABLE) == 0)
        return &still;
    return (t->control_a >> 1 & 3) == 2 && tca != NULL
               ? &((const av_tca *)tca->state)->tap
               : &t->own;
}

static void bring(av_unit *unit, uint64_t now)
{
    tcb *t = unit->state;
    if ((t->control_a & ENABLE) != 0 &&
        (av_counter_advance(&t->counter, av_tap_ticks(tap_of(unit), now)) &
         (AV_AT_TOP | AV_MATCH)) != 0)
        t->flags |= CAPT;
}

void av_tcb_bring_all(av_board *board, uint64_t now)
{
    for (size_t i = 0; i < board->part->count; i++) {
        if (board->units[i].is->model == &av_tcb_model)
            bring(&board->units[i], now);
    }
}

/* The flag rises when the counter reaches top. */
static uint64_t event(av_unit *unit, uint64_t now)
{
    tcb *t = unit->state;
    bring(unit, now);
    av_raise(unit, unit->is->vectors[0], t->flags & t->interrupts & CAPT);
    if ((t->interrupts & CAPT) == 0 || (t->flags & CAPT) != 0 || (t->control_a & ENABLE) == 0)
        return AV_NEVER;
    const uint64_t ticks = av_counter_until(&t->counter, t->counter.top);
    return ticks != 0 ? av_tap_cycle(tap_of(unit), t->counter.ticks + ticks) : AV_NEVER;
}

static uint8_t read(av_unit *unit, uint16_t address)
{
    tcb *t = unit->state;
    bring(unit, unit->board->core.cycles);
    switch (address - unit->is->base) {
    case CTRLA:
        return t->control_a;
    case CTRLB:
        return t->control_b;
    case INTCTRL:
        return t->interrupts;
    case INTFLAGS:
        return t->flags;
    case STATUS:
        return t->control_a & ENABLE;
    case TEMP:
    case CNTH:
        return t->high;
    case CNTL:
        t->high = (uint8_t)(t->counter.count >> 8);
        return (uint8_t)t->counter.count;
    case CCMPL:
        t->high = (uint8_t)(t->counter.top >> 8);
        return (uint8_t)t->counter.top;
    case CCMPH:
        return t->high;
    default:
        return unit->board->core.data[address];
    }
}

static void write(av_unit *unit, uint16_t address, uint8_t value)
{
    tcb *t = unit->state;
    const uint64_t now = unit->board->core.cycles;
    bring(unit, now);
    switch (address - unit->is->base) {
    case CTRLA:
        t->control_a = value;
        av_tap_set(&t->own, now, (value >> 1 & 3) == 1 ? 2 : 1);
        t->counter.ticks = av_tap_ticks(tap_of(unit), now);
        break;
    case CTRLB:
        t->control_b = value;
        break;
    case INTCTRL:
        t->interrupts = value;
        break;
    case INTFLAGS:
        t->flags &= (uint8_t)~value;
        break;
    case TEMP:
    case CNTL:
    case CCMPL:
        t->high = value;
        break;
    case CNTH:
        t->counter.count = (uint32_t)value << 8 | t->high;
        break;
    case CCMPH:
        t->counter.top = t->counter.compare[0] = (uint32_t)value << 8 | t->high;
        break;
    default:
        unit->board->core.data[address] = value;
        break;
    }
}

static void reset(av_unit *unit)
{
    tcb *t = unit->state;
    t->counter.max = 0xffff;
}

const av_model av_tcb_model = {
    .state = sizeof(tcb), .reset = reset, .read = read, .write = write, .event = event};

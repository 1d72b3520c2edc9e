/*
 * Timer A of AVRxt parts as one timer of 16 bits: Microchip DS40002015 (megaAVR 0-series), chapter
 * on TCA. It counts up, which the modes have in common that do not count both ways; split mode and
 * events are not modelled.
 */
#include "timers.h"

enum {
    CTRLA,
    CTRLB,
    CTRLC,
    CTRLD,
    CTRLECLR,
    CTRLESET,
    INTCTRL = 10,
    INTFLAGS = 11,
    TEMP = 15,
    CNT = 0x20,
    PER = 0x26,
    CMP0 = 0x28,
    CMP2_END = 0x2e
};
enum { ENABLE = 1, OVF = 1, CMP_SHIFT = 4 };

static void bring(av_unit *unit, uint64_t now)
{
    av_tca *t = unit->state;
    const unsigned passed = av_counter_advance(&t->counter, av_tap_ticks(&t->tap, now));
    t->flags |= (uint8_t)((passed & 7) << CMP_SHIFT);
    if (passed & (AV_AT_TOP | AV_AT_MAX))
        t->flags |= OVF;
}

static void lines(av_unit *unit)
{
    const av_tca *t = unit->state;
    const unsigned raised = t->flags & t->interrupts;
    av_raise(unit, unit->is->vectors[0], raised & OVF);
    for (unsigned i = 0; i < AV_COMPARES; i++)
        av_raise(unit, unit->is->vectors[1 + i], raised >> (CMP_SHIFT + i) & 1);
}

static uint64_t event(av_unit *unit, uint64_t now)
{
    av_tca *t = unit->state;
    uint64_t next = AV_NEVER;
    bring(unit, now);
    lines(unit);
    for (unsigned i = 0; i <= AV_COMPARES; i++) {
        const unsigned bit = i == 0 ? 0 : CMP_SHIFT + i - 1;
        if ((t->interrupts >> bit & 1) == 0 || (t->flags >> bit & 1) != 0)
            continue;
        const uint64_t at = av_counter_cycle(&t->counter, &t->tap, i);
        next = at < next ? at : next;
    }
    return next;
}

static uint32_t *wide(av_tca *t, unsigned offset)
{
    if (offset >= CNT && offset < CNT + 2)
        return &t->counter.count;
    if (offset >= PER && offset < PER + 2)
        return &t->counter.top;
    return offset >= CMP0 && offset < CMP2_END ? &t->counter.compare[(offset - CMP0) / 2] : NULL;
}

static uint8_t read(av_unit *unit, uint16_t address)
{
    av_tca *t = unit->state;
    const unsigned offset = (unsigned)address - unit->is->base;
    bring(unit, unit->board->core.cycles);
    const uint32_t *const value = wide(t, offset);
    if (value != NULL && (offset & 1) == 0)
        t->high = (uint8_t)(*value >> 8);
    if (value != NULL)
        return offset & 1 ? t->high : (uint8_t)*value;
    switch (offset) {
    case CTRLA:
        return t->control;
    case CTRLB:
        return t->compare_control;
    case INTCTRL:
        return t->interrupts;
    case INTFLAGS:
        return t->flags;
    case TEMP:
        return t->high;
    default:
        return unit->board->core.data[address];
    }
}

static void write(av_unit *unit, uint16_t address, uint8_t value)
{
    static const uint16_t divisors[8] = {1, 2, 4, 8, 16, 64, 256, 1024};
    av_tca *t = unit->state;
    const unsigned offset = (unsigned)address - unit->is->base;
    const uint64_t now = unit->board->core.cycles;
    bring(unit, now);
    uint32_t *const to = wide(t, offset);
    if (to != NULL && (offset & 1) == 0)
        t->high = value;
    else if (to != NULL)
        *to = (uint32_t)value << 8 | t->high;
    else if (offset == CTRLA) {
        av_tcb_bring_all(unit->board, now);
        t->control = value;
        av_tap_set(&t->tap, now, value & ENABLE ? divisors[value >> 1 & 7] : 0);
    } else if (offset == CTRLB)
        t->compare_control = value;
    else if (offset == INTCTRL)
        t->interrupts = value;
    else if (offset == INTFLAGS)
        t->flags &= (uint8_t)~value;
    else if (offset == TEMP)
        t->high = value;
    else
        unit->board->core.data[address] = value;
}

static void reset(av_unit *unit)
{
    av_tca *t = unit->state;
    t->counter.top = t->counter.max = 0xffff;
}

const av_model av_tca_model = {
    .state = sizeof(av_tca), .reset = reset, .read = read, .write = write, .event = event};

/*
 * TC, data sheet chapter 30: counts up at the core's clock divided by the prescaler (its generic
 * clock is taken to be that of the core), to the top of its width or to CC0. Registers are always
 * synchronised.
 */
#include "samd21.h"

enum {
    CTRLA = 0x00,
    READREQ = 0x02,
    CTRLBCLR = 0x04,
    CTRLBSET = 0x05,
    INTENCLR = 0x0c,
    INTENSET = 0x0d,
    INTFLAG = 0x0e,
    STATUS = 0x0f,
    COUNT = 0x10,
    CC0 = 0x18,
    SWRST = 1,
    ENABLE = 2,
    STOPPED = 8,
    OVF = 1,
    MC0 = 0x10,
    SYNCRDY = 8,
    MATCH = 1,
    RETRIGGER = 1,
    STOP = 2,
    ONESHOT = 4
};

typedef struct timer {
    uint64_t base;  /* cycle at which the counter held `value` */
    uint32_t value; /* also while it stands */
} timer;

static timer *timer_of(const cm_unit *unit)
{
    return unit->state;
}

static unsigned width(const cm_unit *unit) /* in bytes */
{
    static const uint8_t widths[4] = {2, 1, 4, 2};
    return widths[unit->registers[CTRLA] >> 2 & 3];
}

static unsigned compare_offset(const cm_unit *unit, unsigned channel)
{
    return CC0 + channel * width(unit);
}

static uint64_t top(const cm_unit *unit)
{
    if ((unit->registers[CTRLA] >> 5 & 3) == MATCH)
        return cm_register(unit, compare_offset(unit, 0), width(unit));
    return (1ull << 8 * width(unit)) - 1;
}

static unsigned shift(const cm_unit *unit)
{
    static const uint8_t shifts[8] = {0, 1, 2, 3, 4, 6, 8, 10};
    return shifts[unit->registers[CTRLA + 1] & 7];
}

static bool counts(const cm_unit *unit)
{
    return (unit->registers[CTRLA] & ENABLE) != 0 && (unit->registers[STATUS] & STOPPED) == 0;
}

/* Cycles until the counter, at `value` now, has been at `at` and goes on: it stays there for one
 * tick. */
static uint64_t until(const cm_unit *unit, uint64_t at)
{
    const uint64_t round = top(unit) + 1, value = timer_of(unit)->value;
    return ((at >= value ? at - value : at + round - value) + 1) << shift(unit);
}

/* The count at this cycle, and the flags of what happened since the last time. */
static void update(cm_unit *unit)
{
    timer *const counter = timer_of(unit);
    const uint64_t now = unit->board->core.cycles, round = top(unit) + 1;
    if (counts(unit)) {
        const uint64_t ticks = (now - counter->base) >> shift(unit);
        const uint64_t compare = cm_register(unit, compare_offset(unit, 0), width(unit));
        if (now >= counter->base + until(unit, round - 1))
            unit->registers[INTFLAG] |= OVF;
        if (compare < round && now >= counter->base + until(unit, compare))
            unit->registers[INTFLAG] |= MC0;
        if ((unit->registers[INTFLAG] & OVF) != 0 && (unit->registers[CTRLBSET] & ONESHOT) != 0) {
            unit->registers[STATUS] |= STOPPED;
            counter->value = 0;
        } else {
            counter->value = (uint32_t)((counter->value + ticks) % round);
        }
        counter->base += ticks << shift(unit);
    } else {
        counter->base = now;
    }
    unit->registers[INTFLAG] |= SYNCRDY;
    cm_set_register(unit, COUNT, width(unit), counter->value);
    cm_interrupt(unit, unit->registers[INTFLAG] & unit->registers[INTENSET]);
}

static void tc_read(cm_unit *unit, uint32_t offset)
{
    (void)offset;
    update(unit);
}

static uint64_t tc_event(cm_unit *unit, uint64_t now)
{
    const uint8_t wanted = unit->registers[INTENSET] & (OVF | MC0);
    if (wanted == 0 || !counts(unit))
        return UINT64_MAX;
    (void)now;
    update(unit);
    if (!counts(unit))
        return UINT64_MAX;
    const uint64_t compare = cm_register(unit, compare_offset(unit, 0), width(unit));
    uint64_t next = UINT64_MAX;
    if ((wanted & OVF) != 0)
        next = timer_of(unit)->base + until(unit, top(unit));
    if ((wanted & MC0) != 0 && compare <= top(unit) &&
        timer_of(unit)->base + until(unit, compare) < next)
        next = timer_of(unit)->base + until(unit, compare);
    return next;
}

static void tc_reset(cm_unit *unit)
{
    for (unsigned i = 0; i < unit->is->size; i++)
        unit->registers[i] = 0;
    *timer_of(unit) = (timer){.base = unit->board->core.cycles};
    unit->registers[STATUS] = STOPPED;
    update(unit);
}

static void command(cm_unit *unit, uint32_t value)
{
    if ((value >> 6 & 3) == RETRIGGER) {
        timer_of(unit)->value = 0;
        timer_of(unit)->base = unit->board->core.cycles;
        unit->registers[STATUS] &= (uint8_t)~STOPPED;
    } else if ((value >> 6 & 3) == STOP) {
        unit->registers[STATUS] |= STOPPED;
    }
    unit->registers[CTRLBSET] |= (uint8_t)(value & 5);
}

static void tc_written(cm_unit *unit, uint32_t offset, unsigned size, uint32_t value)
{
    update(unit);
    switch (offset) {
    case CTRLA:
        if ((value & SWRST) != 0) {
            tc_reset(unit);
            return;
        }
        if ((value & ENABLE) != 0 && (unit->registers[CTRLA] & ENABLE) == 0)
            unit->registers[STATUS] &= (uint8_t)~STOPPED;
        cm_set_register(unit, offset, size, value);
        timer_of(unit)->base = unit->board->core.cycles;
        break;
    case CTRLBCLR:
        unit->registers[CTRLBSET] &= (uint8_t)~value;
        break;
    case CTRLBSET:
        command(unit, value);
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
    case READREQ:
        break;
    case COUNT:
        cm_set_register(unit, offset, size, value);
        timer_of(unit)->value = cm_register(unit, COUNT, width(unit));
        timer_of(unit)->base = unit->board->core.cycles;
        break;
    default:
        cm_set_register(unit, offset, size, value);
        break;
    }
    unit->registers[CTRLBCLR] = unit->registers[CTRLBSET];
    unit->registers[INTENCLR] = unit->registers[INTENSET];
    update(unit);
}

const cm_model cm_tc = {
    .state = sizeof(timer),
    .reset = tc_reset,
    .read = tc_read,
    .written = tc_written,
    .event = tc_event,
};

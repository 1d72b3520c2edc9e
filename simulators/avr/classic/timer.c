/*
 * Timers and prescalers of AVRe+ parts: Microchip DS40002061 (ATmega328P) and Atmel 2549
 * (ATmega2560), chapters on 8-bit and 16-bit timers. Normal mode, CTC and the fast modes, which
 * count up alike; in modes that count up and down the timer stands still.
 */
#include "../board/board.h"
#include "../board/counter.h"

enum { TOV = 1, OCFA = 2, GTCCR = 0x43, TSM = 0x80, PSRASY = 2, PSRSYNC = 1, STATES = 3 };
/* Registers of 16-bit timers, from the base on; the 8-bit ones have control A and B, the count,
 * compare A and B. */
enum {
    CONTROL_A,
    CONTROL_B,
    CONTROL_C,
    COUNT = 4,
    CAPTURE = 6,
    COMPARE = 8,
    END16 = 14,
    COUNT8 = 2,
    COMPARE8 = 3
};

typedef struct timer {
    av_counter counter;
    av_tap tap;
    /* high: the register that 16 bits are read and written by */
    uint8_t control_a, control_b, mask, flags, high;
    uint16_t capture;
} timer;

typedef struct prescaler {
    /* of the timers that run with the core's clock; of the one that can do otherwise */
    uint64_t origin[2];
    uint8_t control;
} prescaler;

/* Timer 2 has more taps, and a reset of its own. */
static bool asynchronous(const av_unit *unit)
{
    return unit->is->base == 0xb0;
}

static prescaler *prescaler_of(av_unit *unit)
{
    return av_unit_of(unit->board, &av_prescaler_model)->state;
}

static bool held(av_unit *unit)
{
    const uint8_t control = prescaler_of(unit)->control;
    return (control & TSM) != 0 && (control & (asynchronous(unit) ? PSRASY : PSRSYNC)) != 0;
}

static uint32_t divisor(av_unit *unit)
{
    static const uint16_t plain[8] = {0, 1, 8, 64, 256, 1024, 0, 0},
                          more[8] = {0, 1, 8, 32, 64, 128, 256, 1024};
    const timer *t = unit->state;
    const uint32_t chosen = (asynchronous(unit) ? more : plain)[t->control_b & 7];
    return chosen > 1 && held(unit) ? 0 : chosen;
}

static unsigned mode(const av_unit *unit)
{
    const timer *t = unit->state;
    return unit->is->bits == 16 ? (t->control_a & 3u) | (t->control_b >> 1 & 12u)
                                : (t->control_a & 3u) | (t->control_b >> 1 & 4u);
}

static void set_top(av_unit *unit)
{
    timer *t = unit->state;
    const unsigned now = mode(unit);
    t->counter.max = unit->is->bits == 16 ? 0xffff : 0xff;
    t->counter.top = t->counter.max;
    if (unit->is->bits == 16) {
        if (now == 4 || now == 15)
            t->counter.top = t->counter.compare[0];
        else if (now == 12 || now == 14)
            t->counter.top = t->capture;
        else if (now >= 5 && now <= 7)
            t->counter.top = (1u << (now + 3)) - 1; /* 8, 9 and 10 bits */
    } else if (now == 2 || now == 7) {
        t->counter.top = t->counter.compare[0];
    }
}

/* CTC flags an overflow only behind the highest value, the fast modes behind top. */
static void bring(av_unit *unit, uint64_t now)
{
    timer *t = unit->state;
    const unsigned passed = av_counter_advance(&t->counter, av_tap_ticks(&t->tap, now)),
                   which = mode(unit);
    const bool ctc = unit->is->bits == 16 ? which == 4 || which == 12 : which == 2;
    t->flags |= (uint8_t)((passed & 7) * OCFA);
    if (passed & (ctc ? AV_AT_MAX : AV_AT_TOP | AV_AT_MAX))
        t->flags |= TOV;
}

static void retap(av_unit *unit, uint64_t now)
{
    timer *t = unit->state;
    const uint32_t chosen = divisor(unit);
    t->tap = (av_tap){.origin = chosen > 1 ? prescaler_of(unit)->origin[asynchronous(unit)] : now,
                      .divisor = chosen};
    t->counter.ticks = av_tap_ticks(&t->tap, now);
}

static void lines(av_unit *unit)
{
    const timer *t = unit->state;
    for (unsigned i = 0; i < sizeof unit->is->vectors; i++)
        av_raise(unit, unit->is->vectors[i], (t->flags & t->mask) >> i & 1);
}

static uint64_t event(av_unit *unit, uint64_t now)
{
    timer *t = unit->state;
    uint64_t next = AV_NEVER;
    bring(unit, now);
    lines(unit);
    for (unsigned i = 0; i < sizeof unit->is->vectors; i++) {
        if ((t->mask >> i & 1) == 0 || (t->flags >> i & 1) != 0)
            continue;
        const uint64_t at = av_counter_cycle(&t->counter, &t->tap, i);
        next = at < next ? at : next;
    }
    return next;
}

static void accepted(av_unit *unit, unsigned vector)
{
    timer *t = unit->state;
    for (unsigned i = 0; i < sizeof unit->is->vectors; i++) {
        if (unit->is->vectors[i] == vector)
            t->flags &= (uint8_t)~(1u << i);
    }
    lines(unit);
}

/* The 16-bit register that a byte belongs to: 0 count, 1 capture, 2 to 4 compare. */
static uint32_t value_of(const timer *t, unsigned which)
{
    return which == 0 ? t->counter.count : which == 1 ? t->capture : t->counter.compare[which - 2];
}

static void set_value(timer *t, unsigned which, uint32_t value)
{
    if (which == 0)
        t->counter.count = value;
    else if (which == 1)
        t->capture = (uint16_t)value;
    else
        t->counter.compare[which - 2] = value;
}

static uint8_t read_wide(timer *t, unsigned offset)
{
    const uint32_t value = value_of(t, (offset - COUNT) / 2);
    if (offset & 1)
        /* compare registers are read as they are */
        return offset < COMPARE ? t->high : (uint8_t)(value >> 8);
    if (offset < COMPARE)
        t->high = (uint8_t)(value >> 8);
    return (uint8_t)value;
}

static uint8_t read(av_unit *unit, uint16_t address)
{
    timer *t = unit->state;
    const unsigned offset = (unsigned)address - unit->is->base;
    bring(unit, unit->board->core.cycles);
    if (address == unit->is->flags)
        return t->flags;
    if (address == unit->is->mask)
        return t->mask;
    if (offset == CONTROL_A)
        return t->control_a;
    if (offset == CONTROL_B)
        return t->control_b;
    if (unit->is->bits == 16)
        return offset >= COUNT && offset < END16 ? read_wide(t, offset) : 0;
    return (uint8_t)(offset == COUNT8 ? t->counter.count : t->counter.compare[offset - COMPARE8]);
}

static void write(av_unit *unit, uint16_t address, uint8_t value)
{
    timer *t = unit->state;
    const unsigned offset = (unsigned)address - unit->is->base;
    const uint64_t now = unit->board->core.cycles;
    bring(unit, now);
    if (address == unit->is->flags)
        t->flags &= (uint8_t)~value;
    else if (address == unit->is->mask)
        t->mask = value;
    else if (offset == CONTROL_A)
        t->control_a = value;
    else if (offset == CONTROL_B) {
        t->control_b = value;
        retap(unit, now);
    } else if (unit->is->bits == 8) {
        if (offset == COUNT8)
            t->counter.count = value;
        else
            t->counter.compare[offset - COMPARE8] = value;
    } else if (offset >= COUNT && offset < END16) {
        if (offset & 1)
            t->high = value;
        else
            set_value(t, (offset - COUNT) / 2, (uint32_t)t->high << 8 | value);
    }
    set_top(unit);
}

static void reset(av_unit *unit)
{
    set_top(unit);
}

const av_model av_timer_model = {
    .state = sizeof(timer),
    .reset = reset,
    .read = read,
    .write = write,
    .event = event,
    .accepted = accepted};

static uint8_t read_prescaler(av_unit *unit, uint16_t address)
{
    (void)address;
    return ((const prescaler *)unit->state)->control;
}

static void write_prescaler(av_unit *unit, uint16_t address, uint8_t value)
{
    prescaler *p = unit->state;
    av_board *board = unit->board;
    const uint64_t now = board->core.cycles;
    const unsigned begun = value | p->control;
    (void)address;
    for (size_t i = 0; i < board->part->count; i++) {
        if (board->units[i].is->model == &av_timer_model)
            bring(&board->units[i], now);
    }
    p->origin[0] = begun & PSRSYNC ? now : p->origin[0];
    p->origin[1] = begun & PSRASY ? now : p->origin[1];
    p->control = value & TSM ? value : 0; /* without TSM the bits clear themselves */
    for (size_t i = 0; i < board->part->count; i++) {
        av_unit *other = &board->units[i];
        if (other->is->model == &av_timer_model && ((timer *)other->state)->tap.divisor != 1)
            retap(other, now);
    }
}

const av_model av_prescaler_model = {
    .state = sizeof(prescaler), .read = read_prescaler, .write = write_prescaler};

/*
 * Parts with one timer of 16 bits and two of 8: the first counts cycles, the others how often it
 * came round. Nothing has to run while something is timed, and nothing is computed between two
 * readings.
 *
 * Fine:   the 16-bit timer on the core clock: 64 ticks of 1,024 cycles around.
 * Coarse: two 8-bit timers on the core clock / 1,024, of 255 and 253 ticks around. 64, 255 and 253
 *         have no factor in common, so three remainders tell any number of ticks below their
 *         product (Chinese remainder theorem): 264 s at 16 MHz.
 *
 * Remainders have to be exact to the tick, and the three do not step at the same moment. So the
 * phase of the fine timer at which each of the others steps, as one reading sees it, is found out
 * once: it stays.
 *
 * Registers: ATmega48A ... 328P data sheet (DS40002061), chapters 15, 16 and 18.
 */
#include <avr/io.h>

#if defined __AVR_ATmega328P__

#include <util/atomic.h>

#include "motebench/port.h"
#include "timers.h"

enum { TICK = 1024, FINE_TICKS = 64, PERIOD_A = 255, PERIOD_B = 253, MOST_READINGS = 20000 };

const char MOTE_FLASH mb_timers_name[] = "timers 1, 0, 2";

/*
 * Phase of a tick of the fine timer at which the others step: from this phase on they are one
 * ahead.
 */
static uint16_t phase_a, phase_b;

/* A reading is the three counters as they are: fine, A, B from bit 0, 16 and 32 on. */
__attribute__((noinline)) uint64_t mb_port_clock(void)
{
    union {
        uint16_t count[4];
        uint64_t reading;
    } now;
    now.count[0] = TCNT1;
    now.count[1] = TCNT0;
    now.count[2] = TCNT2;
    now.count[3] = 0;
    return now.reading;
}

bool mb_port_counter(uint64_t *ticks)
{
    *ticks = mb_port_clock();
    return true;
}

static uint16_t part(uint64_t reading, uint8_t shift)
{
    return (uint16_t)(reading >> shift);
}

static uint8_t minus(uint8_t a, uint8_t b, uint8_t period)
{
    return a >= b ? (uint8_t)(a - b) : (uint8_t)(a + (period - b));
}

/*
 * Step of one of the coarse timers: between the last phase without and the first phase with the
 * step.
 */
typedef struct edge {
    uint16_t lowest, last, first; /* lowest: phase that was seen at all without it */
    uint8_t period, before;       /* the count at the reading before */
    int8_t ahead, least; /* ticks ahead of the fine timer since the begin; the least of them */
} edge;

static void look(edge *e, uint8_t count, uint8_t fine_steps, uint16_t phase)
{
    e->ahead = (int8_t)(e->ahead + minus(count, e->before, e->period) - fine_steps);
    e->before = count;
    /* What was taken for the time before the step was the time behind it. */
    if (e->ahead < e->least) {
        e->least = e->ahead;
        e->lowest = e->first = e->last = TICK;
    }
    if (e->ahead > e->least) {
        if (phase < e->first)
            e->first = phase;
    } else {
        if (phase < e->lowest)
            e->lowest = phase;
        if (e->last == TICK || phase > e->last)
            e->last = phase;
    }
}

static bool found(const edge *e)
{
    return e->first == e->last + 1 && (e->first < TICK || e->lowest == 0);
}

/* Reads until no phase is left between the two of each timer, or all of a tick has shown none. */
static void find_phases(void)
{
    uint64_t reading = mb_port_clock();
    uint8_t before = (uint8_t)(part(reading, 0) / TICK);
    edge a = {TICK, TICK, TICK, PERIOD_A, (uint8_t)part(reading, 16), 0, 0};
    edge b = {TICK, TICK, TICK, PERIOD_B, (uint8_t)part(reading, 32), 0, 0};
    for (uint16_t n = 0; n < MOST_READINGS && !(found(&a) && found(&b)); n++) {
        reading = mb_port_clock();
        const uint16_t phase = part(reading, 0) % TICK;
        const uint8_t tick = (uint8_t)(part(reading, 0) / TICK),
                      steps = minus(tick, before, FINE_TICKS);
        before = tick;
        look(&a, (uint8_t)part(reading, 16), steps, phase);
        look(&b, (uint8_t)part(reading, 32), steps, phase);
    }
    phase_a = a.first;
    phase_b = b.first;
}

void mb_timers_init(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        /* The prescalers wait, so that all begin together. */
        GTCCR = _BV(TSM) | _BV(PSRASY) | _BV(PSRSYNC);
        TCCR1A = 0;
        TCCR0A = _BV(WGM01);
        TCCR2A = _BV(WGM21);
        OCR0A = PERIOD_A - 1;
        OCR2A = PERIOD_B - 1;
        TCNT1 = 0;
        TCNT0 = 0;
        TCNT2 = 0;
        TCCR1B = _BV(CS10);
        TCCR0B = _BV(CS02) | _BV(CS00);
        TCCR2B = _BV(CS22) | _BV(CS21) | _BV(CS20);
        GTCCR = 0;
        find_phases();
    }
}

/* Steps of a coarse timer from one reading to another, as many as the fine timer made. */
static uint8_t steps(uint64_t begin, uint64_t end, uint8_t shift, uint16_t phase, uint8_t period)
{
    const uint8_t early = part(begin, 0) % TICK >= phase, late = part(end, 0) % TICK >= phase;
    const uint8_t all = minus((uint8_t)part(end, shift), (uint8_t)part(begin, shift), period);
    return minus((uint8_t)((all + early) % period), late, period);
}

uint64_t mb_port_elapsed(uint64_t begin, uint64_t end)
{
    const uint8_t a = steps(begin, end, 16, phase_a, PERIOD_A),
                  b = steps(begin, end, 32, phase_b, PERIOD_B);
    const uint8_t fine =
        minus((uint8_t)(part(end, 0) / TICK), (uint8_t)(part(begin, 0) / TICK), FINE_TICKS);
    /* 127 is the inverse of 255 modulo 253, 43 that of 255 * 253 modulo 64. */
    const uint16_t m = (uint16_t)(minus(b, (uint8_t)(a % PERIOD_B), PERIOD_B) * 127u) % PERIOD_B;
    const uint32_t both = a + (uint32_t)PERIOD_A * m;
    const uint8_t k = (uint8_t)((uint8_t)(fine - (uint8_t)both) * 43u) % FINE_TICKS;
    const uint32_t ticks = both + (uint32_t)PERIOD_A * PERIOD_B * k;
    return ticks * (uint64_t)TICK +
           (uint64_t)(int64_t)((int16_t)(part(end, 0) % TICK) - (int16_t)(part(begin, 0) % TICK));
}

#endif

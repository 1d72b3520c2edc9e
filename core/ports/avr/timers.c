/*
 * Parts with timers of 16 bits to spare: one counts cycles, and two slow ones with different
 * periods count how often it came round: no interrupt has to run while something is timed, and
 * nothing is computed between two readings.
 *
 * Fine:   a 16-bit timer on the core clock, 65,536 cycles around.
 * Coarse: two timers on the core clock / 1024, of P and P - GAP ticks around. Their difference
 *         grows by GAP each time the first comes round, so both together tell times up to P (P -
 *         GAP) / GAP ticks apart: 71 minutes at 16 MHz with P = 65,536 and GAP = 64. GAP leaves
 *         room for a tick that falls between two readings.
 *
 * Registers: ATmega640/1280/1281/2560/2561 data sheet (2549), chapters 17 and 18.
 */
#include <avr/io.h>

#if defined __AVR_ATmega2560__

#include <util/atomic.h>

#include "motebench/port.h"
#include "timers.h"

enum { COARSE_BITS = 16, GAP = 64 };
const char MOTE_FLASH mb_timers_name[] = "timers 1, 3, 4";

#define FINE TCNT1
#define SLOW_A TCNT3
#define SLOW_B TCNT4

static void start(void)
{
    TCCR1A = 0;
    TCCR3A = 0;
    TCCR4A = 0;
    OCR4A = 0xFFFFu - GAP;
    TCNT1 = 0;
    TCNT3 = 0;
    TCNT4 = 0;
    TCCR1B = _BV(CS10);
    TCCR3B = _BV(CS32) | _BV(CS30);
    TCCR4B = _BV(WGM42) | _BV(CS42) | _BV(CS40);
}

#define PERIOD_A ((uint32_t)1 << COARSE_BITS)
#define PERIOD_B (PERIOD_A - GAP)
enum { PRESCALER = 1024 };

void mb_timers_init(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        /* The prescalers wait, so that all begin together. */
        GTCCR = _BV(TSM) | _BV(PSRASY) | _BV(PSRSYNC);
        start();
        GTCCR = 0;
    }
}

/* A reading is the three counters as they are: fine, slow A, slow B from bit 0, 16 and 32 on. */
uint64_t mb_port_clock(void)
{
    union {
        uint16_t count[4];
        uint64_t reading;
    } now;
    now.count[0] = FINE;
    now.count[1] = SLOW_A;
    now.count[2] = SLOW_B;
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

uint64_t mb_port_elapsed(uint64_t begin, uint64_t end)
{
    const uint32_t a = (uint32_t)(part(end, 16) - part(begin, 16)) & (PERIOD_A - 1);
    const uint32_t b = ((uint32_t)part(end, 32) + PERIOD_B - part(begin, 32)) % PERIOD_B;
    const uint32_t rounds = (b + 2 * PERIOD_B - a + GAP / 2) % PERIOD_B / GAP;
    const uint64_t about = (rounds * (uint64_t)PERIOD_A + a) * PRESCALER;
    /* The nearest number of cycles that leaves the fine counter where it is. */
    const int16_t correction = (int16_t)(uint16_t)(part(end, 0) - part(begin, 0) - (uint16_t)about);
    return about + (uint64_t)(int64_t)correction;
}

#endif

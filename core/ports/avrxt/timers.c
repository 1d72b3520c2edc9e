/*
 * One timer counts cycles, and two slow ones with different periods count how often it came round:
 * no interrupt has to run while something is timed, and nothing is computed between two readings.
 *
 * Fine:   TCB0 on the core clock, 65,536 cycles around.
 * Coarse: TCA0 on the core clock / 1024, and TCB1 on the clock of TCA0, of P and P - GAP ticks
 *         around. Their difference grows by GAP each time the first comes round, so both together
 *         tell times up to P (P - GAP) / GAP ticks apart: 71 minutes at 16 MHz, 57 at 20 MHz, with
 *         P = 65,536 and GAP = 64. GAP leaves room for a tick that falls between two readings.
 *
 * Registers: Microchip DS40002015 (megaAVR 0-series), DS40002204, DS40002205 and DS40002345
 * (tinyAVR 1 and 2), chapters on TCA and TCB.
 */
#include "timers.h"

#include <avr/io.h>
#include <util/atomic.h>

enum { COARSE_BITS = 16, GAP = 64, PRESCALER = 1024 };
#define PERIOD_A ((uint32_t)1 << COARSE_BITS)
#define PERIOD_B (PERIOD_A - GAP)

const char MOTE_FLASH mb_timers_name[] = "timers B0, A0, B1";

void mb_timers_init(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        TCB0_CTRLB = 0; /* periodic: up to CCMP, and anew */
        TCB1_CTRLB = 0;
        TCB0_CCMP = 0xFFFFu;
        TCB1_CCMP = 0xFFFFu - GAP;
        TCA0_SINGLE_PER = 0xFFFFu;
        TCB1_CTRLA = TCB_CLKSEL_CLKTCA_gc | TCB_ENABLE_bm;
        TCB0_CTRLA = TCB_ENABLE_bm;
        /* Both slow ones begin with its prescaler. */
        TCA0_SINGLE_CTRLA = TCA_SINGLE_CLKSEL_DIV1024_gc | TCA_SINGLE_ENABLE_bm;
    }
}

/* A reading is the three counters as they are: fine, slow A, slow B from bit 0, 16 and 32 on. */
uint64_t mb_port_clock(void)
{
    union {
        uint16_t count[4];
        uint64_t reading;
    } now;
    now.count[0] = TCB0_CNT;
    now.count[1] = TCA0_SINGLE_CNT;
    now.count[2] = TCB1_CNT;
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

/*
 * Every instruction of AVRe+ against libsimavr, which others wrote: one instruction at a time, from
 * random registers, flags, stack and memory. Compared: all of these, the program counter, and the
 * cycles. Skipped (77) without libsimavr.
 */
#include "check.h"

#ifndef HAVE_SIMAVR

int main(void)
{
    return 77;
}

#else

#include <stdio.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

#include "machine.h"

enum { TRIALS = 100000, AT = 0x200, WORDS = 0x1000, MIDDLE = 0x300, SPREAD = 0x80 };

static uint32_t state = 1;

static unsigned number(unsigned below)
{
    return random_below(&state, below);
}

/* True if libsimavr executes the word, with a result that data sheets define; sets what has to
 * follow it. */
static bool usable(unsigned word, unsigned *next, bool far)
{
    const unsigned low = word & 15, io = low | (word >> 5 & 0x30);
    if (word < 0x0100 || (word & 0xf808) == 0xf808)
        return word == 0;
    switch (word & 0xfe00) {
    case 0x9000:
    case 0x9200: {
        const bool store = (word & 0x200) != 0,
                   moves = low != 0 && low != 12 && low != 4 && low != 6 && low != 15;
        if (low == 0)
            *next = MIDDLE + number(SPREAD);
        if (low == 3 || low == 8 || low == 11 || (low >= 4 && low <= 7 && store) ||
            (low >= 6 && low <= 7 && !far))
            return false;
        /* a pointer that is moved, and loaded or stored */
        return !(moves && (word >> 4 & 31) >= 26);
    }
    case 0x9400:
        if ((word & 0x0c) == 0x0c) { /* JMP, CALL */
            *next = number(WORDS);
            return (word & 0x01f1) == 0;
        }
        if (low == 8)
            return (word & 0x100) == 0 || word == 0x9508 || word == 0x9518 || word == 0x95c8 ||
                   (far && word == 0x95d8);
        if (low == 9)
            return word == 0x9409 || word == 0x9509 || (far && (word == 0x9419 || word == 0x9519));
        return low != 4 && low != 11;
    case 0x9800:
    case 0x9a00:
        return (word >> 3 & 31) == 0x1e;
    default:
        return (word & 0xf000) != 0xb000 || io == 0x1e || io == 0x2a || io == 0x2b || io >= 0x3d;
    }
}

static void trial(avr_t *theirs, av_board *ours, bool far)
{
    av_core *core = &ours->core;
    unsigned word, next;
    do {
        word = number(2) ? number(0x10000) : 0x9000 | number(0x800);
        next = number(4) ? 0x9000 | (number(2) * 0x200) : number(0x10000);
        /* libsimavr 1.6 takes some ADIW and SBIW for JMP or CALL when skipped */
    } while (!usable(word, &next, far) || (next & 0xfe00) == 0x9600);
    const uint32_t pc = AT + number(0x100);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned value = i == 0 ? word : i == 1 ? next : 0;
        core->flash[2 * (pc + i)] = theirs->flash[2 * (pc + i)] = (uint8_t)value;
        core->flash[2 * (pc + i) + 1] = theirs->flash[2 * (pc + i) + 1] = (uint8_t)(value >> 8);
    }
    for (unsigned i = 0; i < 26; i++)
        core->data[i] = (uint8_t)number(256);
    for (unsigned i = 26; i < 32; i += 2) {
        const unsigned pointer = number(8) ? MIDDLE + number(SPREAD) : MIDDLE + 256;
        core->data[i] = (uint8_t)pointer;
        core->data[i + 1] = (uint8_t)(pointer >> 8);
    }
    for (unsigned i = MIDDLE - SPREAD; i < MIDDLE + 2 * SPREAD + 300; i++)
        core->data[i] = (uint8_t)number(256);
    core->sreg = (uint8_t)number(256);
    core->sp = (uint16_t)(MIDDLE + number(SPREAD));
    core->low = 0;
    core->data[core->sp + 1] = (uint8_t)(far ? 0 : number(WORDS / 256));
    core->data[core->sp + 2] = (uint8_t)number(far ? WORDS / 256 : 256);
    core->data[AV_RAMPZ + AV_R] = theirs->data[AV_RAMPZ + AV_R] = (uint8_t)(far ? number(2) : 0);
    core->data[AV_EIND + AV_R] = theirs->data[AV_EIND + AV_R] = 0;
    core->pc = pc;
    memcpy(theirs->data, core->data, 32);
    memcpy(theirs->data + MIDDLE - SPREAD, core->data + MIDDLE - SPREAD, 3 * SPREAD + 300);
    theirs->data[0x3e] = core->data[0x3e];
    theirs->data[0x4a] = core->data[0x4a];
    theirs->data[0x4b] = core->data[0x4b];
    for (unsigned i = 0; i < 8; i++)
        theirs->sreg[i] = core->sreg >> i & 1;
    theirs->data[R_SREG] = core->sreg;
    theirs->data[R_SPL] = (uint8_t)core->sp;
    theirs->data[R_SPH] = (uint8_t)(core->sp >> 8);
    theirs->pc = 2 * pc;
    theirs->state = cpu_Running;
    const uint64_t before = core->cycles, before_theirs = theirs->cycle;
    av_core_decode(core, pc, pc + 3);
    core->settle = AV_NEVER;
    core->pending = false;
    const av_stop stop = av_core_run(core, core->cycles + 1);
    theirs->pc = avr_run_one(theirs);
    unsigned sreg = 0;
    for (unsigned i = 0; i < 8; i++)
        sreg |= (unsigned)theirs->sreg[i] << i;
    const bool same =
        stop == AV_DEADLINE && memcmp(core->data, theirs->data, 32) == 0 &&
        memcmp(core->data + MIDDLE - SPREAD, theirs->data + MIDDLE - SPREAD, 3 * SPREAD + 300) ==
            0 &&
        core->sreg == sreg && core->sp == (theirs->data[R_SPL] | theirs->data[R_SPH] << 8) &&
        core->data[0x3e] == theirs->data[0x3e] && core->data[0x4a] == theirs->data[0x4a] &&
        core->data[AV_RAMPZ + AV_R] == theirs->data[AV_RAMPZ + AV_R] &&
        2 * core->pc == theirs->pc && core->cycles - before == theirs->cycle - before_theirs;
    if (!same)
        fprintf(stderr, "%04x %04x: stop %d, sreg %02x %02x, pc %05x %05x, cycles %d %d, sp %04x\n",
                word, next, stop, core->sreg, sreg, 2 * core->pc, (unsigned)theirs->pc,
                (int)(core->cycles - before), (int)(theirs->cycle - before_theirs), core->sp);
    CHECK(same);
}

/* libsimavr does not free what it allocates: it stays reachable, which is no leak. */
static avr_t *made[2];

static void part(unsigned which, const char *name, bool far)
{
    made[which] = avr_make_mcu_by_name(name);
    if (!CHECK(made[which] != NULL))
        return;
    avr_init(made[which]);
    av_board *ours = machine(name, NULL, 0);
    for (unsigned i = 0; i < TRIALS; i++)
        trial(made[which], ours, far);
    av_board_free(ours);
}

int main(void)
{
    check_begin();
    part(0, "atmega328p", false);
    part(1, "atmega2560", true);
    return check_end();
}

#endif

/* Between two instructions: events, interrupts, the stack; and loads and stores outside RAM. */
#include "internal.h"
#include "watch.h"

/* Cycles from the end of an instruction to the vector: 4, or 5 with three bytes to push; of AVRxt
 * 2, and its vector is reached. */
static unsigned entry_cycles(const av_core *core)
{
    return core->family == AV_XT ? 2 : core->family == AV_E22 ? 5 : 4;
}

static void push(av_core *core, unsigned value)
{
    const uint16_t top = core->sp--;
    if (core->sp < core->low)
        core->low = core->sp;
    if ((uint16_t)(top - core->ram_base) < core->ram_size)
        core->data[top] = (uint8_t)value;
    else
        core->stop = AV_STACK;
    if (core->watch != NULL)
        av_watch_pushed(core, top);
}

static void enter(av_core *core)
{
    const unsigned vector = core->bus.accept(core->bus.board);
    /* A vector is two words long where JMP exists: in parts with more than 8 KiB of flash. */
    const unsigned words = core->flash_words > 4096 ? 2 : 1;
    push(core, core->pc & 0xff);
    push(core, core->pc >> 8 & 0xff);
    if (core->family == AV_E22)
        push(core, core->pc >> 16);
    if (core->family == AV_XT)
        core->in_level = true;
    else
        core->sreg &= (uint8_t)~AV_I;
    core->pc = vector * words < core->flash_words ? vector * words : core->flash_words;
    core->cycles += entry_cycles(core);
}

/* A stack pointer that was written in halves, and has come to rest. */
static void settle(av_core *core)
{
    const unsigned end = (unsigned)core->ram_base + core->ram_size;
    core->settle = AV_NEVER;
    if (core->sp < core->low)
        core->low = core->sp;
    if (core->floor != 0 && (core->sp + 1u < core->floor || core->sp >= end))
        core->stop = AV_STACK;
}

av_stop av_core_event(av_core *core)
{
    if (core->stop != AV_NONE)
        return core->stop;
    if (core->cycles >= core->settle)
        settle(core);
    uint64_t next = core->bus.advance(core->bus.board, core->cycles);
    if (core->pending && (core->sreg & AV_I) != 0 && !core->in_level) {
        if (core->cycles >= core->blocked) {
            enter(core);
            next = core->bus.advance(core->bus.board, core->cycles);
        } else if (core->blocked < next)
            next = core->blocked;
    }
    if (core->stop != AV_NONE)
        return core->stop;
    if (core->cycles >= core->until)
        return AV_DEADLINE;
    if (core->cycles >= core->pause)
        return AV_PAUSED;
    if (core->settle < next)
        next = core->settle;
    if (core->until < next)
        next = core->until;
    if (core->pause < next)
        next = core->pause;
    /* The counter of what is left has a sign; and an event may be due already, while its interrupt
     * waits. */
    const uint64_t most = core->cycles + ((uint64_t)1 << 40);
    core->deadline = next > most ? most : next > core->cycles ? next : core->cycles + 1;
    return AV_NONE;
}

av_stop av_core_run(av_core *core, uint64_t until)
{
    core->until = until;
    if (core->stop != AV_NONE)
        return core->stop;
    const bool watched = core->watch != NULL;
    switch (core->family) {
    case AV_E:
        return watched ? av_watched_e(core) : av_execute_e(core);
    case AV_E22:
        return watched ? av_watched_e22(core) : av_execute_e22(core);
    default:
        return watched ? av_watched_xt(core) : av_execute_xt(core);
    }
}

av_stop av_core_step(av_core *core, uint64_t until)
{
    core->pause = core->cycles + 1;
    const av_stop stop = av_core_run(core, until);
    core->pause = AV_NEVER;
    return stop;
}

void av_core_new_job(av_core *core)
{
    core->deepest = core->low < core->deepest ? core->low : core->deepest;
    core->low = core->sp;
}

unsigned av_core_stack(const av_core *core)
{
    const unsigned low = core->low < core->deepest ? core->low : core->deepest;
    return (unsigned)core->ram_base + core->ram_size - 1 - low;
}

uint8_t av_load(av_core *core, uint16_t address)
{
    const unsigned base = av_io_base(core);
    if (address < base)
        return core->data[address]; /* a register */
    switch (address - base) {
    case AV_SPL:
        return (uint8_t)core->sp;
    case AV_SPH:
        return (uint8_t)(core->sp >> 8);
    case AV_SREG:
        return core->sreg;
    default:
        return core->bus.read(core->bus.board, address);
    }
}

void av_store(av_core *core, uint16_t address, uint8_t value)
{
    const unsigned base = av_io_base(core), io = address - base;
    if (address < base) {
        core->data[address] = value;
    } else if (io == AV_SPL || io == AV_SPH) {
        core->sp = (uint16_t)(io == AV_SPL ? (core->sp & 0xff00u) | value
                                           : (core->sp & 0xffu) | (unsigned)value << 8);
        core->settle = core->cycles + AV_SETTLED;
        /* AVRxt: no interrupt for four instructions, so that the other half can be written. */
        if (core->family == AV_XT && io == AV_SPL)
            core->blocked = core->cycles + 1 + 4;
    } else if (io == AV_SREG) {
        core->sreg = value;
    } else {
        core->bus.write(core->bus.board, address, value);
    }
}

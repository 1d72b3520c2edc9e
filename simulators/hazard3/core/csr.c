/* Control and status registers: RISC-V Instruction Set Manual, volume II, chapter 3; Hazard3's
 * documentation, "CSRs". */
#include "decode.h"

enum {
    MSTATUS = 0x300,
    MISA = 0x301,
    MIE = 0x304,
    MTVEC = 0x305,
    MCOUNTEREN = 0x306,
    MSTATUSH = 0x310,
    MCOUNTINHIBIT = 0x320,
    MSCRATCH = 0x340,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MTVAL = 0x343,
    MIP = 0x344,
    MCYCLE = 0xb00,
    MINSTRET = 0xb02,
    MCYCLEH = 0xb80,
    MINSTRETH = 0xb82,
    MEIEA = 0xbe0,
    MEIPA = 0xbe1,
    MEIFA = 0xbe2,
    MEIPRA = 0xbe3,
    MEINEXT = 0xbe4,
    MEICONTEXT = 0xbe5,
    CYCLE = 0xc00,
    INSTRET = 0xc02,
    CYCLEH = 0xc80,
    INSTRETH = 0xc82,
    MVENDORID = 0xf11,
    MHARTID = 0xf14,
    MSTATUS_BITS = 0x1888,
    EXTERNAL = 1 << 11,
    NO_CYCLES = 1,
    NO_INSTRUCTIONS = 4
};

/* A, C, I, M, U and X, of 32 bits. */
#define MISA_VALUE 0x40901105u

static uint64_t counter(const hz_core *core, uint64_t now, uint64_t base, uint32_t bit)
{
    return (core->mcountinhibit & bit) != 0 ? base : now - base;
}

static uint64_t cycles(const hz_core *core)
{
    return counter(core, core->cycles, core->cycle_base, NO_CYCLES);
}

static uint64_t instructions(const hz_core *core)
{
    return counter(core, core->retired, core->retired_base, NO_INSTRUCTIONS);
}

static uint64_t pending(const hz_core *core)
{
    return core->irq_lines | core->irq_forced;
}

bool hz_core_wakes(const hz_core *core)
{
    return (pending(core) & core->irq_enabled) != 0 && (core->mie & EXTERNAL) != 0;
}

void hz_core_interrupt(hz_core *core, unsigned irq, bool level)
{
    const uint64_t bit = 1ull << irq;
    core->irq_lines = level ? core->irq_lines | bit : core->irq_lines & ~bit;
}

/* 16 bits of an array of interrupts: the window is in the lowest five bits of what is written. */
static uint32_t window(uint64_t array, uint32_t written)
{
    return (written & 31) < HZ_IRQS / 16 ? (uint32_t)(array >> 16 * (written & 31) & 0xffff) << 16
                                         : 0;
}

static void set_window(uint64_t *array, uint32_t value)
{
    const uint32_t i = value & 31;
    if (i < HZ_IRQS / 16)
        *array = (*array & ~(0xffffull << 16 * i)) | (uint64_t)(value >> 16) << 16 * i;
}

bool hz_csr_read(hz_core *core, uint32_t number, uint32_t written, uint32_t *value)
{
    const uint64_t next = pending(core) & core->irq_enabled;
    switch (number) {
    case MSTATUS:
        *value = core->mstatus;
        return true;
    case MISA:
        *value = MISA_VALUE;
        return true;
    case MIE:
        *value = core->mie;
        return true;
    case MTVEC:
        *value = core->mtvec;
        return true;
    case MCOUNTEREN:
        *value = core->mcounteren;
        return true;
    case MCOUNTINHIBIT:
        *value = core->mcountinhibit;
        return true;
    case MSCRATCH:
        *value = core->mscratch;
        return true;
    case MEPC:
        *value = core->mepc;
        return true;
    case MCAUSE:
        *value = core->mcause;
        return true;
    case MIP:
        *value = next != 0 ? EXTERNAL : 0;
        return true;
    case MCYCLE:
    case CYCLE:
        *value = (uint32_t)cycles(core);
        return true;
    case MCYCLEH:
    case CYCLEH:
        *value = (uint32_t)(cycles(core) >> 32);
        return true;
    case MINSTRET:
    case INSTRET:
        *value = (uint32_t)instructions(core);
        return true;
    case MINSTRETH:
    case INSTRETH:
        *value = (uint32_t)(instructions(core) >> 32);
        return true;
    case MEIEA:
        *value = window(core->irq_enabled, written);
        return true;
    case MEIPA:
        *value = window(pending(core), written);
        return true;
    case MEIFA:
        *value = window(core->irq_forced, written);
        return true;
    case MEINEXT:
        *value = next != 0 ? (uint32_t)__builtin_ctzll(next) << 2 : 0x80000000u;
        return true;
    case MTVAL:
    case MSTATUSH:
    case MEIPRA:
    case MEICONTEXT:
    case MHARTID:
        *value = 0;
        return true;
    default:
        *value = 0;
        return number >= MVENDORID && number <= MHARTID + 1;
    }
}

/* Sets one half of a counter. */
static void set_counter(uint64_t *base, uint64_t now, uint64_t is, bool stands, bool upper,
                        uint32_t value)
{
    is = upper ? (is & 0xffffffffu) | (uint64_t)value << 32 : (is & ~0xffffffffull) | value;
    *base = stands ? is : now - is;
}

static void inhibit(hz_core *core, uint32_t value)
{
    const uint64_t were_cycles = cycles(core), were_instructions = instructions(core);
    core->mcountinhibit = value & (NO_CYCLES | NO_INSTRUCTIONS);
    core->cycle_base = (value & NO_CYCLES) != 0 ? were_cycles : core->cycles + 1 - were_cycles;
    core->retired_base =
        (value & NO_INSTRUCTIONS) != 0 ? were_instructions : core->retired + 1 - were_instructions;
}

/* `kind`: 0 to write, 1 to set, 2 to clear the bits of `written`. Arrays of interrupts take their
 * window from that. */
bool hz_csr_write(hz_core *core, uint32_t number, uint32_t value, uint32_t written, unsigned kind)
{
    if (number == MEIEA || number == MEIFA) {
        const uint32_t bits = kind == 0   ? written & 0xffff0000u
                              : kind == 1 ? value | (written & 0xffff0000u)
                                          : value & ~(written & 0xffff0000u);
        set_window(number == MEIEA ? &core->irq_enabled : &core->irq_forced,
                   (bits & 0xffff0000u) | (written & 31));
        return true;
    }
    switch (number) {
    case MSTATUS:
        core->mstatus = (value & MSTATUS_BITS) | 0x1800;
        return true;
    case MIE:
        core->mie = value & 0x888;
        return true;
    case MTVEC:
        core->mtvec = value & ~2u;
        return true;
    case MCOUNTEREN:
        core->mcounteren = value & 7;
        return true;
    case MCOUNTINHIBIT:
        inhibit(core, value);
        return true;
    case MSCRATCH:
        core->mscratch = value;
        return true;
    case MEPC:
        core->mepc = value & ~1u;
        return true;
    case MCAUSE:
        core->mcause = value & 0x8000000fu;
        return true;
    case MCYCLE:
    case MCYCLEH:
        set_counter(&core->cycle_base, core->cycles + 1, cycles(core),
                    (core->mcountinhibit & NO_CYCLES) != 0, number == MCYCLEH, value);
        return true;
    case MINSTRET:
    case MINSTRETH:
        set_counter(&core->retired_base, core->retired + 1, instructions(core),
                    (core->mcountinhibit & NO_INSTRUCTIONS) != 0, number == MINSTRETH, value);
        return true;
    case MISA:
    case MTVAL:
    case MIP:
    case MSTATUSH:
    case MEIPA:
    case MEIPRA:
    case MEINEXT:
    case MEICONTEXT:
        return true;
    default:
        return false;
    }
}

/*
 * Cycles of a Hazard3, for the interpreter: the fetching part of frontend.h, a step a cycle.
 */

/* A cycle in which no instruction begins. */
static void idle(hz_core *core)
{
    hz_cycle(&core->fetch, 0);
    core->cycles++;
    core->loaded = 0;
    core->exclusive_before = false;
}

/* The last cycle of an instruction that goes on to the next. */
static void finish(hz_core *core, const hz_op *op)
{
    hz_cycle(&core->fetch, op->halfwords);
    core->cycles++;
    core->loaded = 0;
    core->exclusive_before = false;
}

/* A load ends: its value comes a cycle later. */
static void finish_load(hz_core *core, const hz_op *op, uint32_t address)
{
    (void)address;
    finish(core, op);
    core->loaded = op->rd;
}

/* Waits until an instruction can begin. */
static void begin(hz_core *core, const hz_op *op)
{
    while (core->fetch.level < op->halfwords)
        idle(core);
    if (core->loaded != 0 &&
        (core->loaded == op->rs1 || (core->loaded == op->rs2 && !stores(op->code))))
        idle(core);
}

static void jump(hz_core *core, uint32_t to)
{
    hz_jump(&core->fetch, to);
    core->cycles++;
    core->loaded = 0;
    core->exclusive_before = false;
    core->pc = to;
}

/* Everything that enters or leaves a trap goes on in the stage behind, a cycle later. */
static void trap_jump(hz_core *core, const hz_op *op, uint32_t to)
{
    finish(core, op);
    jump(core, to);
    core->fetch.known = core->reserved = false;
}

static uint32_t trap_vector(const hz_core *core, uint32_t cause)
{
    const uint32_t base = core->mtvec & ~3u;
    return (core->mtvec & 1) != 0 && cause >> 31 != 0 ? base + 4 * (cause & 15) : base;
}

static void interrupt(hz_core *core)
{
    const uint32_t cause = 0x8000000bu;
    enter_trap(core, cause);
    idle(core);
    jump(core, trap_vector(core, cause));
    core->fetch.known = core->reserved = false;
}

/* hazard3_muldiv_seq.v with two bits a cycle: the sign is taken off first, unless only the divisor
 * is negative. */
static unsigned division_cycles(bool is_signed, uint32_t n, uint32_t d)
{
    const bool n_below = is_signed && n >> 31 != 0, d_below = is_signed && d >> 31 != 0;
    const bool corrects = (n_below != d_below && d != 0) || n_below;
    return 19u - (unsigned)(!n_below && d_below) + (unsigned)corrects;
}

/* A branch: true if the program counter is set, false if the next instruction follows. */
static void branch(hz_core *core, const hz_op *op, bool taken)
{
    const bool predicted = (core->fetch.predicted & 1) != 0;
    const uint32_t behind = core->pc + 2u * op->halfwords, to = core->pc + (uint32_t)op->imm;
    if (taken == predicted) {
        finish(core, op);
        core->pc = taken ? core->fetch.target : behind;
    } else if (predicted) {
        jump(core, behind);
        core->fetch.known = false;
    } else {
        const uint32_t from = core->pc;
        jump(core, to);
        if (op->imm < 0) {
            core->fetch.known = true;
            core->fetch.source = from;
            core->fetch.source_wide = op->halfwords == 2;
            core->fetch.target = to;
        }
    }
}

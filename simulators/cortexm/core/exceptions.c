/* Exceptions: ARM DDI 0419 and 0403, chapters B1.5; their cycles: docs/explain/cortexm.md. */
#include "internal.h"
#include "watch.h"

enum {
    FRAME = 32,
    FLOATS = CM_FLOATS,
    FPCA = 4,        /* of CONTROL: the floating-point unit was used */
    BASIC_FRAME = 16 /* of EXC_RETURN: without these */
};

uint32_t cm_core_apsr(const cm_core *core)
{
    return (core->n >> 31) << 31 | (uint32_t)(core->z == 0) << 30 | core->c << 29 |
           (core->v >> 31) << 28 | (uint32_t)core->q << 27 | core->ge << 16;
}

void cm_core_set_apsr(cm_core *core, uint32_t value)
{
    core->n = value;
    core->z = ~value >> 30 & 1;
    core->c = value >> 29 & 1;
    core->v = value << 3;
    if (core->instructions->extended)
        core->q = (value >> 27 & 1) != 0;
    if (core->dsp)
        core->ge = value >> 16 & 15;
}

/* The priority of an exception as configured; the fixed ones are negative. */
static int configured(const cm_core *core, unsigned number)
{
    if (number <= CM_HARDFAULT)
        return (int)number - 4;
    if (number >= CM_IRQ0)
        return (int)(core->ipr[(number - CM_IRQ0) / 4] >> (number - CM_IRQ0) % 4 * 8 & 0xff);
    return (int)(core->shpr[number / 4] >> number % 4 * 8 & 0xff);
}

int cm_priority(const cm_core *core)
{
    int priority = core->faultmask != 0 ? -1 : core->basepri != 0 ? (int)core->basepri : CM_THREAD;
    for (uint64_t active = core->active; active != 0; active &= active - 1) {
        const int one = configured(core, (unsigned)__builtin_ctzll(active));
        priority = one < priority ? one : priority;
    }
    return priority;
}

/* Interrupts and system exceptions that wait, by number. */
static uint64_t pending(const cm_core *core)
{
    const uint64_t busy = core->active >> CM_IRQ0;
    const uint64_t irqs = (core->pending | (core->lines & ~busy)) & core->enabled;
    return irqs << CM_IRQ0 | (uint64_t)core->pend_nmi << CM_NMI |
           (uint64_t)core->pend_svc << CM_SVCALL | (uint64_t)core->pend_pendsv << CM_PENDSV |
           (uint64_t)core->pend_systick << CM_SYSTICK;
}

static unsigned most_urgent(const cm_core *core, int than)
{
    unsigned found = CM_NONE;
    for (uint64_t waiting = pending(core); waiting != 0; waiting &= waiting - 1) {
        const unsigned number = (unsigned)__builtin_ctzll(waiting);
        if (configured(core, number) < than) {
            than = configured(core, number);
            found = number;
        }
    }
    return found;
}

unsigned cm_exception_due(const cm_core *core)
{
    if (CM_LIKELY(pending(core) == 0))
        return CM_NONE;
    const int priority = cm_priority(core);
    return most_urgent(core, core->primask != 0 && priority > 0 ? 0 : priority);
}

bool cm_core_wakes(const cm_core *core)
{
    return pending(core) != 0 && most_urgent(core, cm_priority(core)) != CM_NONE;
}

void cm_core_line(cm_core *core, unsigned irq, bool high)
{
    const uint64_t bit = 1ull << irq;
    if (high == ((core->lines & bit) != 0))
        return;
    core->lines ^= bit;
    if (high)
        cm_core_kick(core);
}

static void unpend(cm_core *core, unsigned number)
{
    switch (number) {
    case CM_NMI:
        core->pend_nmi = false;
        break;
    case CM_SVCALL:
        core->pend_svc = false;
        break;
    case CM_PENDSV:
        core->pend_pendsv = false;
        break;
    case CM_SYSTICK:
        core->pend_systick = false;
        break;
    default:
        core->pending &= ~(1ull << (number - CM_IRQ0));
        break;
    }
}

static void swap_stacks(cm_core *core)
{
    const uint32_t sp = core->r[CM_SP];
    core->r[CM_SP] = core->other_sp;
    core->other_sp = sp;
}

static bool on_process_stack(const cm_core *core)
{
    return (core->control & 2) != 0 && core->exception == 0;
}

/* Exceptions leave room for the registers of the floating-point unit, which are saved when the
 * handler uses it. */
bool cm_save_floats(cm_core *core)
{
    const uint32_t frame = core->lazy_frame;
    core->lazy_frame = 0;
    core->cycles += FLOATS - 1;
    if (core->watch != NULL)
        cm_watch_saved(core, frame);
    for (unsigned i = 0; i < 16; i++) {
        if (!cm_store(core, frame + FRAME + 4 * i, 4, core->s[i]))
            return false;
    }
    return cm_store(core, frame + FRAME + 64, 4, core->fpscr);
}

static bool restore_floats(cm_core *core, uint32_t frame)
{
    if (core->watch != NULL)
        cm_watch_restored(core, frame);
    for (unsigned i = 0; i < 16; i++) {
        if (!cm_load(core, frame + FRAME + 4 * i, 4, &core->s[i]))
            return false;
    }
    return cm_load(core, frame + FRAME + 64, 4, &core->fpscr);
}

bool cm_exception_enter(cm_core *core, unsigned number)
{
    const bool floats = (core->control & FPCA) != 0;
    const uint32_t sp = core->r[CM_SP], frame = (sp - FRAME - (floats ? 4u * FLOATS : 0u)) & ~7u;
    const uint32_t block = core->instructions->block != NULL ? core->instructions->block(core) : 0;
    const uint32_t saved[8] = {
        core->r[0],     core->r[1],
        core->r[2],     core->r[3],
        core->r[12],    core->r[CM_LR],
        core->r[CM_PC], cm_core_apsr(core) | core->exception | 1u << 24 | (sp & 4) << 7 | block};
    if (frame < core->stack_low && !cm_stack_low(core, frame))
        return false;
    for (unsigned i = 0; i < 8; i++) {
        if (!cm_store(core, frame + 4 * i, 4, saved[i]))
            return false;
    }
    if (core->watch != NULL)
        cm_watch_entered(core, frame);
    if (floats)
        core->lazy_frame = frame;
    core->r[CM_SP] = frame;
    core->exclusive = false;
    core->r[CM_LR] = core->exception != 0     ? 0xfffffff1u
                     : on_process_stack(core) ? 0xfffffffdu
                                              : 0xfffffff9u;
    if (floats)
        core->r[CM_LR] &= ~(uint32_t)BASIC_FRAME;
    if (on_process_stack(core))
        swap_stacks(core);
    core->control &= ~(uint32_t)FPCA;
    core->exception = number;
    core->active |= 1ull << number;
    core->event_register = true;
    unpend(core, number);
    uint32_t handler;
    if (!cm_load(core, core->vtor + 4 * number, 4, &handler))
        return false;
    if ((handler & 1) == 0)
        return cm_fault(core, CM_LOCKUP, handler,
                        "the vector of an exception is not an address of code");
    core->r[CM_PC] = handler & ~1u;
    core->instructions->entered(core);
    return true;
}

bool cm_exception_return(cm_core *core, uint32_t value)
{
    const bool to_process = (value & 15) == 13, floats = core->fpu && (value & BASIC_FRAME) == 0;
    const uint64_t others = core->active & ~(1ull << core->exception);
    if ((value & 0x0fffffe0) != 0x0fffffe0 || ((value & BASIC_FRAME) == 0 && !core->fpu) ||
        ((value & 15) != 1 && (value & 15) != 9 && !to_process) ||
        ((value & 15) == 1) != (others != 0))
        return cm_fault(core, CM_LOCKUP, value, "an invalid return from an exception");
    core->active = others;
    if (to_process)
        swap_stacks(core);
    const uint32_t frame = core->r[CM_SP];
    uint32_t loaded[8];
    for (unsigned i = 0; i < 8; i++) {
        if (!cm_load(core, frame + 4 * i, 4, &loaded[i]))
            return false;
    }
    for (unsigned i = 0; i < 4; i++)
        core->r[i] = loaded[i];
    core->r[12] = loaded[4];
    core->r[CM_LR] = loaded[5];
    core->r[CM_PC] = loaded[6] & ~1u;
    if (core->watch != NULL)
        cm_watch_left(core, frame);
    const bool saved = floats && core->lazy_frame != frame;
    if (saved && !restore_floats(core, frame))
        return false;
    core->lazy_frame = floats ? 0 : core->lazy_frame;
    core->r[CM_SP] = (frame + FRAME + (floats ? 4u * FLOATS : 0u)) | (loaded[7] >> 7 & 4);
    core->control = floats ? core->control | FPCA : core->control & ~(uint32_t)FPCA;
    core->exclusive = false;
    if (to_process)
        core->control |= 2;
    else if ((value & 15) == 9)
        core->control &= ~2u;
    core->exception = loaded[7] & 63;
    core->faultmask = 0;
    if ((core->exception == 0) != (others == 0))
        return cm_fault(core, CM_LOCKUP, value, "a return from an exception to an invalid mode");
    cm_core_set_apsr(core, loaded[7]);
    core->instructions->left(core, saved);
    core->event_register = true;
    cm_core_kick(core);
    return true;
}

bool cm_svc(cm_core *core)
{
    const int priority = cm_priority(core);
    if (configured(core, CM_SVCALL) >= (core->primask != 0 && priority > 0 ? 0 : priority))
        return cm_fault(core, CM_LOCKUP, core->r[CM_PC],
                        "an SVC instruction where its exception cannot be entered");
    core->pend_svc = true;
    return true;
}

enum {
    MSP = 8,
    PSP = 9,
    PRIMASK = 16,
    BASEPRI = 17,
    BASEPRI_MAX = 18,
    FAULTMASK = 19,
    CONTROL = 20
};

static bool is_extended(const cm_core *core, unsigned which)
{
    return core->instructions->extended && which >= BASEPRI && which <= FAULTMASK;
}

bool cm_mrs(cm_core *core, unsigned which, uint32_t *value)
{
    const bool process = on_process_stack(core);
    *value = 0;
    if (which <= 7 && which != 4) {
        *value =
            ((which & 1) != 0 ? core->exception : 0) | ((which & 4) == 0 ? cm_core_apsr(core) : 0);
        return true;
    }
    if (is_extended(core, which)) {
        *value = which == FAULTMASK ? core->faultmask : core->basepri;
        return true;
    }
    switch (which) {
    case MSP:
        *value = process ? core->other_sp : core->r[CM_SP];
        return true;
    case PSP:
        *value = process ? core->r[CM_SP] : core->other_sp;
        return true;
    case PRIMASK:
        *value = core->primask;
        return true;
    case CONTROL:
        *value = core->control;
        return true;
    default:
        return cm_fault(core, CM_UNDEFINED, core->r[CM_PC],
                        "MRS with a register that does not exist");
    }
}

bool cm_msr(cm_core *core, unsigned which, uint32_t value, unsigned fields)
{
    const bool process = on_process_stack(core);
    if (which <= 7 && which != 4) {
        const uint32_t mask =
            ((fields & 2) != 0 ? 0xf8000000u : 0) | ((fields & 1) != 0 ? 0xf0000u : 0);
        if ((which & 4) == 0)
            cm_core_set_apsr(core, (value & mask) | (cm_core_apsr(core) & ~mask));
        return true;
    }
    if (is_extended(core, which)) {
        value &= which == FAULTMASK ? 1 : core->priority_mask;
        if (which == FAULTMASK)
            core->faultmask = value;
        else if (which == BASEPRI || (value != 0 && (core->basepri == 0 || value < core->basepri)))
            core->basepri = value;
        return true;
    }
    switch (which) {
    case MSP:
    case PSP:
        if ((which == PSP) == process)
            core->r[CM_SP] = value & ~3u;
        else
            core->other_sp = value & ~3u;
        if (which == MSP && (value & ~3u) < core->stack_low && !process)
            return cm_stack_low(core, value & ~3u);
        return true;
    case PRIMASK:
        core->primask = value & 1;
        return true;
    /* everything runs privileged: the part has no unprivileged mode to speak of */
    case CONTROL:
        if (core->exception == 0 && ((value ^ core->control) & 2) != 0) {
            core->control ^= 2;
            swap_stacks(core);
        }
        if (core->fpu)
            core->control = (core->control & ~(uint32_t)FPCA) | (value & FPCA);
        return true;
    default:
        return cm_fault(core, CM_UNDEFINED, core->r[CM_PC],
                        "MSR with a register that does not exist");
    }
}

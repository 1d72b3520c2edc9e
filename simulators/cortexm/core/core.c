/* The life of a core: reset, then runs between the things that happen by themselves. */
#include <string.h>

#include "internal.h"

#define LONGEST \
    (1ull << 62) /* cycles in one go: what is left of them is counted in a signed number */

static void forget_code(cm_core *core)
{
    core->instructions->forget(core);
    memset(core->code_pages, 0, core->ram_size >> CM_PAGE_SHIFT);
    core->flush = false;
}

bool cm_core_reset(cm_core *core, uint32_t vectors)
{
    uint32_t sp, pc;
    memset(core->r, 0, sizeof core->r);
    core->n = core->c = core->v = 0;
    core->z = 1;
    core->other_sp = core->control = core->primask = core->exception = 0;
    core->scr = core->enabled = core->pending = core->lines = 0;
    memset(core->shpr, 0, sizeof core->shpr);
    memset(core->ipr, 0, sizeof core->ipr);
    core->pend_nmi = core->pend_svc = core->pend_pendsv = core->pend_systick =
        core->event_register = false;
    core->active = 0;
    core->q = core->exclusive = false;
    core->ge = core->basepri = core->faultmask = core->fpscr = core->cpacr = core->demcr =
        core->dwt_control = 0;
    memset(core->s, 0, sizeof core->s);
    core->lazy_frame = 0;
    core->systick = (cm_systick){.control = 0};
    core->vtor = vectors;
    core->stack_low = UINT32_MAX;
    if (core->instructions->reset != NULL)
        core->instructions->reset(core);
    forget_code(core);
    if (!cm_load(core, vectors, 4, &sp) || !cm_load(core, vectors + 4, 4, &pc))
        return false;
    if ((pc & 1) == 0)
        return cm_fault(core, CM_LOCKUP, pc, "the reset vector is not an address of code");
    core->r[CM_SP] = sp & ~3u;
    core->r[CM_LR] = 0xffffffffu;
    core->r[CM_PC] = pc & ~1u;
    return core->r[CM_SP] >= core->stack_low || cm_stack_low(core, core->r[CM_SP]);
}

uint64_t cm_core_next_event(cm_core *core)
{
    const uint64_t tick = cm_systick_event(core);
    const uint64_t board = core->bus.event(core->bus.board, core->cycles);
    return tick < board ? tick : board;
}

cm_stop cm_core_run(cm_core *core, uint64_t until)
{
    for (;;) {
        const uint64_t event = cm_core_next_event(core);
        const unsigned due = cm_exception_due(core);
        if (due != CM_NONE && !cm_exception_enter(core, due))
            return core->stop;
        if (core->halt)
            return CM_HALTED;
        if (core->cycles >= until)
            return CM_DEADLINE;
        if (core->flush)
            forget_code(core);
        core->deadline = event < until ? event : until;
        if (core->deadline - core->cycles > LONGEST)
            core->deadline = core->cycles + LONGEST;
        const cm_stop stop = core->instructions->execute(core);
        if (stop != CM_DEADLINE)
            return stop;
    }
}

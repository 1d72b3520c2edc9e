/* State of a core: its memory for decoded instructions, and reset. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include "frontend.h"

bool hz_core_init(hz_core *core)
{
    core->code_ops = calloc(core->code_size / 2 + 1, sizeof *core->code_ops);
    core->ram_ops = calloc(core->ram_size / 2 + 1, sizeof *core->ram_ops);
    return core->code_ops != NULL && core->ram_ops != NULL;
}

void hz_core_free(hz_core *core)
{
    free(core->code_ops);
    free(core->ram_ops);
}

void hz_core_reset(hz_core *core, uint32_t pc)
{
    memset(core->x, 0, sizeof core->x);
    core->pc = pc;
    core->fetch = (hz_frontend){.known = false};
    hz_jump(&core->fetch, pc);
    core->loaded = 0;
    core->exclusive_before = core->reserved = core->halt = false;
    core->mstatus = 0x1800;
    core->mie = core->mip = core->mtvec = core->mscratch = core->mepc = core->mcause = core->mtval =
        core->mcounteren = 0;
    core->mcountinhibit = 5;
    core->cycle_base = core->retired_base = 0;
    core->irq_enabled = core->irq_lines = core->irq_forced = 0;
    core->stack_low = UINT32_MAX;
    core->flush = true;
    core->fault = NULL;
}

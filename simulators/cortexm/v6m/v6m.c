/* ARMv6-M for the core: decoded code, and the cycles of exceptions (docs/explain/cortexm.md). */
#include "v6m.h"

#include <stdlib.h>
#include <string.h>

#include "watch.h"

enum {
    /* to the first instruction of a handler, with memory that does not wait: DDI 0484 3.9 */
    ENTRY_CYCLES = 15,
    ENTRY_FETCHES = 2,  /* of these, the last ones: the fetch at the handler */
    RETURN_CYCLES = 12, /* inferred: eight loads, a branch and its fetch */
};

static bool start(cm_core *core)
{
    cm6_core *const v6m = (cm6_core *)core;
    v6m->flash_ops = calloc(core->flash_size / 2 + 1, sizeof *v6m->flash_ops);
    v6m->ram_ops = calloc(core->ram_size / 2 + 1, sizeof *v6m->ram_ops);
    v6m->sets = v6m->set_count != 0 ? calloc(v6m->set_count, sizeof *v6m->sets) : NULL;
    return v6m->flash_ops != NULL && v6m->ram_ops != NULL &&
           (v6m->sets != NULL || v6m->set_count == 0);
}

static void end(cm_core *core)
{
    cm6_core *const v6m = (cm6_core *)core;
    free(v6m->flash_ops);
    free(v6m->ram_ops);
    free(v6m->sets);
}

static void forget(cm_core *core)
{
    cm6_core *const v6m = (cm6_core *)core;
    const size_t flash = core->flash_size / 2, ram = core->ram_size / 2;
    memset(v6m->flash_ops, 0, flash * sizeof *v6m->flash_ops);
    memset(v6m->ram_ops, 0, ram * sizeof *v6m->ram_ops);
    v6m->flash_ops[flash] = v6m->ram_ops[ram] = (cm6_op){.code = CM6_OP_RUNAWAY};
}

static void forget_at(cm_core *core, uint32_t offset)
{
    cm6_core *const v6m = (cm6_core *)core;
    const uint32_t first = offset >> 1;
    for (uint32_t i = first > 0 ? first - 1 : 0; i < first + 2; i++)
        v6m->ram_ops[i] = (cm6_op){.code = CM6_OP_DECODE};
}

static unsigned load_wait(cm_core *core, uint32_t address)
{
    return cm6_load_wait((cm6_core *)core, address, false);
}

static void entered(cm_core *core)
{
    cm6_core *const v6m = (cm6_core *)core;
    core->cycles += ENTRY_CYCLES;
    core->cycles += cm6_target_wait(
        v6m, core->r[CM_PC], 0, v6m->hit_end == core->cycles - ENTRY_FETCHES, core->cycles);
}

static void left(cm_core *core, bool floats)
{
    (void)floats; /* it has none */
    core->cycles += RETURN_CYCLES;
    core->cycles += cm6_target_wait((cm6_core *)core, core->r[CM_PC], 0, false, core->cycles);
}

#define INSTRUCTIONS(executes)  \
    {                           \
        .start = start,         \
        .end = end,             \
        .execute = (executes),  \
        .forget = forget,       \
        .forget_at = forget_at, \
        .load_wait = load_wait, \
        .entered = entered,     \
        .left = left,           \
    }

const cm_instructions cm6_instructions = INSTRUCTIONS(cm6_execute);
const cm_instructions cm6_watched = INSTRUCTIONS(cm6_execute_watched);

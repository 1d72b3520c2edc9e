/* Functions of ARMv7-M for the core: decoded code, and the cycles of exceptions. */
#include "v7m.h"

#include <stdlib.h>
#include <string.h>

#include "../v8m/v8m.h"
#include "watch.h"

enum { ENTRY_CYCLES = 12, RETURN_CYCLES = 10 }; /* ARM DDI 0439 section 3.9 */

static bool start(cm_core *core)
{
    cm7_core *const v7m = (cm7_core *)core;
    v7m->ram_near = core->ram_size;
    v7m->flash_ops = calloc(core->flash_size / 2 + 1, sizeof *v7m->flash_ops);
    v7m->ram_ops = calloc(core->ram_size / 2 + 1, sizeof *v7m->ram_ops);
    return v7m->flash_ops != NULL && v7m->ram_ops != NULL;
}

static void end(cm_core *core)
{
    cm7_core *const v7m = (cm7_core *)core;
    free(v7m->flash_ops);
    free(v7m->ram_ops);
    cm7_accelerator_free(v7m->accelerator);
}

static void reset(cm_core *core)
{
    cm7_core *const v7m = (cm7_core *)core;
    v7m->float_at = v7m->float_until = 0;
    v7m->float_result = 0xff;
    v7m->next = UINT32_MAX;
    v7m->late = 0;
    if (core->cycles == 0)
        core->cycles = 1; /* code is fetched before it is executed */
}

static void forget(cm_core *core)
{
    cm7_core *const v7m = (cm7_core *)core;
    const size_t flash = core->flash_size / 2, ram = core->ram_size / 2;
    memset(v7m->flash_ops, 0, flash * sizeof *v7m->flash_ops);
    memset(v7m->ram_ops, 0, ram * sizeof *v7m->ram_ops);
    v7m->flash_ops[flash] = v7m->ram_ops[ram] = (cm7_op){.code = CM7_OP_RUNAWAY};
}

static void forget_at(cm_core *core, uint32_t offset)
{
    cm7_core *const v7m = (cm7_core *)core;
    const uint32_t first = offset >> 1;
    for (uint32_t i = first > 0 ? first - 1 : 0; i < first + 2; i++)
        v7m->ram_ops[i] = (cm7_op){.code = CM7_OP_DECODE};
}

static uint32_t block(const cm_core *core)
{
    const cm7_core *const v7m = (const cm7_core *)core;
    const uint32_t pc = core->r[CM_PC];
    const cm7_op *op = cm_in_flash(core, pc) ? &v7m->flash_ops[(pc - core->flash_base) >> 1]
                                             : &v7m->ram_ops[(pc - core->ram_base) >> 1];
    return (op->it & 3u) << 25 | (op->it >> 2 & 63u) << 10;
}

static void entered(cm_core *core)
{
    ((cm7_core *)core)->next = UINT32_MAX;
    core->cycles += ENTRY_CYCLES;
}

static void left(cm_core *core, bool floats)
{
    core->cycles += RETURN_CYCLES + (floats ? CM_FLOATS - 1 : 0);
}

#define INSTRUCTIONS(executes)  \
    {                           \
        .extended = true,       \
        .start = start,         \
        .end = end,             \
        .reset = reset,         \
        .execute = (executes),  \
        .forget = forget,       \
        .forget_at = forget_at, \
        .block = block,         \
        .entered = entered,     \
        .left = left,           \
    }

const cm_instructions cm7_instructions = INSTRUCTIONS(cm7_execute);
const cm_instructions cm7_watched = INSTRUCTIONS(cm7_execute_watched);
const cm_instructions cm8_instructions = INSTRUCTIONS(cm8_execute);
const cm_instructions cm8_watched = INSTRUCTIONS(cm8_execute_watched);

void cm7_set_flash(cm7_core *v7m, cm7_flash_timing timing)
{
    v7m->timing = timing;
    memset(v7m->line_tags, 0xff, sizeof v7m->line_tags);
    v7m->data_line = UINT32_MAX;
    v7m->fill_until = 0;
    cm_core_kick(&v7m->core);
}

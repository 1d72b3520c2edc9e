/* Instructions into operations, and how they use the pipeline. */
#include "decode.h"
#include "../v8m/v8m.h"
#include "pipeline.h"

/* Late registers for the next instruction: cm7_op.after. */
static uint32_t leaves(const cm7_op *op)
{
    const unsigned code = op->code;
    const bool writes_base =
        code >= CM7_OP_LDR_I && code <= CM7_OP_STRB_POST &&
        ((code - CM7_OP_LDR_I) % CM7_ATS == CM7_AT_PRE ||
         (code - CM7_OP_LDR_I) % CM7_ATS == CM7_AT_POST);
    const uint32_t base = writes_base ? 1u << op->n : 0u;
    if (code >= CM7_OP_TST_I && code <= CM7_OP_CMN_RRX)
        return 0;
    if (code >= CM7_OP_UMULL && code <= CM7_OP_UMAAL)
        return 1u << op->d | 1u << op->a;
    if (code == CM7_OP_DSP_LONG)
        return 1u << op->d | 1u << op->a;
    if (code >= CM7_OP_AND_I && code <= CM7_OP_DSP)
        return 1u << op->d;
    if (code >= CM7_OP_LDR_I && code <= CM7_OP_LDRSB_POST)
        return 1u << op->d | base | CM7_LOADED;
    if (code == CM7_OP_LDR_LITERAL)
        return 1u << op->d | CM7_LOADED;
    if (code >= CM7_OP_STR_I && code <= CM7_OP_STRB_POST)
        return base | CM7_STORED;
    return 0;
}

/* Use of the pipeline by an instruction at `pc`. */
static void stages(const cm7_core *v7m, cm7_op *op, uint32_t pc)
{
    const bool wide = op->halfwords == 2;
    op->after = leaves(op) | (wide ? 0u : CM7_NARROW);
    op->fetch = (uint8_t)(((wide || (pc & 2) != 0) ? CM7_ENDS_WORD : 0) |
                          ((wide && (pc & 2) != 0) ? CM7_STRADDLES : 0) |
                          (cm7_tells(v7m, pc + 12) ? CM7_TOLD : 0));
}

void cm7_decode(cm7_core *v7m, cm7_op *op, uint32_t pc, unsigned it)
{
    cm_core *const core = &v7m->core;
    const bool flash = cm_in_flash(core, pc);
    const uint32_t offset = pc - (flash ? core->flash_base : core->ram_base);
    const uint32_t size = flash ? core->flash_size : core->ram_size;
    const uint8_t *at = (flash ? core->flash : core->ram) + offset;
    const uint32_t code = sim_get16(at);
    const bool wide = code >= 0xe800;
    *op = (cm7_op){.code = CM7_OP_UNDEFINED, .halfwords = wide ? 2 : 1, .it = (uint8_t)it};
    if (!wide)
        cm7_decode_narrow(core, op, code, pc);
    else if (offset + 4 <= size)
        cm7_decode_wide(core, op, code, sim_get16(at + 2), pc);
    if (core->armv8m) {
        if (wide && op->code == CM7_OP_UNDEFINED && offset + 4 <= size)
            cm8_decode_wide(op, code, sim_get16(at + 2));
        cm8_schedule(op);
    } else {
        stages(v7m, op, pc);
    }
    if (it != 0 && op->code != CM7_OP_UNDEFINED) {
        op->real = op->code;
        op->code = CM7_OP_CONDITIONAL;
        op->condition = (uint8_t)(it >> 4);
    }
    if (!flash)
        cm_ram_decoded(core, offset);
}

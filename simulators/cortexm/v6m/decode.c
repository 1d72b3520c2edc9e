/* Instructions into operations: ARM DDI 0419, chapter A5 (encodings) and A6 (operands). */
#include "ops.h"

static uint32_t bits(uint32_t value, unsigned from, unsigned count)
{
    return value >> from & ((1u << count) - 1);
}

static int32_t sign_extend(uint32_t value, unsigned width)
{
    const uint32_t sign = 1u << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

/* The slot and line of a transfer from `address`. */
static uint8_t slot_of(const cm6_core *v6m, uint32_t address, uint32_t *line)
{
    *line = 0;
    if (!cm_in_flash(&v6m->core, address) || (v6m->timing.hit == 0 && v6m->timing.miss == 0))
        return CM6_SLOT_HIT;
    *line = address >> 3;
    const uint32_t lines = v6m->sets != NULL ? CM6_RECENT_LINES : CM6_FLASH_LINES;
    return v6m->timing.cached ? (uint8_t)(CM6_SLOT_LINE + *line % lines) : CM6_SLOT_WAIT;
}

static void set(cm6_op *op, unsigned code, uint32_t a, uint32_t b, uint32_t imm)
{
    op->code = (uint8_t)code;
    op->a = (uint8_t)a;
    op->b = (uint8_t)b;
    op->imm = imm;
}

/* A branch to a target in the same memory. */
static void set_branch(const cm6_core *v6m, cm6_op *op, unsigned code, uint32_t pc, uint32_t target)
{
    set(op, code, 0, 0, target);
    op->b = slot_of(v6m, target, &op->other_line);
    if (!cm_in_same_memory(&v6m->core, pc, target))
        set(op, CM6_OP_RUNAWAY, 0, 0, target);
}

static void decode_alu(cm6_op *op, uint32_t code)
{
    static const uint8_t codes[16] = {
        CM6_OP_ANDS, CM6_OP_EORS, CM6_OP_LSLS, CM6_OP_LSRS, CM6_OP_ASRS, CM6_OP_ADCS,
        CM6_OP_SBCS, CM6_OP_RORS, CM6_OP_TST,  CM6_OP_RSBS, CM6_OP_CMP,  CM6_OP_CMN,
        CM6_OP_ORRS, CM6_OP_MULS, CM6_OP_BICS, CM6_OP_MVNS,
    };
    set(op, codes[bits(code, 6, 4)], bits(code, 0, 3), bits(code, 3, 3), 0);
}

/* 0100 01: high registers, and branches through registers. */
static void decode_special(cm6_op *op, uint32_t code, uint32_t pc)
{
    const uint32_t d = bits(code, 0, 3) | bits(code, 7, 1) << 3, m = bits(code, 3, 4);
    switch (bits(code, 8, 2)) {
    case 0: /* ADD */
        if (m == CM_PC && d == CM_PC)
            break;
        if (d == CM_PC)
            set(op, CM6_OP_ADD_PC, 0, m, pc + 4);
        else if (m == CM_PC)
            set(op, d == CM_SP ? CM6_OP_SP_I : CM6_OP_ADD_I, d, d, pc + 4);
        else
            set(op, d == CM_SP ? CM6_OP_ADD_SP : CM6_OP_ADD, d, m, 0);
        return;
    case 1: /* CMP: not of two low registers, not of PC */
        if ((d < 8 && m < 8) || d == CM_PC || m == CM_PC)
            break;
        set(op, CM6_OP_CMP, d, m, 0);
        return;
    case 2: /* MOV */
        if (d == CM_PC && m == CM_PC)
            break;
        if (d == CM_PC)
            set(op, CM6_OP_MOV_PC, 0, m, 0);
        else if (d == CM_SP && m == CM_PC)
            break;
        else if (m == CM_PC)
            set(op, CM6_OP_MOV_I, d, 0, pc + 4);
        else
            set(op, d == CM_SP ? CM6_OP_MOV_SP : CM6_OP_MOV, d, m, 0);
        return;
    default: /* BX, BLX */
        if (m == CM_PC || (code & 7) != 0)
            break;
        set(op, (code & 0x80) != 0 ? CM6_OP_BLX : CM6_OP_BX, 0, m, pc + 2);
        return;
    }
    set(op, CM6_OP_UNDEFINED, 0, 0, 0);
}

/* Loads and stores of one register: 0101, 011, 1000, 1001. */
static void decode_transfer(cm6_op *op, uint32_t code)
{
    static const uint8_t by_register[8] = {CM6_OP_STR, CM6_OP_STRH, CM6_OP_STRB, CM6_OP_LDRSB,
                                           CM6_OP_LDR, CM6_OP_LDRH, CM6_OP_LDRB, CM6_OP_LDRSH};
    const uint32_t t = bits(code, 0, 3), n = bits(code, 3, 3), imm = bits(code, 6, 5);
    switch (code >> 11) {
    case 10:
    case 11:
        set(op, by_register[bits(code, 9, 3)], t, n, bits(code, 6, 3));
        break;
    case 12:
        set(op, CM6_OP_STR_I, t, n, imm << 2);
        break;
    case 13:
        set(op, CM6_OP_LDR_I, t, n, imm << 2);
        break;
    case 14:
        set(op, CM6_OP_STRB_I, t, n, imm);
        break;
    case 15:
        set(op, CM6_OP_LDRB_I, t, n, imm);
        break;
    case 16:
        set(op, CM6_OP_STRH_I, t, n, imm << 1);
        break;
    case 17:
        set(op, CM6_OP_LDRH_I, t, n, imm << 1);
        break;
    case 18:
        set(op, CM6_OP_STR_I, bits(code, 8, 3), CM_SP, bits(code, 0, 8) << 2);
        break;
    default:
        set(op, CM6_OP_LDR_I, bits(code, 8, 3), CM_SP, bits(code, 0, 8) << 2);
        break;
    }
}

static void set_list(cm6_op *op, unsigned code, uint32_t n, uint32_t list)
{
    set(op, list == 0 ? CM6_OP_UNDEFINED : code, n, (uint32_t)__builtin_popcount(list), list);
}

/* 1011: miscellaneous. */
static void decode_miscellaneous(cm6_op *op, uint32_t code)
{
    static const uint8_t extend[4] = {CM6_OP_SXTH, CM6_OP_SXTB, CM6_OP_UXTH, CM6_OP_UXTB};
    static const uint8_t reverse[4] = {CM6_OP_REV, CM6_OP_REV16, CM6_OP_UNDEFINED, CM6_OP_REVSH};
    static const uint8_t hints[5] = {CM6_OP_NOP, CM6_OP_NOP, CM6_OP_WFE, CM6_OP_WFI, CM6_OP_SEV};
    const uint32_t which = bits(code, 4, 4);
    set(op, CM6_OP_UNDEFINED, 0, 0, 0);
    switch (bits(code, 8, 4)) {
    case 0:
        set(op, CM6_OP_SP_I, CM_SP, CM_SP,
            (code & 0x80) != 0 ? 0u - (bits(code, 0, 7) << 2) : bits(code, 0, 7) << 2);
        break;
    case 2:
        set(op, extend[bits(code, 6, 2)], bits(code, 0, 3), bits(code, 3, 3), 0);
        break;
    case 4:
    case 5:
        set_list(op, CM6_OP_PUSH, CM_SP, bits(code, 0, 8) | bits(code, 8, 1) << CM_LR);
        break;
    case 6:
        if ((code & 0xffef) == 0xb662)
            set(op, CM6_OP_CPS, 0, 0, bits(code, 4, 1));
        break;
    case 10:
        set(op, reverse[bits(code, 6, 2)], bits(code, 0, 3), bits(code, 3, 3), 0);
        break;
    case 12:
        set_list(op, CM6_OP_POP, CM_SP, bits(code, 0, 8));
        break;
    case 13:
        set_list(op, CM6_OP_POP_PC, CM_SP, bits(code, 0, 8) | 1u << CM_PC);
        break;
    case 14:
        set(op, CM6_OP_BKPT, 0, 0, bits(code, 0, 8));
        break;
    case 15: /* other hints are NOP too */
        if ((code & 15) == 0)
            set(op, which < sizeof hints ? hints[which] : CM6_OP_NOP, 0, 0, 0);
        break;
    default:
        break;
    }
}

/* 1101: conditional branches, UDF, SVC. */
static void decode_conditional(const cm6_core *v6m, cm6_op *op, uint32_t code, uint32_t pc)
{
    const uint32_t condition = bits(code, 8, 4);
    if (condition == 14)
        set(op, CM6_OP_UNDEFINED, 0, 0, 0);
    else if (condition == 15)
        set(op, CM6_OP_SVC, 0, 0, bits(code, 0, 8));
    else
        set_branch(v6m, op, CM6_OP_BEQ + condition, pc,
                   pc + 4 + 2 * (uint32_t)sign_extend(code & 0xff, 8));
}

/* 32 bits: BL, MSR, MRS and barriers. */
static void decode_wide(const cm6_core *v6m, cm6_op *op, uint32_t first, uint32_t second,
                        uint32_t pc)
{
    if ((second & 0xd000) == 0xd000) {
        const uint32_t sign = bits(first, 10, 1);
        const uint32_t i1 = (~(bits(second, 13, 1) ^ sign)) & 1,
                       i2 = (~(bits(second, 11, 1) ^ sign)) & 1;
        const uint32_t offset =
            sign << 24 | i1 << 23 | i2 << 22 | bits(first, 0, 10) << 12 | bits(second, 0, 11) << 1;
        set_branch(v6m, op, CM6_OP_BL, pc, pc + 4 + (uint32_t)sign_extend(offset, 25));
        return;
    }
    set(op, CM6_OP_UNDEFINED, 0, 0, 0);
    if ((first & 0xfff0) == 0xf380 && (second & 0xff00) == 0x8800 && bits(first, 0, 4) < CM_SP)
        set(op, CM6_OP_MSR, bits(first, 0, 4), 0, bits(second, 0, 8));
    else if (first == 0xf3ef && (second & 0xf000) == 0x8000 && bits(second, 8, 4) < CM_SP)
        set(op, CM6_OP_MRS, bits(second, 8, 4), 0, bits(second, 0, 8));
    else if (first == 0xf3bf && (second & 0xff00) == 0x8f00 && bits(second, 4, 4) - 4 < 3)
        set(op, CM6_OP_BARRIER, 0, 0, 0);
}

static void decode_narrow(const cm6_core *v6m, cm6_op *op, uint32_t code, uint32_t pc)
{
    const uint32_t d = bits(code, 0, 3), n = bits(code, 3, 3), imm5 = bits(code, 6, 5),
                   imm8 = bits(code, 0, 8);
    const uint32_t d8 = bits(code, 8, 3);
    switch (code >> 11) {
    case 0:
        set(op, imm5 == 0 ? CM6_OP_MOVS : CM6_OP_LSLS_I, d, n, imm5);
        break;
    case 1:
        set(op, imm5 == 0 ? CM6_OP_LSRS_32 : CM6_OP_LSRS_I, d, n, imm5);
        break;
    case 2:
        set(op, imm5 == 0 ? CM6_OP_ASRS_32 : CM6_OP_ASRS_I, d, n, imm5);
        break;
    case 3:
        if ((code & 0x400) != 0)
            set(op, (code & 0x200) != 0 ? CM6_OP_SUBS_I : CM6_OP_ADDS_I, d, n, bits(code, 6, 3));
        else
            set(op, (code & 0x200) != 0 ? CM6_OP_SUBS : CM6_OP_ADDS, d, n, bits(code, 6, 3));
        break;
    case 4:
        set(op, CM6_OP_MOVS_I, d8, 0, imm8);
        break;
    case 5:
        set(op, CM6_OP_CMP_I, d8, d8, imm8);
        break;
    case 6:
        set(op, CM6_OP_ADDS_I, d8, d8, imm8);
        break;
    case 7:
        set(op, CM6_OP_SUBS_I, d8, d8, imm8);
        break;
    case 8:
        if ((code & 0x400) != 0)
            decode_special(op, code, pc);
        else
            decode_alu(op, code);
        break;
    case 9:
        set(op, CM6_OP_LDR_LITERAL, d8, 0, ((pc + 4) & ~3u) + (imm8 << 2));
        op->b = slot_of(v6m, op->imm, &op->other_line);
        break;
    case 20:
        set(op, CM6_OP_MOV_I, d8, 0, ((pc + 4) & ~3u) + (imm8 << 2));
        break;
    case 21:
        set(op, CM6_OP_ADD_I, d8, CM_SP, imm8 << 2);
        break;
    case 22:
    case 23:
        decode_miscellaneous(op, code);
        break;
    case 24:
        set_list(op, CM6_OP_STM, d8, imm8);
        break;
    case 25:
        set_list(op, CM6_OP_LDM, d8, imm8);
        break;
    case 26:
    case 27:
        decode_conditional(v6m, op, code, pc);
        break;
    case 28: {
        const uint32_t target = pc + 4 + 2 * (uint32_t)sign_extend(code & 0x7ff, 11);
        set_branch(v6m, op, target == pc ? CM6_OP_B_SELF : CM6_OP_B, pc, target);
        break;
    }
    default:
        decode_transfer(op, code);
        break;
    }
}

void cm6_decode(cm6_core *v6m, cm6_op *op, uint32_t pc)
{
    cm_core *const core = &v6m->core;
    const bool flash = cm_in_flash(core, pc);
    const uint32_t offset = pc - (flash ? core->flash_base : core->ram_base);
    const uint32_t size = flash ? core->flash_size : core->ram_size;
    const uint8_t *at = (flash ? core->flash : core->ram) + offset;
    const uint32_t code = sim_get16(at);
    const bool wide = code >= 0xe800;
    /* The instruction whose last lower halfword this is fetches the word behind that. */
    const bool fetches = wide || (pc & 2) == 0;
    const uint32_t ahead = (pc & ~3u) + (wide && (pc & 2) != 0 ? 8 : 4);
    op->slot = CM6_SLOT_HIT;
    op->line = op->other_line = 0;
    if (fetches && flash)
        op->slot = slot_of(v6m, ahead, &op->line);
    if (!wide)
        decode_narrow(v6m, op, code, pc);
    else if (code >= 0xf000 && code < 0xf800 && offset + 4 <= size)
        decode_wide(v6m, op, code, sim_get16(at + 2), pc);
    else
        set(op, CM6_OP_UNDEFINED, 0, 0, 0);
    if (!flash)
        cm_ram_decoded(core, offset);
}

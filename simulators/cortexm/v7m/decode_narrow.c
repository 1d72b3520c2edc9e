/* The 16-bit encodings: ARM DDI 0403 section A5.2. */
#include "decode.h"

/* The routine with or without flags: 16-bit instructions set them outside IT blocks only. */
static unsigned flags(const cm7_op *op, unsigned code)
{
    return op->it == 0 ? code + CM7_FORMS : code;
}

static void alu(cm7_op *op, uint32_t code)
{
    static const uint16_t codes[16] = {
        CM7_OP_AND_R, CM7_OP_EOR_R, CM7_OP_LSL,   CM7_OP_LSR,   CM7_OP_ASR,   CM7_OP_ADC_R,
        CM7_OP_SBC_R, CM7_OP_ROR,   CM7_OP_TST_R, CM7_OP_RSB_I, CM7_OP_CMP_R, CM7_OP_CMN_R,
        CM7_OP_ORR_R, CM7_OP_MUL,   CM7_OP_BIC_R, CM7_OP_MVN_R,
    };
    const uint32_t dn = cm7_bits(code, 0, 3), m = cm7_bits(code, 3, 3),
                   which = cm7_bits(code, 6, 4);
    unsigned found = codes[which];
    switch (which) {
    case 2:
    case 3:
    case 4:
    case 7:
    case 13:
        found += op->it == 0;
        break; /* shifts, MUL */
    case 8:
    case 10:
    case 11:
        break; /* comparisons */
    default:
        found = flags(op, found);
        break;
    }
    cm7_set(op, found, dn, which == 9 ? m : dn, m, 0);
}

/* 0100 01: high registers, and branches through registers. */
static void special(cm7_op *op, uint32_t code, uint32_t pc)
{
    const uint32_t d = cm7_bits(code, 0, 3) | cm7_bits(code, 7, 1) << 3, m = cm7_bits(code, 3, 4);
    switch (cm7_bits(code, 8, 2)) {
    case 0: /* ADD */
        if (m == CM_PC && d == CM_PC)
            return;
        if (d == CM_PC)
            cm7_set(op, CM7_OP_ADD_PC, 0, 0, m, pc + 4);
        else if (m == CM_PC)
            cm7_set(op, d == CM_SP ? CM7_OP_SP_ADD_I : CM7_OP_ADD_I, d, d, 0, pc + 4);
        else
            cm7_set(op, d == CM_SP ? CM7_OP_SP_ADD : CM7_OP_ADD_R, d, d, m, 0);
        return;
    case 1: /* CMP: not of two low registers, not of PC */
        if ((d >= 8 || m >= 8) && d != CM_PC && m != CM_PC)
            cm7_set(op, CM7_OP_CMP_R, 0, d, m, 0);
        return;
    case 2: /* MOV */
        if (m == CM_PC && (d == CM_PC || d == CM_SP))
            return;
        if (d == CM_PC)
            cm7_set(op, CM7_OP_MOV_PC, 0, 0, m, 0);
        else if (m == CM_PC)
            cm7_set(op, CM7_OP_MOV_I, d, 0, 0, pc + 4);
        else if (d == CM_SP)
            cm7_set(op, CM7_OP_SP_ADD_I, d, m, 0, 0);
        else
            cm7_set(op, CM7_OP_MOV_R, d, 0, m, 0);
        return;
    default: /* BX, BLX */
        if (m != CM_PC && (code & 7) == 0)
            cm7_set(op, (code & 0x80) != 0 ? CM7_OP_BLX : CM7_OP_BX, 0, 0, m, pc + 2);
        return;
    }
}

/* Loads and stores of one register: 0101, 011, 1000, 1001. */
static void transfer(cm7_op *op, uint32_t code)
{
    static const uint16_t by_register[8] = {
        CM7_OP_STR_X, CM7_OP_STRH_X, CM7_OP_STRB_X, CM7_OP_LDRSB_X,
        CM7_OP_LDR_X, CM7_OP_LDRH_X, CM7_OP_LDRB_X, CM7_OP_LDRSH_X};
    const uint32_t t = cm7_bits(code, 0, 3), n = cm7_bits(code, 3, 3), imm = cm7_bits(code, 6, 5);
    const uint32_t t8 = cm7_bits(code, 8, 3), imm8 = cm7_bits(code, 0, 8);
    switch (code >> 11) {
    case 10:
    case 11:
        cm7_set(op, by_register[cm7_bits(code, 9, 3)], t, n, cm7_bits(code, 6, 3), 0);
        break;
    case 12:
        cm7_set(op, CM7_OP_STR_I, t, n, 0, imm << 2);
        break;
    case 13:
        cm7_set(op, CM7_OP_LDR_I, t, n, 0, imm << 2);
        break;
    case 14:
        cm7_set(op, CM7_OP_STRB_I, t, n, 0, imm);
        break;
    case 15:
        cm7_set(op, CM7_OP_LDRB_I, t, n, 0, imm);
        break;
    case 16:
        cm7_set(op, CM7_OP_STRH_I, t, n, 0, imm << 1);
        break;
    case 17:
        cm7_set(op, CM7_OP_LDRH_I, t, n, 0, imm << 1);
        break;
    case 18:
        cm7_set(op, CM7_OP_STR_I, t8, CM_SP, 0, imm8 << 2);
        break;
    default:
        cm7_set(op, CM7_OP_LDR_I, t8, CM_SP, 0, imm8 << 2);
        break;
    }
}

/* Lists: n the base, m the number of registers, a: 1 to write the base back, 2 for addresses below
 * it. */
static void list(cm7_op *op, unsigned code, uint32_t n, uint32_t registers, unsigned how)
{
    if (registers == 0)
        return;
    cm7_set(op, code, 0, n, (uint32_t)__builtin_popcount(registers), registers);
    op->a = (uint8_t)how;
}

static void hint(cm7_op *op, uint32_t code)
{
    static const uint16_t hints[5] = {CM7_OP_NOP, CM7_OP_NOP, CM7_OP_WFE, CM7_OP_WFI, CM7_OP_SEV};
    const uint32_t which = cm7_bits(code, 4, 4), mask = code & 15;
    if (mask == 0)
        cm7_set(op, which < 5 ? hints[which] : CM7_OP_NOP, 0, 0, 0, 0);
    else if (which < 15 && !(which == 14 && (mask & (mask - 1)) != 0) && op->it == 0)
        cm7_set(op, CM7_OP_IT, 0, 0, 0, code & 0xff);
}

/* 1011: miscellaneous. */
static void miscellaneous(const cm_core *core, cm7_op *op, uint32_t code, uint32_t pc)
{
    static const uint16_t extend[4] = {CM7_OP_SXTH, CM7_OP_SXTB, CM7_OP_UXTH, CM7_OP_UXTB};
    static const uint16_t reverse[4] = {CM7_OP_REV, CM7_OP_REV16, CM7_OP_UNDEFINED, CM7_OP_REVSH};
    const uint32_t low = cm7_bits(code, 0, 3), m = cm7_bits(code, 3, 3),
                   sp = cm7_bits(code, 0, 7) << 2;
    switch (cm7_bits(code, 8, 4)) {
    case 0:
        cm7_set(op, CM7_OP_SP_ADD_I, CM_SP, CM_SP, 0, (code & 0x80) != 0 ? 0u - sp : sp);
        break;
    case 1:
    case 3:
    case 9:
    case 11:
        op->n = (uint8_t)low;
        cm7_set_branch(core, op, (code & 0x800) != 0 ? CM7_OP_CBNZ : CM7_OP_CBZ, pc,
                       pc + 4 + (cm7_bits(code, 9, 1) << 6 | cm7_bits(code, 3, 5) << 1));
        break;
    case 2:
        cm7_set(op, extend[cm7_bits(code, 6, 2)], low, 0, m, 0);
        break;
    case 4:
    case 5:
        list(op, CM7_OP_STM, CM_SP, cm7_bits(code, 0, 8) | cm7_bits(code, 8, 1) << CM_LR, 3);
        break;
    case 6:
        if ((code & 0xffec) == 0xb660 && (code & 3) != 0)
            cm7_set(op, CM7_OP_CPS, 0, cm7_bits(code, 4, 1), 0, code & 3);
        break;
    case 10:
        cm7_set(op, reverse[cm7_bits(code, 6, 2)], low, 0, m, 0);
        break;
    case 12:
    case 13:
        list(op, CM7_OP_LDM, CM_SP, cm7_bits(code, 0, 8) | cm7_bits(code, 8, 1) << CM_PC, 1);
        break;
    case 14:
        cm7_set(op, CM7_OP_BKPT, 0, 0, 0, cm7_bits(code, 0, 8));
        break;
    case 15:
        hint(op, code);
        break;
    default:
        break;
    }
}

/* 1101: conditional branches, UDF, SVC. */
static void conditional(const cm_core *core, cm7_op *op, uint32_t code, uint32_t pc)
{
    const uint32_t condition = cm7_bits(code, 8, 4);
    if (condition == 15)
        cm7_set(op, CM7_OP_SVC, 0, 0, 0, cm7_bits(code, 0, 8));
    else if (condition != 14)
        cm7_set_branch(core, op, CM7_OP_BEQ + condition, pc,
                       pc + 4 + 2 * cm7_extend(code & 0xff, 8));
}

static void shift(cm7_op *op, unsigned form, uint32_t d, uint32_t m, uint32_t by)
{
    if (form != CM7_FORM_LSL && by == 0)
        by = 32;
    cm7_set(op, flags(op, CM7_OP_MOV_I + (by == 0 ? CM7_FORM_R : form)), d, 0, m, by);
}

void cm7_decode_narrow(const cm_core *core, cm7_op *op, uint32_t code, uint32_t pc)
{
    const uint32_t d = cm7_bits(code, 0, 3), n = cm7_bits(code, 3, 3), imm5 = cm7_bits(code, 6, 5);
    const uint32_t d8 = cm7_bits(code, 8, 3), imm8 = cm7_bits(code, 0, 8),
                   imm3 = cm7_bits(code, 6, 3);
    const unsigned sum = (code & 0x200) != 0 ? CM7_OP_SUB_I : CM7_OP_ADD_I;
    switch (code >> 11) {
    case 0:
        shift(op, CM7_FORM_LSL, d, n, imm5);
        break;
    case 1:
        shift(op, CM7_FORM_LSR, d, n, imm5);
        break;
    case 2:
        shift(op, CM7_FORM_ASR, d, n, imm5);
        break;
    case 3:
        cm7_set(op, flags(op, sum + ((code & 0x400) != 0 ? CM7_FORM_I : CM7_FORM_R)), d, n, imm3,
                imm3);
        break;
    case 4:
        cm7_set(op, flags(op, CM7_OP_MOV_I), d8, 0, 0, imm8);
        break;
    case 5:
        cm7_set(op, CM7_OP_CMP_I, 0, d8, 0, imm8);
        break;
    case 6:
        cm7_set(op, flags(op, CM7_OP_ADD_I), d8, d8, 0, imm8);
        break;
    case 7:
        cm7_set(op, flags(op, CM7_OP_SUB_I), d8, d8, 0, imm8);
        break;
    case 8:
        if ((code & 0x400) != 0)
            special(op, code, pc);
        else
            alu(op, code);
        break;
    case 9:
        cm7_set(op, CM7_OP_LDR_LITERAL, d8, 0, 0, ((pc + 4) & ~3u) + (imm8 << 2));
        break;
    case 20:
        cm7_set(op, CM7_OP_MOV_I, d8, 0, 0, ((pc + 4) & ~3u) + (imm8 << 2));
        break;
    case 21:
        cm7_set(op, CM7_OP_ADD_I, d8, CM_SP, 0, imm8 << 2);
        break;
    case 22:
    case 23:
        miscellaneous(core, op, code, pc);
        break;
    case 24:
        list(op, CM7_OP_STM, d8, imm8, 1);
        break;
    case 25:
        list(op, CM7_OP_LDM, d8, imm8, (imm8 >> d8 & 1) == 0);
        break;
    case 26:
    case 27:
        conditional(core, op, code, pc);
        break;
    case 28: {
        const uint32_t target = pc + 4 + 2 * cm7_extend(code & 0x7ff, 11);
        cm7_set_branch(core, op, target == pc ? CM7_OP_B_SELF : CM7_OP_B, pc, target);
        break;
    }
    default:
        transfer(op, code);
        break;
    }
}

/* The 32-bit instructions but those of the floating-point unit: ARM DDI 0403 section A5.3. */
#include "decode.h"

static uint32_t rotate(uint32_t value, unsigned by)
{
    return value >> (by & 31) | value << (-by & 31);
}

/* A constant of 12 bits (section A5.3.2). `carry`: 2 and the carry, if it sets one; else 0. */
static uint32_t expand(uint32_t imm, unsigned *carry)
{
    const uint32_t byte = imm & 0xff;
    *carry = 0;
    switch (imm >> 8) {
    case 0:
        return byte;
    case 1:
        return byte << 16 | byte;
    case 2:
        return byte << 24 | byte << 8;
    case 3:
        return byte * 0x01010101u;
    default:
        break;
    }
    const uint32_t value = rotate(0x80 | (imm & 0x7f), imm >> 7);
    *carry = 2 | value >> 31;
    return value;
}

/*
 * AND to RSB with an operand in any form. `which`: the four bits of the encoding. Comparisons are
 * those that would write register 15.
 */
static void processing(cm7_op *op, uint32_t which, bool sets, unsigned form, uint32_t d, uint32_t n,
                       uint32_t m, uint32_t imm, uint32_t pc)
{
    static const uint16_t codes[16] = {
        [0] = CM7_OP_AND_I,  [1] = CM7_OP_BIC_I,  [2] = CM7_OP_ORR_I,  [3] = CM7_OP_ORN_I,
        [4] = CM7_OP_EOR_I,  [8] = CM7_OP_ADD_I,  [10] = CM7_OP_ADC_I, [11] = CM7_OP_SBC_I,
        [13] = CM7_OP_SUB_I, [14] = CM7_OP_RSB_I,
    };
    static const uint16_t comparisons[16] = {
        [0] = CM7_OP_TST_I, [4] = CM7_OP_TEQ_I, [8] = CM7_OP_CMN_I, [13] = CM7_OP_CMP_I};
    unsigned code = codes[which];
    if (code == 0)
        return;
    if (d == CM_PC) {
        if (!sets || comparisons[which] == 0)
            return;
        cm7_set(op, comparisons[which] + form, 0, n, m, imm);
        return;
    }
    if (n == CM_PC && which == 2)
        code = CM7_OP_MOV_I;
    else if (n == CM_PC && which == 3)
        code = CM7_OP_MVN_I;
    else if (n == CM_PC)
        return;
    (void)pc;
    if (d == CM_SP) { /* sums, and moves, without flags only */
        const bool adds = which == 8, takes = which == 13;
        if (sets || (!adds && !takes && code != CM7_OP_MOV_I))
            return;
        if (form == CM7_FORM_I && code != CM7_OP_MOV_I)
            cm7_set(op, CM7_OP_SP_ADD_I, d, n, 0, adds ? imm : 0u - imm);
        else if (form == CM7_FORM_R && code == CM7_OP_MOV_I)
            cm7_set(op, CM7_OP_SP_ADD_I, d, m, 0, 0);
        else if ((form == CM7_FORM_R || form == CM7_FORM_LSL) && code != CM7_OP_MOV_I)
            cm7_set(op, adds ? CM7_OP_SP_ADD : CM7_OP_SP_SUB, d, n, m,
                    form == CM7_FORM_R ? 0 : imm);
        return;
    }
    cm7_set(op, code + (sets ? CM7_FORMS : 0u) + form, d, n, m, imm);
}

static void shifted_register(cm7_op *op, uint32_t first, uint32_t second, uint32_t pc)
{
    const uint32_t which = cm7_bits(first, 5, 4),
                   by = cm7_bits(second, 12, 3) << 2 | cm7_bits(second, 6, 2);
    const uint32_t n = cm7_bits(first, 0, 4), d = cm7_bits(second, 8, 4),
                   m = cm7_bits(second, 0, 4);
    const uint32_t type = cm7_bits(second, 4, 2);
    const bool sets = (first & 0x10) != 0;
    if ((second & 0x8000) != 0)
        return;
    if (which == 6) {
        if (!sets && (type & 1) == 0)
            cm7_set(op, type == 0 ? CM7_OP_PKHBT : CM7_OP_PKHTB, d, n, m,
                    type != 0 && by == 0 ? 31 : by);
        return;
    }
    unsigned form = CM7_FORM_LSL + type;
    uint32_t imm = by;
    if (by == 0 && type == 0)
        form = CM7_FORM_R;
    else if (by == 0 && type == 3)
        form = CM7_FORM_RRX;
    else if (by == 0)
        imm = 32;
    processing(op, which, sets, form, d, n, m, imm, pc);
}

static void modified_immediate(cm7_op *op, uint32_t first, uint32_t second, uint32_t pc)
{
    unsigned carry;
    const uint32_t imm = expand(
        cm7_bits(first, 10, 1) << 11 | cm7_bits(second, 12, 3) << 8 | (second & 0xff), &carry);
    op->a = (uint8_t)carry;
    processing(op, cm7_bits(first, 5, 4), (first & 0x10) != 0, CM7_FORM_I, cm7_bits(second, 8, 4),
               first & 15, 0, imm, pc);
}

/* A saturation: the number of bits, by how much the operand is shifted, and whether to the
 * right. */
static uint32_t saturation(unsigned operation, uint32_t to, uint32_t by, bool right)
{
    return operation | to << 8 | by << 16 | (uint32_t)right << 24;
}

static void plain_immediate(cm7_op *op, uint32_t first, uint32_t second, uint32_t pc)
{
    const uint32_t n = first & 15, d = cm7_bits(second, 8, 4),
                   by = cm7_bits(second, 12, 3) << 2 | cm7_bits(second, 6, 2);
    const uint32_t imm12 =
        cm7_bits(first, 10, 1) << 11 | cm7_bits(second, 12, 3) << 8 | (second & 0xff);
    const uint32_t to = second & 31, here = (pc + 4) & ~3u;
    const bool halves = by == 0 && (first & 0x20) != 0;
    if (d == CM_PC)
        return;
    switch (cm7_bits(first, 4, 5)) {
    case 0:
    case 10: {
        const uint32_t imm = (first & 0x80) != 0 ? 0u - imm12 : imm12;
        if (n == CM_PC)
            cm7_set(op, d == CM_SP ? CM7_OP_UNDEFINED : CM7_OP_MOV_I, d, 0, 0, here + imm);
        else
            cm7_set(op, d == CM_SP ? CM7_OP_SP_ADD_I : CM7_OP_ADD_I, d, n, 0, imm);
        break;
    }
    case 4:
        cm7_set(op, CM7_OP_MOV_I, d, 0, 0, n << 12 | imm12);
        break;
    case 12:
        cm7_set(op, CM7_OP_MOVT, d, 0, 0, (n << 12 | imm12) << 16);
        break;
    case 16:
    case 18:
        cm7_set(
            op, CM7_OP_DSP, d, n, 0,
            saturation(halves ? CM7_DSP_SSAT16 : CM7_DSP_SSAT, to + 1, by, (first & 0x20) != 0));
        op->a = CM_PC;
        break;
    case 24:
    case 26:
        cm7_set(op, CM7_OP_DSP, d, n, 0,
                saturation(halves ? CM7_DSP_USAT16 : CM7_DSP_USAT, to, by, (first & 0x20) != 0));
        op->a = CM_PC;
        break;
    case 20:
    case 28: /* SBFX, UBFX: the lowest bit, and the number of bits */
        if (by + to + 1 <= 32)
            cm7_set(op, (first & 0x80) != 0 ? CM7_OP_UBFX : CM7_OP_SBFX, d, n, to + 1, by);
        break;
    case 22: /* BFI; BFC if the source is register 15 */
        if (to >= by)
            cm7_set(op, CM7_OP_BFI, d, n, to + 1 - by, by);
        break;
    default:
        break;
    }
    /* The second operand of saturations is not used. */
}

static void branch_or_control(const cm_core *core, cm7_op *op, uint32_t first, uint32_t second,
                              uint32_t pc)
{
    const uint32_t sign = cm7_bits(first, 10, 1), j1 = cm7_bits(second, 13, 1),
                   j2 = cm7_bits(second, 11, 1);
    if ((second & 0x1000) != 0) { /* B and BL with the longest offset */
        const uint32_t i1 = ~(j1 ^ sign) & 1, i2 = ~(j2 ^ sign) & 1;
        const uint32_t offset = sign << 24 | i1 << 23 | i2 << 22 | cm7_bits(first, 0, 10) << 12 |
                                cm7_bits(second, 0, 11) << 1;
        const uint32_t target = pc + 4 + cm7_extend(offset, 25);
        const bool links = (second & 0x4000) != 0;
        cm7_set_branch(core, op,
                       links          ? CM7_OP_BL
                       : target == pc ? CM7_OP_B_SELF
                                      : CM7_OP_B,
                       pc, target);
        return;
    }
    if ((second & 0x4000) != 0) /* BLX to ARM code */
        return;
    if ((first & 0x380) != 0x380) {
        const uint32_t offset = sign << 20 | j2 << 19 | j1 << 18 | cm7_bits(first, 0, 6) << 12 |
                                cm7_bits(second, 0, 11) << 1;
        cm7_set_branch(core, op, CM7_OP_BEQ + cm7_bits(first, 6, 4), pc,
                       pc + 4 + cm7_extend(offset, 21));
        return;
    }
    /* the bits of the mask: NZCVQ, GE */
    if ((first & 0xfff0) == 0xf380 && (second & 0xf300) == 0x8000)
        cm7_set(op, CM7_OP_MSR, 0, first & 15, cm7_bits(second, 10, 2), second & 0xff);
    else if (first == 0xf3ef && (second & 0xf000) == 0x8000)
        cm7_set(op, CM7_OP_MRS, cm7_bits(second, 8, 4), 0, 0, second & 0xff);
    else if (first == 0xf3af && (second & 0xff00) == 0x8000) {
        static const uint16_t hints[5] = {
            CM7_OP_NOP, CM7_OP_NOP, CM7_OP_WFE, CM7_OP_WFI, CM7_OP_SEV};
        cm7_set(op, (second & 0xff) < 5 ? hints[second & 7] : CM7_OP_NOP, 0, 0, 0, 0);
    } else if (first == 0xf3bf && (second & 0xff00) == 0x8f00) {
        const uint32_t which = cm7_bits(second, 4, 4);
        if (which == 2)
            cm7_set(op, CM7_OP_CLREX, 0, 0, 0, 0);
        else if (which >= 4 && which <= 6)
            cm7_set(op, CM7_OP_BARRIER, 0, 0, 0, 0);
    }
}

static void lists(cm7_op *op, uint32_t first, uint32_t second)
{
    const uint32_t n = first & 15, how = cm7_bits(first, 7, 2);
    const bool loads = (first & 0x10) != 0, writes = (first & 0x20) != 0;
    const uint32_t registers = second & ~(1u << CM_SP);
    if ((how != 1 && how != 2) || n == CM_PC || __builtin_popcount(registers) < 2 ||
        (!loads && (second & 0x8000) != 0) || (writes && (registers >> n & 1) != 0))
        return;
    cm7_set(op, loads ? CM7_OP_LDM : CM7_OP_STM, 0, n, (uint32_t)__builtin_popcount(registers),
            registers);
    op->a = (uint8_t)((how == 2 ? 2u : 0u) | (writes ? 1u : 0u));
}

/* Of two registers, exclusive, and through a table. */
static void dual_or_exclusive(cm7_op *op, uint32_t first, uint32_t second, uint32_t pc)
{
    const uint32_t n = first & 15, t = second >> 12, t2 = cm7_bits(second, 8, 4),
                   imm = (second & 0xff) << 2;
    const bool before = (first & 0x100) != 0, up = (first & 0x80) != 0,
               writes = (first & 0x20) != 0;
    const bool loads = (first & 0x10) != 0;
    if (before || writes) {
        const uint32_t offset = up ? imm : 0u - imm;
        if (n == CM_PC && (writes || !loads))
            return;
        cm7_set(op, loads ? CM7_OP_LDRD : CM7_OP_STRD, t, n, t2,
                n == CM_PC ? ((pc + 4) & ~3u) + offset : offset);
        op->a = before ? writes ? CM7_AT_PRE : CM7_AT_I : CM7_AT_POST;
        return;
    }
    if (!up) { /* a: 4 bytes; m: the register of the result */
        cm7_set(op, loads ? CM7_OP_LDREX : CM7_OP_STREX, t, n, t2, imm);
        op->a = 4;
        return;
    }
    const uint32_t which = cm7_bits(second, 4, 4), size = which == 4 ? 1 : 2;
    if (loads && which < 2) {
        cm7_set(op, CM7_OP_TABLE, 0, n, second & 15, pc + 4);
        op->a = (uint8_t)which;
    } else if (which == 4 || which == 5) {
        cm7_set(op, loads ? CM7_OP_LDREX : CM7_OP_STREX, t, n, second & 15, 0);
        op->a = (uint8_t)size;
    }
}

/* Loads and stores of one register. */
static void single(cm7_op *op, uint32_t first, uint32_t second, uint32_t pc)
{
    static const uint16_t codes[8] = {
        CM7_OP_LDRB_I, CM7_OP_LDRH_I, CM7_OP_LDR_I, 0, CM7_OP_LDRSB_I, CM7_OP_LDRSH_I, 0, 0};
    static const uint16_t stores[4] = {CM7_OP_STRB_I, CM7_OP_STRH_I, CM7_OP_STR_I, 0};
    const uint32_t n = first & 15, t = second >> 12, size = cm7_bits(first, 5, 2),
                   imm12 = second & 0xfff;
    const bool loads = (first & 0x10) != 0, extends = (first & 0x100) != 0,
               wide = (first & 0x80) != 0;
    const unsigned code = loads ? codes[size + (extends ? 4u : 0u)] : extends ? 0u : stores[size];
    if (code == 0 || (!loads && (n == CM_PC || t == CM_PC)))
        return;
    uint32_t imm = imm12;
    unsigned at = CM7_AT_I;
    if (n == CM_PC) {
        imm = ((pc + 4) & ~3u) + (wide ? imm12 : 0u - imm12);
    } else if (!wide && (second & 0x800) == 0) {
        if ((second & 0x7c0) != 0)
            return;
        at = CM7_AT_X;
        imm = cm7_bits(second, 4, 2);
    } else if (!wide) {
        const bool before = (second & 0x400) != 0, up = (second & 0x200) != 0,
                   writes = (second & 0x100) != 0;
        if (!before && !writes)
            return;
        imm = up ? second & 0xff : 0u - (second & 0xff);
        at = before ? writes && !(up && before && (second & 0x700) == 0x600) ? CM7_AT_PRE : CM7_AT_I
                    : CM7_AT_POST;
    }
    if (t == CM_PC && size != 2) { /* PLD, PLI */
        cm7_set(op, CM7_OP_NOP, 0, 0, 0, 0);
        return;
    }
    if (loads && size == 2 && t >= CM_SP && t != CM_LR) {
        cm7_set(op, t == CM_PC ? CM7_OP_LDR_PC : CM7_OP_LDR_SP, t, n, second & 15, imm);
        op->a = (uint8_t)at;
    } else if (n == CM_PC) {
        static const uint8_t sizes[3] = {1, 2, 4};
        cm7_set(op, CM7_OP_LDR_LITERAL, t, 0, 0, imm);
        op->a = (uint8_t)((4u - sizes[size]) | (extends ? 8u : 0u));
    } else {
        cm7_set(op, code + at, t, n, second & 15, imm);
    }
}

static void dsp(cm7_op *op, unsigned operation, uint32_t d, uint32_t n, uint32_t m, unsigned shift)
{
    cm7_set(op, CM7_OP_DSP, d, n, m, operation | shift << 8);
    op->a = CM_PC;
}

static void register_processing(const cm_core *core, cm7_op *op, uint32_t first, uint32_t second)
{
    const uint32_t op1 = cm7_bits(first, 4, 4), op2 = cm7_bits(second, 4, 4);
    const uint32_t n = first & 15, d = cm7_bits(second, 8, 4), m = second & 15,
                   rotation = (op2 & 3) * 8;
    if ((second & 0xf000) != 0xf000)
        return;
    if (op1 < 8 && op2 == 0) {
        static const uint16_t shifts[4] = {CM7_OP_LSL, CM7_OP_LSR, CM7_OP_ASR, CM7_OP_ROR};
        cm7_set(op, shifts[op1 >> 1] + (op1 & 1), d, n, m, 0);
    } else if (op1 < 6 && op2 >= 8 && (op2 & 4) == 0) {
        static const uint16_t plain[6] = {CM7_OP_SXTH, CM7_OP_UXTH, 0, 0, CM7_OP_SXTB, CM7_OP_UXTB};
        if (n == CM_PC && rotation == 0 && plain[op1] != 0)
            cm7_set(op, plain[op1], d, 0, m, 0);
        else if (n == CM_PC && (op1 == 2 || op1 == 3))
            dsp(op, op1 == 2 ? CM7_DSP_SXTB16 : CM7_DSP_UXTB16, d, n, m, rotation);
        else if (core->dsp || n == CM_PC)
            dsp(op, CM7_DSP_SXTAH + op1, d, n, m, rotation);
    } else if (op1 >= 8 && op2 < 8 && (op2 & 3) != 3) {
        static const int8_t which[8] = {4, 0, 1, -1, 5, 3, 2, -1};
        const int found = which[op1 & 7];
        if (found >= 0 && core->dsp)
            dsp(op, 6 * ((op2 >> 2) * 3 + (op2 & 3)) + (unsigned)found, d, n, m, 0);
    } else if (op1 >= 8 && op1 < 12 && op2 >= 8 && op2 < 12) {
        static const uint16_t reverse[4] = {CM7_OP_REV, CM7_OP_REV16, CM7_OP_RBIT, CM7_OP_REVSH};
        static const uint8_t saturating[4] = {
            CM7_DSP_QADD, CM7_DSP_QDADD, CM7_DSP_QSUB, CM7_DSP_QDSUB};
        if (op1 == 8 && core->dsp)
            dsp(op, saturating[op2 & 3], d, n, m, 0);
        else if (op1 == 9)
            cm7_set(op, reverse[op2 & 3], d, 0, m, 0);
        else if (op1 == 10 && op2 == 8 && core->dsp)
            dsp(op, CM7_DSP_SEL, d, n, m, 0);
        else if (op1 == 11 && op2 == 8)
            cm7_set(op, CM7_OP_CLZ, d, 0, m, 0);
    }
}

static void multiplication(const cm_core *core, cm7_op *op, uint32_t first, uint32_t second)
{
    const uint32_t n = first & 15, a = second >> 12, d = cm7_bits(second, 8, 4),
                   op2 = cm7_bits(second, 4, 2), m = second & 15;
    const uint32_t which = cm7_bits(first, 4, 3);
    if ((second & 0xc0) != 0)
        return;
    if (which == 0) {
        if (op2 < 2)
            cm7_set(op, op2 == 1 ? CM7_OP_MLS : a == CM_PC ? CM7_OP_MUL : CM7_OP_MLA, d, n, m, 0);
        op->a = (uint8_t)a;
        return;
    }
    static const uint8_t first_of[8] = {
        0,
        CM7_DSP_SMLAXY,
        CM7_DSP_SMLAD,
        CM7_DSP_SMLAW,
        CM7_DSP_SMLSD,
        CM7_DSP_SMMLA,
        CM7_DSP_SMMLS,
        CM7_DSP_USAD8};
    if (!core->dsp || (which != 1 && op2 > 1) || (which == 7 && op2 != 0))
        return;
    cm7_set(op, CM7_OP_DSP, d, n, m, first_of[which] + op2);
    op->a = (uint8_t)a;
}

static void long_multiplication(const cm_core *core, cm7_op *op, uint32_t first, uint32_t second)
{
    const uint32_t n = first & 15, low = second >> 12, high = cm7_bits(second, 8, 4),
                   m = second & 15;
    const uint32_t op2 = cm7_bits(second, 4, 4);
    unsigned code = CM7_OP_UNDEFINED;
    uint32_t operation = 0;
    switch (cm7_bits(first, 4, 3) << 4 | op2) {
    case 0x00:
        code = CM7_OP_SMULL;
        break;
    case 0x1f:
    case 0x3f:
        cm7_set(op, (first & 0x20) != 0 ? CM7_OP_UDIV : CM7_OP_SDIV, high, n, m, 0);
        return;
    case 0x20:
        code = CM7_OP_UMULL;
        break;
    case 0x40:
        code = CM7_OP_SMLAL;
        break;
    case 0x60:
        code = CM7_OP_UMLAL;
        break;
    case 0x66:
        code = core->dsp ? CM7_OP_UMAAL : CM7_OP_UNDEFINED;
        break;
    case 0x48:
    case 0x49:
    case 0x4a:
    case 0x4b:
        operation = CM7_LONG_SMLALXY + (op2 & 3);
        break;
    case 0x4c:
    case 0x4d:
        operation = CM7_LONG_SMLALD + (op2 & 1);
        break;
    case 0x5c:
    case 0x5d:
        operation = CM7_LONG_SMLSLD + (op2 & 1);
        break;
    default:
        return;
    }
    if (code == CM7_OP_UNDEFINED && op2 >= 8 && core->dsp)
        code = CM7_OP_DSP_LONG;
    cm7_set(op, code, low, n, m, operation);
    op->a = (uint8_t)high;
}

void cm7_decode_wide(const cm_core *core, cm7_op *op, uint32_t first, uint32_t second, uint32_t pc)
{
    const uint32_t op1 = cm7_bits(first, 11, 2), op2 = cm7_bits(first, 4, 7);
    if (op1 == 2) {
        if ((second & 0x8000) != 0)
            branch_or_control(core, op, first, second, pc);
        else if ((op2 & 0x20) != 0)
            plain_immediate(op, first, second, pc);
        else
            modified_immediate(op, first, second, pc);
    } else if ((op2 & 0x40) != 0) {
        if (core->fpu)
            cm7_decode_float(op, first, second, pc);
    } else if (op1 == 1) {
        if ((op2 & 0x20) != 0)
            shifted_register(op, first, second, pc);
        else if ((op2 & 4) != 0)
            dual_or_exclusive(op, first, second, pc);
        else
            lists(op, first, second);
    } else if ((op2 & 0x20) == 0) {
        single(op, first, second, pc);
    } else if ((op2 & 0x10) == 0) {
        register_processing(core, op, first, second);
    } else if ((op2 & 8) == 0) {
        multiplication(core, op, first, second);
    } else {
        long_multiplication(core, op, first, second);
    }
}

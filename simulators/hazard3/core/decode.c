/* RISC-V Instruction Set Manual, volume I, chapters 24 (tables of encodings) and 16 (C); code size
 * reduction 1.0.0. */
#include "decode.h"

static uint32_t bits(uint32_t value, unsigned from, unsigned count)
{
    return value >> from & ((1u << count) - 1);
}

static int32_t extended(uint32_t value, unsigned width)
{
    const uint32_t sign = 1u << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

static void set(hz_op *op, unsigned code, uint32_t rd, uint32_t rs1, uint32_t rs2, int32_t imm)
{
    op->code = (uint8_t)code;
    op->rd = (uint8_t)rd;
    op->rs1 = (uint8_t)rs1;
    op->rs2 = (uint8_t)rs2;
    op->imm = imm;
}

static int32_t immediate_j(uint32_t w)
{
    return extended(
        bits(w, 31, 1) << 20 | bits(w, 12, 8) << 12 | bits(w, 20, 1) << 11 | bits(w, 21, 10) << 1,
        21);
}

static int32_t immediate_b(uint32_t w)
{
    return extended(
        bits(w, 31, 1) << 12 | bits(w, 7, 1) << 11 | bits(w, 25, 6) << 5 | bits(w, 8, 4) << 1, 13);
}

/* Shifts and bit manipulation with a constant; 0: there is no such. */
static unsigned shifted(uint32_t funct3, uint32_t funct7, uint32_t rs2)
{
    if (funct3 == 1) {
        static const uint8_t unary[32] = {
            [0] = HZ_OP_CLZ,
            [1] = HZ_OP_CTZ,
            [2] = HZ_OP_CPOP,
            [4] = HZ_OP_SEXT_B,
            [5] = HZ_OP_SEXT_H};
        switch (funct7) {
        case 0x00:
            return HZ_OP_SLLI;
        case 0x04:
            return rs2 == 15 ? HZ_OP_ZIP : 0;
        case 0x14:
            return HZ_OP_BSETI;
        case 0x24:
            return HZ_OP_BCLRI;
        case 0x34:
            return HZ_OP_BINVI;
        case 0x30:
            return unary[rs2];
        default:
            return 0;
        }
    }
    switch (funct7) {
    case 0x00:
        return HZ_OP_SRLI;
    case 0x20:
        return HZ_OP_SRAI;
    case 0x30:
        return HZ_OP_RORI;
    case 0x24:
        return HZ_OP_BEXTI;
    case 0x04:
        return rs2 == 15 ? HZ_OP_UNZIP : 0;
    case 0x14:
        return rs2 == 7 ? HZ_OP_ORC_B : 0;
    case 0x34:
        return rs2 == 0x18 ? HZ_OP_REV8 : rs2 == 7 ? HZ_OP_BREV8 : 0;
    default:
        return 0;
    }
}

static unsigned of_registers(uint32_t funct3, uint32_t funct7, uint32_t rs2)
{
    static const uint8_t base[8] = {
        HZ_OP_ADD, HZ_OP_SLL, HZ_OP_SLT, HZ_OP_SLTU, HZ_OP_XOR, HZ_OP_SRL, HZ_OP_OR, HZ_OP_AND};
    static const uint8_t products[8] = {HZ_OP_MUL, HZ_OP_MULH, HZ_OP_MULHSU, HZ_OP_MULHU,
                                        HZ_OP_DIV, HZ_OP_DIVU, HZ_OP_REM,    HZ_OP_REMU};
    static const uint8_t negated[8] = {
        [0] = HZ_OP_SUB, [4] = HZ_OP_XNOR, [5] = HZ_OP_SRA, [6] = HZ_OP_ORN, [7] = HZ_OP_ANDN};
    static const uint8_t extremes[8] = {
        [4] = HZ_OP_MIN, [5] = HZ_OP_MINU, [6] = HZ_OP_MAX, [7] = HZ_OP_MAXU};
    static const uint8_t sums[8] = {[2] = HZ_OP_SH1ADD, [4] = HZ_OP_SH2ADD, [6] = HZ_OP_SH3ADD};
    switch (funct7) {
    case 0x00:
        return base[funct3];
    case 0x01:
        return products[funct3];
    case 0x20:
        return negated[funct3];
    case 0x05:
        return extremes[funct3];
    case 0x10:
        return sums[funct3];
    case 0x04:
        return funct3 == 4 ? (rs2 == 0 ? HZ_OP_ZEXT_H : HZ_OP_PACK) : funct3 == 7 ? HZ_OP_PACKH : 0;
    case 0x14:
        return funct3 == 1 ? HZ_OP_BSET : 0;
    case 0x24:
        return funct3 == 1 ? HZ_OP_BCLR : funct3 == 5 ? HZ_OP_BEXT : 0;
    case 0x34:
        return funct3 == 1 ? HZ_OP_BINV : 0;
    case 0x30:
        return funct3 == 1 ? HZ_OP_ROL : funct3 == 5 ? HZ_OP_ROR : 0;
    default:
        return 0;
    }
}

static unsigned atomic(uint32_t funct5, uint32_t rs2)
{
    switch (funct5) {
    case 0x02:
        return rs2 == 0 ? HZ_OP_LR : 0;
    case 0x03:
        return HZ_OP_SC;
    case 0x01:
        return HZ_OP_AMOSWAP;
    case 0x00:
        return HZ_OP_AMOADD;
    case 0x04:
        return HZ_OP_AMOXOR;
    case 0x0c:
        return HZ_OP_AMOAND;
    case 0x08:
        return HZ_OP_AMOOR;
    case 0x10:
        return HZ_OP_AMOMIN;
    case 0x14:
        return HZ_OP_AMOMAX;
    case 0x18:
        return HZ_OP_AMOMINU;
    case 0x1c:
        return HZ_OP_AMOMAXU;
    default:
        return 0;
    }
}

static void system(hz_op *op, uint32_t w, uint32_t funct3, uint32_t rd, uint32_t rs1)
{
    static const uint8_t csr[8] = {
        0, HZ_OP_CSRRW, HZ_OP_CSRRS, HZ_OP_CSRRC, 0, HZ_OP_CSRRWI, HZ_OP_CSRRSI, HZ_OP_CSRRCI};
    if (csr[funct3] != 0)
        set(op, csr[funct3], rd, rs1, 0, (int32_t)(w >> 20 | rs1 << 12));
    else if (w == 0x00000073)
        set(op, HZ_OP_ECALL, 0, 0, 0, 0);
    else if (w == 0x00100073)
        set(op, HZ_OP_EBREAK, 0, 0, 0, 0);
    else if (w == 0x30200073)
        set(op, HZ_OP_MRET, 0, 0, 0, 0);
    else if (w == 0x10500073)
        set(op, HZ_OP_WFI, 0, 0, 0, 0);
}

void hz_decode_wide(hz_op *op, uint32_t w, unsigned halfwords)
{
    static const uint8_t branches[8] = {
        HZ_OP_BEQ, HZ_OP_BNE, 0, 0, HZ_OP_BLT, HZ_OP_BGE, HZ_OP_BLTU, HZ_OP_BGEU};
    static const uint8_t loads[8] = {HZ_OP_LB, HZ_OP_LH, HZ_OP_LW, 0, HZ_OP_LBU, HZ_OP_LHU, 0, 0};
    static const uint8_t stores[8] = {HZ_OP_SB, HZ_OP_SH, HZ_OP_SW, 0, 0, 0, 0, 0};
    static const uint8_t constants[8] = {
        HZ_OP_ADDI, 0, HZ_OP_SLTI, HZ_OP_SLTIU, HZ_OP_XORI, 0, HZ_OP_ORI, HZ_OP_ANDI};
    const uint32_t rd = bits(w, 7, 5), funct3 = bits(w, 12, 3), rs1 = bits(w, 15, 5),
                   rs2 = bits(w, 20, 5);
    const int32_t imm = (int32_t)w >> 20;
    unsigned code;
    *op = (hz_op){.code = HZ_OP_UNDEFINED, .halfwords = (uint8_t)halfwords};
    switch (w & 0x7f) {
    case 0x37:
        set(op, HZ_OP_LUI, rd, 0, 0, (int32_t)(w & 0xfffff000));
        break;
    case 0x17:
        set(op, HZ_OP_AUIPC, rd, 0, 0, (int32_t)(w & 0xfffff000));
        break;
    case 0x6f:
        set(op, HZ_OP_JAL, rd, 0, 0, immediate_j(w));
        break;
    case 0x67:
        if (funct3 == 0)
            set(op, HZ_OP_JALR, rd, rs1, 0, imm);
        break;
    case 0x63:
        if (branches[funct3] != 0)
            set(op, branches[funct3], 0, rs1, rs2, immediate_b(w));
        break;
    case 0x03:
        if (loads[funct3] != 0)
            set(op, loads[funct3], rd, rs1, 0, imm);
        break;
    case 0x23:
        if (stores[funct3] != 0)
            set(op, stores[funct3], 0, rs1, rs2, extended(bits(w, 25, 7) << 5 | rd, 12));
        break;
    case 0x13:
        code = constants[funct3] != 0 ? constants[funct3] : shifted(funct3, w >> 25, rs2);
        if (code != 0)
            set(op, code, rd, rs1, 0, constants[funct3] != 0 ? imm : (int32_t)rs2);
        break;
    case 0x33:
        code = of_registers(funct3, w >> 25, rs2);
        if (code == HZ_OP_SLT && (rd | rs1 | rs2) == 0)
            /* h3.block, of Hazard3's own: nobody else will unblock the core */
            set(op, HZ_OP_WFI, 0, 0, 0, 0);
        else if (code != 0)
            set(op, code, rd, rs1, code == HZ_OP_ZEXT_H ? 0 : rs2, 0);
        break;
    case 0x2f:
        code = funct3 == 2 ? atomic(w >> 27, rs2) : 0;
        if (code != 0)
            set(op, code, rd, rs1, rs2, 0);
        break;
    case 0x0f:
        if (funct3 <= 1)
            set(op, funct3 == 0 ? HZ_OP_FENCE : HZ_OP_FENCE_I, 0, 0, 0, 0);
        break;
    case 0x73:
        system(op, w, funct3, rd, rs1);
        break;
    default:
        break;
    }
}

/* --- 16 bits ---------------------------------------------------------------------------------- */

static uint32_t offset_word(uint32_t c)
{
    return bits(c, 10, 3) << 3 | bits(c, 6, 1) << 2 | bits(c, 5, 1) << 6;
}

static int32_t immediate_6(uint32_t c)
{
    return extended(bits(c, 12, 1) << 5 | bits(c, 2, 5), 6);
}

static int32_t offset_jump(uint32_t c)
{
    return extended(
        bits(c, 12, 1) << 11 | bits(c, 11, 1) << 4 | bits(c, 9, 2) << 8 | bits(c, 8, 1) << 10 |
            bits(c, 7, 1) << 6 | bits(c, 6, 1) << 7 | bits(c, 3, 3) << 1 | bits(c, 2, 1) << 5,
        12);
}

static int32_t offset_branch(uint32_t c)
{
    return extended(bits(c, 12, 1) << 8 | bits(c, 10, 2) << 3 | bits(c, 5, 2) << 6 |
                        bits(c, 3, 2) << 1 | bits(c, 2, 1) << 5,
                    9);
}

/* Zcb: loads and stores of bytes and halfwords. */
static void small_transfers(hz_op *op, uint32_t c, uint32_t low, uint32_t high)
{
    const int32_t byte = (int32_t)(bits(c, 5, 1) << 1 | bits(c, 6, 1)),
                  half = (int32_t)(bits(c, 5, 1) << 1);
    switch (bits(c, 10, 3)) {
    case 0:
        set(op, HZ_OP_LBU, low, high, 0, byte);
        break;
    case 1:
        set(op, bits(c, 6, 1) != 0 ? HZ_OP_LH : HZ_OP_LHU, low, high, 0, half);
        break;
    case 2:
        set(op, HZ_OP_SB, 0, high, low, byte);
        break;
    case 3:
        if (bits(c, 6, 1) == 0)
            set(op, HZ_OP_SH, 0, high, low, half);
        break;
    default:
        break;
    }
}

static void quadrant_0(hz_op *op, uint32_t c)
{
    const uint32_t low = 8 + bits(c, 2, 3), high = 8 + bits(c, 7, 3);
    const uint32_t imm =
        bits(c, 11, 2) << 4 | bits(c, 7, 4) << 6 | bits(c, 6, 1) << 2 | bits(c, 5, 1) << 3;
    switch (bits(c, 13, 3)) {
    case 0:
        if (imm != 0)
            set(op, HZ_OP_ADDI, low, HZ_SP, 0, (int32_t)imm);
        break;
    case 2:
        set(op, HZ_OP_LW, low, high, 0, (int32_t)offset_word(c));
        break;
    case 4:
        small_transfers(op, c, low, high);
        break;
    case 6:
        set(op, HZ_OP_SW, 0, high, low, (int32_t)offset_word(c));
        break;
    default:
        break;
    }
}

static void arithmetic(hz_op *op, uint32_t c)
{
    static const uint8_t pairs[8] = {HZ_OP_SUB, HZ_OP_XOR, HZ_OP_OR, HZ_OP_AND, 0, 0, HZ_OP_MUL, 0};
    const uint32_t low = 8 + bits(c, 2, 3), high = 8 + bits(c, 7, 3);
    const uint32_t which = bits(c, 12, 1) << 2 | bits(c, 5, 2);
    switch (bits(c, 10, 2)) {
    case 0:
    case 1:
        if (bits(c, 12, 1) == 0)
            set(op, bits(c, 10, 1) != 0 ? HZ_OP_SRAI : HZ_OP_SRLI, high, high, 0,
                (int32_t)bits(c, 2, 5));
        break;
    case 2:
        set(op, HZ_OP_ANDI, high, high, 0, immediate_6(c));
        break;
    default:
        if (pairs[which] != 0) {
            set(op, pairs[which], high, high, low, 0);
        } else if (which == 7) { /* Zcb */
            switch (bits(c, 2, 3)) {
            case 0:
                set(op, HZ_OP_ANDI, high, high, 0, 0xff);
                break;
            case 1:
                set(op, HZ_OP_SEXT_B, high, high, 0, 0);
                break;
            case 2:
                set(op, HZ_OP_ZEXT_H, high, high, 0, 0);
                break;
            case 3:
                set(op, HZ_OP_SEXT_H, high, high, 0, 0);
                break;
            case 5:
                set(op, HZ_OP_XORI, high, high, 0, -1);
                break;
            default:
                break;
            }
        }
        break;
    }
}

static void quadrant_1(hz_op *op, uint32_t c)
{
    const uint32_t rd = bits(c, 7, 5), high = 8 + bits(c, 7, 3);
    switch (bits(c, 13, 3)) {
    case 0:
        set(op, HZ_OP_ADDI, rd, rd, 0, immediate_6(c));
        break;
    case 1:
        set(op, HZ_OP_JAL, HZ_RA, 0, 0, offset_jump(c));
        break;
    case 2:
        set(op, HZ_OP_ADDI, rd, 0, 0, immediate_6(c));
        break;
    case 3:
        if (immediate_6(c) == 0)
            break;
        if (rd == HZ_SP)
            set(op, HZ_OP_ADDI, HZ_SP, HZ_SP, 0,
                extended(bits(c, 12, 1) << 9 | bits(c, 6, 1) << 4 | bits(c, 5, 1) << 6 |
                             bits(c, 3, 2) << 7 | bits(c, 2, 1) << 5,
                         10));
        else
            set(op, HZ_OP_LUI, rd, 0, 0, (int32_t)((uint32_t)immediate_6(c) << 12));
        break;
    case 4:
        arithmetic(op, c);
        break;
    case 5:
        set(op, HZ_OP_JAL, 0, 0, 0, offset_jump(c));
        break;
    case 6:
        set(op, HZ_OP_BEQ, 0, high, 0, offset_branch(c));
        break;
    default:
        set(op, HZ_OP_BNE, 0, high, 0, offset_branch(c));
        break;
    }
}

unsigned hz_list_count(unsigned list)
{
    return list == 15 ? 13 : list - 3;
}

unsigned hz_list_register(unsigned i)
{
    return i == 0 ? HZ_RA : i <= 2 ? 7 + i : 15 + i;
}

/* s0 to s7 of cm.mvsa01 and cm.mva01s. */
static uint32_t saved(uint32_t three)
{
    return (three > 1 ? 16 : 8) + three;
}

/* Zcmp: imm has the adjustment of SP and the list, or the two saved registers; rs1 is what the
 * first step of two reads. */
static void code_size(hz_op *op, uint32_t c)
{
    static const uint8_t codes[4] = {
        HZ_OP_CM_PUSH, HZ_OP_CM_POP, HZ_OP_CM_POPRETZ, HZ_OP_CM_POPRET};
    const uint32_t list = bits(c, 4, 4);
    if (bits(c, 12, 1) != 0 && bits(c, 11, 1) != 0 && bits(c, 8, 1) == 0 && list >= 4) {
        const uint32_t base = (hz_list_count(list) * 4 + 15) & ~15u;
        set(op, codes[bits(c, 9, 2)], 0, 0, 0,
            (int32_t)(base + bits(c, 2, 2) * 16) | (int32_t)(list << 16));
    } else if (bits(c, 10, 3) == 3 && (bits(c, 5, 2) == 1 || bits(c, 5, 2) == 3)) {
        const bool to_saved = bits(c, 5, 2) == 1;
        const uint32_t first = saved(bits(c, 7, 3)), second = saved(bits(c, 2, 3));
        set(op, to_saved ? HZ_OP_CM_MVSA01 : HZ_OP_CM_MVA01S, 0, to_saved ? HZ_A0 : first, 0,
            (int32_t)(first | second << 8));
    }
}

static void quadrant_2(hz_op *op, uint32_t c)
{
    const uint32_t rd = bits(c, 7, 5), rs2 = bits(c, 2, 5);
    switch (bits(c, 13, 3)) {
    case 0:
        if (bits(c, 12, 1) == 0)
            set(op, HZ_OP_SLLI, rd, rd, 0, (int32_t)rs2);
        break;
    case 2:
        if (rd != 0)
            set(op, HZ_OP_LW, rd, HZ_SP, 0,
                (int32_t)(bits(c, 12, 1) << 5 | bits(c, 4, 3) << 2 | bits(c, 2, 2) << 6));
        break;
    case 4:
        if (bits(c, 12, 1) == 0 && rs2 == 0) {
            if (rd != 0)
                set(op, HZ_OP_JALR, 0, rd, 0, 0);
        } else if (bits(c, 12, 1) == 0) {
            set(op, HZ_OP_ADD, rd, 0, rs2, 0);
        } else if (rs2 == 0) {
            if (rd == 0)
                set(op, HZ_OP_EBREAK, 0, 0, 0, 0);
            else
                set(op, HZ_OP_JALR, HZ_RA, rd, 0, 0);
        } else {
            set(op, HZ_OP_ADD, rd, rd, rs2, 0);
        }
        break;
    case 5:
        code_size(op, c);
        break;
    case 6:
        set(op, HZ_OP_SW, 0, HZ_SP, rs2, (int32_t)(bits(c, 9, 4) << 2 | bits(c, 7, 2) << 6));
        break;
    default:
        break;
    }
}

void hz_decode_narrow(hz_op *op, uint16_t code)
{
    *op = (hz_op){.code = HZ_OP_UNDEFINED, .halfwords = 1};
    switch (code & 3) {
    case 0:
        quadrant_0(op, code);
        break;
    case 1:
        quadrant_1(op, code);
        break;
    default:
        quadrant_2(op, code);
        break;
    }
}

/* Instructions of the floating-point unit: ARM DDI 0403 chapters A6.4 to A6.7. */
#include "decode.h"
#include "float.h"

/* The first single register of an operand: four bits and one more, which is the lowest for single,
 * the highest for double registers. */
static uint32_t reg(uint32_t four, uint32_t one, bool doubles)
{
    return doubles ? 2 * (one << 4 | four) : four << 1 | one;
}

static void transfers(cm7_op *op, uint32_t first, uint32_t second, uint32_t pc)
{
    const bool doubles = (second & 0x100) != 0, before = (first & 0x100) != 0,
               up = (first & 0x80) != 0;
    const bool writes = (first & 0x20) != 0, loads = (first & 0x10) != 0;
    const uint32_t n = first & 15, words = second & 0xff,
                   d = reg(second >> 12, cm7_bits(first, 6, 1), doubles);
    if (before && !writes) {
        const uint32_t offset = up ? words << 2 : 0u - (words << 2);
        if (d + (doubles ? 2 : 1) > 32 || (n == CM_PC && !loads))
            return;
        cm7_set(op, loads ? CM7_OP_VLDR : CM7_OP_VSTR, d, n, 0,
                n == CM_PC ? ((pc + 4) & ~3u) + offset : offset);
        op->a = doubles ? 2 : 1;
        return;
    }
    if (before == up || (before && !writes) || n == CM_PC || words == 0 || d + words > 32 ||
        (doubles && (words & 1) != 0))
        return;
    cm7_set(op, loads ? CM7_OP_VLDM : CM7_OP_VSTM, d, n, words, 0);
    op->a = (uint8_t)((before ? 2u : 0u) | (writes ? 1u : 0u));
}

/* Between two core registers and two single or one double register. */
static void pairs(cm7_op *op, uint32_t first, uint32_t second)
{
    const uint32_t m = reg(second & 15, cm7_bits(second, 5, 1), (second & 0x100) != 0);
    if ((second & 0xd0) != 0x10 || m + 2 > 32)
        return;
    cm7_set(op, (first & 0x10) != 0 ? CM7_OP_VMOV_TO_PAIR : CM7_OP_VMOV_FROM_PAIR, second >> 12,
            first & 15, m, 0);
}

/* Between a core register and a single register, half of a double one, or FPSCR. */
static void one_register(cm7_op *op, uint32_t first, uint32_t second)
{
    const bool doubles = (second & 0x100) != 0, loads = (first & 0x10) != 0;
    const uint32_t t = second >> 12, which = cm7_bits(first, 5, 3);
    uint32_t n = reg(first & 15, cm7_bits(second, 7, 1), doubles);
    if (!doubles && which == 7) {
        if ((first & 15) == 1 && (loads || t != CM_PC))
            cm7_set(op, loads ? CM7_OP_VMRS : CM7_OP_VMSR, t, 0, 0, 0);
        return;
    }
    if (t >= CM_SP && t != CM_LR)
        return;
    if (doubles && (which & 6) == 0 && (second & 0x60) == 0)
        n += which & 1;
    else if (doubles || which != 0)
        return;
    if (n >= 32)
        return;
    if (loads)
        cm7_set(op, CM7_OP_VMOV_TO_CORE, t, n, 0, 0);
    else
        cm7_set(op, CM7_OP_VMOV_FROM_CORE, n, t, 0, 0);
}

/* A constant of 8 bits (section A6.4.1). */
static uint32_t constant(uint32_t imm)
{
    return (imm >> 7 & 1) << 31 | ((imm >> 6 & 1) != 0 ? 0x3e000000u : 0x40000000u) |
           (imm & 63) << 19;
}

/* Of three registers: by bits 23, 21, 20 of the instruction and its bit 6. */
static unsigned of_three(uint32_t which, uint32_t bit6)
{
    static const uint8_t operations[7][2] = {
        {CM7_FLOAT_MLA, CM7_FLOAT_MLS},  {CM7_FLOAT_NMLS, CM7_FLOAT_NMLA},
        {CM7_FLOAT_MUL, CM7_FLOAT_NMUL}, {CM7_FLOAT_ADD, CM7_FLOAT_SUB},
        {CM7_FLOAT_DIV, CM7_FLOAT_DIV},  {CM7_FLOAT_FNMS, CM7_FLOAT_FNMA},
        {CM7_FLOAT_FMA, CM7_FLOAT_FMS},
    };
    return operations[which][bit6];
}

/* Of fixed-point numbers, which stay in their register: `rest` is the position of the point from
 * the left. */
static void fixed_point(cm7_op *op, uint32_t d, uint32_t first, uint32_t second)
{
    const bool words = (second & 0x80) != 0;
    const uint32_t width = words ? 32 : 16, rest = (second & 15) << 1 | cm7_bits(second, 5, 1);
    if (rest > width)
        return;
    cm7_set(op, CM7_OP_FLOAT, d, d, d,
            ((first & 4) != 0 ? CM7_FLOAT_TO_INTEGER : CM7_FLOAT_FROM_INTEGER) |
                CM7_FLOAT_FIXED_MODE | ((first & 1) == 0 ? CM7_FLOAT_SIGNED : 0u) |
                (words ? 0u : CM7_FLOAT_SHORT) | (width - rest) << CM7_FLOAT_POINT);
}

/* Of two registers: by bits 19 to 16, and bit 7. */
static void of_two(cm7_op *op, uint32_t d, uint32_t m, uint32_t first, uint32_t second)
{
    const uint32_t bit7 = cm7_bits(second, 7, 1);
    unsigned operation;
    switch (first & 15) {
    case 0:
        operation = CM7_FLOAT_ABS;
        break;
    case 1:
        operation = bit7 != 0 ? CM7_FLOAT_SQRT : CM7_FLOAT_NEG;
        break;
    case 2:
        operation = bit7 != 0 ? CM7_FLOAT_FROM_TOP_HALF : CM7_FLOAT_FROM_HALF;
        break;
    case 3:
        operation = bit7 != 0 ? CM7_FLOAT_TO_TOP_HALF : CM7_FLOAT_TO_HALF;
        break;
    case 4:
        operation = bit7 != 0 ? CM7_FLOAT_CMPE : CM7_FLOAT_CMP;
        break;
    case 5:
        if ((second & 0x2f) != 0)
            return;
        operation = bit7 != 0 ? CM7_FLOAT_CMPE_ZERO : CM7_FLOAT_CMP_ZERO;
        break;
    case 8:
        operation = CM7_FLOAT_FROM_INTEGER | (bit7 != 0 ? CM7_FLOAT_SIGNED : 0u);
        break;
    case 12:
    case 13:
        operation = CM7_FLOAT_TO_INTEGER | ((first & 1) != 0 ? CM7_FLOAT_SIGNED : 0u) |
                    (bit7 != 0 ? CM7_FLOAT_FIXED_MODE : 0u);
        break;
    case 10:
    case 11:
    case 14:
    case 15:
        fixed_point(op, d, first, second);
        return;
    default:
        return;
    }
    cm7_set(op, CM7_OP_FLOAT, d, d, m, operation);
}

static void arithmetic(cm7_op *op, uint32_t first, uint32_t second)
{
    const uint32_t d = reg(second >> 12, cm7_bits(first, 6, 1), false);
    const uint32_t n = reg(first & 15, cm7_bits(second, 7, 1), false);
    const uint32_t m = reg(second & 15, cm7_bits(second, 5, 1), false);
    const uint32_t which = cm7_bits(first, 7, 1) << 2 | cm7_bits(first, 4, 2),
                   bit6 = cm7_bits(second, 6, 1);
    if ((second & 0x100) != 0)
        return;
    if (which < 7 && !(which == 4 && bit6 != 0))
        cm7_set(op, CM7_OP_FLOAT, d, n, m, of_three(which, bit6));
    else if (which == 7 && bit6 == 0 && (second & 0xa0) == 0)
        cm7_set(op, CM7_OP_VMOV_I, d, 0, 0, constant((first & 15) << 4 | (second & 15)));
    else if (which == 7 && (first & 15) == 0 && (second & 0xc0) == 0x40)
        cm7_set(op, CM7_OP_VMOV, d, 0, m, 0);
    else if (which == 7 && bit6 != 0)
        of_two(op, d, m, first, second);
}

void cm7_decode_float(cm7_op *op, uint32_t first, uint32_t second, uint32_t pc)
{
    if ((first & 0x1000) != 0 || (second & 0xe00) != 0xa00)
        return;
    if ((first & 0x200) == 0 && (first & 0x1e0) == 0x40)
        pairs(op, first, second);
    else if ((first & 0x200) == 0)
        transfers(op, first, second, pc);
    else if ((second & 0x10) != 0)
        one_register(op, first, second);
    else
        arithmetic(op, first, second);
}

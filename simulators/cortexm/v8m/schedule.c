/*
 * Registers that each operation reads, and when its results come. Most take one stage. Sums with a
 * shifted operand, products and the DSP extension take two: their results come a cycle later to
 * arithmetic and addresses, but for a sum that a product or an extension adds to.
 */
#include "../v7m/ops.h"
#include "v8m.h"

enum { NEAR = 3 }; /* the longest shift to the left that takes no stage of its own */

static uint32_t bit(unsigned reg)
{
    return reg < CM_PC ? 1u << reg : 0;
}

static void reads(cm7_op *op, uint32_t registers)
{
    op->reads = (uint16_t)registers;
}

/* Sums and logic with an operand in any form. */
static void processing(cm7_op *op, unsigned form, bool sets, bool two_stages)
{
    const bool shifted = form > CM7_FORM_LSL || (form == CM7_FORM_LSL && op->imm > NEAR);
    const bool turned = form == CM7_FORM_I && op->a != 0;
    if (sets)
        op->after |= CM8_SETS;
    if (!two_stages || (!shifted && !turned))
        return;
    if (turned && sets)
        op->fetch = 1;
    else
        op->after |= bit(op->d) | CM8_SUMMED;
    if (shifted && sets)
        op->after |= CM8_FLAGS;
}

/* AND to CMN. */
static void arithmetic(cm7_op *op)
{
    enum { MOVES = (CM7_OP_MOV_I - CM7_OP_AND_I) / CM7_FORMS / 2 };
    const bool compares = op->code >= CM7_OP_TST_I;
    const unsigned at = op->code - (compares ? CM7_OP_TST_I : CM7_OP_AND_I);
    const unsigned form = at % CM7_FORMS, kind = at / CM7_FORMS / 2;
    const bool moves = !compares && kind == MOVES, negates = !compares && kind == MOVES + 1;
    const bool carries =
        form == CM7_FORM_RRX || (op->code >= CM7_OP_ADC_I && op->code < CM7_OP_SUB_I) ||
        (op->code >= CM7_OP_SBC_I && op->code < CM7_OP_RSB_I);
    reads(op, (moves || negates ? 0 : bit(op->n)) | (form != CM7_FORM_I ? bit(op->m) : 0) |
                  (carries ? CM8_FLAGS : 0u));
    processing(op, form, compares || at / CM7_FORMS % 2 != 0, !moves);
    if (compares)
        op->after &= ~(bit(op->d) | CM8_SUMMED);
}

/* A product, to which the registers `sums` are added, into the registers `results`. */
static void product(cm7_op *op, uint32_t sums, uint32_t results)
{
    reads(op, bit(op->n) | bit(op->m));
    op->sums = (uint16_t)sums;
    op->after |= results | CM8_SUMMED;
}

static void dsp(cm7_op *op)
{
    const unsigned operation = op->imm & 0xff;
    const bool saturates = operation >= CM7_DSP_SSAT, multiplies = operation >= CM7_DSP_USAD8;
    if (operation >= CM7_DSP_SXTAH && operation <= CM7_DSP_UXTB16) {
        reads(op, bit(op->m));
        if (op->n == CM_PC || operation >= CM7_DSP_SXTB16)
            return;
        op->sums = (uint16_t)(bit(op->n) | CM8_EXTENDS);
        op->after |= bit(op->d) | CM8_SUMMED;
    } else if (multiplies && !saturates) {
        product(op, bit(op->a), bit(op->d));
    } else {
        reads(op, bit(op->n) | (saturates ? 0 : bit(op->m)));
        op->after |= bit(op->d);
    }
}

static void multiplication(cm7_op *op)
{
    const uint32_t both = bit(op->d) | bit(op->a);
    switch (op->code) {
    case CM7_OP_MULS: /* two cycles, behind which its result is there */
        reads(op, bit(op->n) | bit(op->m));
        op->fetch = 1;
        op->after |= CM8_SETS;
        break;
    case CM7_OP_MUL:
        product(op, 0, bit(op->d));
        break;
    case CM7_OP_MLA:
    case CM7_OP_MLS:
        product(op, bit(op->a), bit(op->d));
        break;
    case CM7_OP_UMULL:
    case CM7_OP_SMULL:
        product(op, 0, both);
        break;
    case CM7_OP_UMLAL:
    case CM7_OP_SMLAL:
    case CM7_OP_UMAAL:
    case CM7_OP_DSP_LONG:
        product(op, both, both);
        break;
    default: /* divisions */
        reads(op, bit(op->n) | bit(op->m));
        op->after |= bit(op->d);
        break;
    }
}

/* Of the registers of a list only the last one loaded comes too late for the next instruction. */
static uint32_t last_of(uint32_t list)
{
    return list == 0 ? 0 : bit(31 - (unsigned)__builtin_clz(list));
}

static void transfer(cm7_op *op)
{
    uint32_t loaded = 0;
    reads(op, bit(op->n));
    switch (op->code) {
    case CM7_OP_LDR_LITERAL:
        reads(op, 0);
        loaded = bit(op->d);
        break;
    case CM7_OP_LDR_PC:
    case CM7_OP_LDR_SP:
        reads(op, bit(op->n) | (op->a == CM7_AT_X ? bit(op->m) : 0));
        loaded = bit(op->d);
        break;
    case CM7_OP_LDREX:
        loaded = bit(op->d);
        break;
    case CM7_OP_LDRD:
    case CM7_OP_STREX:
        loaded = bit(op->m);
        break;
    case CM7_OP_LDM:
        loaded = last_of(op->imm);
        break;
    case CM7_OP_TABLE:
        reads(op, bit(op->n) | bit(op->m));
        break;
    default:
        if (op->code >= CM7_OP_LDR_LITERAL) /* STRD, STM, CLREX */
            break;
        if ((op->code - CM7_OP_LDR_I) % CM7_ATS == CM7_AT_X)
            reads(op, bit(op->n) | bit(op->m));
        loaded = op->code <= CM7_OP_LDRSB_POST ? bit(op->d) : 0;
        break;
    }
    if (loaded != 0)
        op->after |= loaded | CM8_LOADED;
}

/* Shifts by registers, sums with the stack pointer, MOVT, and parts of words: of one stage. */
static void single_stage(cm7_op *op)
{
    const unsigned code = op->code;
    if (code <= CM7_OP_RORS) {
        reads(op, bit(op->n) | bit(op->m));
        if ((code - CM7_OP_LSL) % 2 != 0)
            op->after |= CM8_SETS;
    } else if (code <= CM7_OP_SP_SUB) {
        reads(op, bit(op->n) | (code != CM7_OP_SP_ADD_I ? bit(op->m) : 0));
    } else if (code == CM7_OP_MOVT) {
        reads(op, bit(op->d));
    } else if (code <= CM7_OP_CLZ) {
        reads(op, bit(op->m));
    } else {
        reads(op, bit(op->n) | (code == CM7_OP_BFI ? bit(op->d) : 0));
    }
}

void cm8_schedule(cm7_op *op)
{
    const unsigned code = op->code;
    const bool branches = (code >= CM7_OP_B && code <= CM7_OP_IT) || code == CM7_OP_UNDEFINED;
    op->after = op->halfwords == 1 && !branches ? CM8_NARROW : 0;
    if (code >= CM7_OP_AND_I && code <= CM7_OP_CMN_RRX) {
        arithmetic(op);
    } else if ((code >= CM7_OP_MUL && code <= CM7_OP_SDIV) || code == CM7_OP_DSP_LONG) {
        multiplication(op);
    } else if (code >= CM7_OP_LSL && code <= CM7_OP_BFI) {
        single_stage(op);
    } else if (code == CM7_OP_PKHBT || code == CM7_OP_PKHTB) {
        reads(op, bit(op->n) | bit(op->m));
        op->after |= bit(op->d);
    } else if (code == CM7_OP_DSP) {
        dsp(op);
    } else if (code >= CM7_OP_LDR_I && code <= CM7_OP_TABLE) {
        transfer(op);
    } else if (code == CM7_OP_CBZ || code == CM7_OP_CBNZ || code == CM7_OP_MSR) {
        reads(op, bit(op->n));
    }
    if (op->it != 0)
        op->reads |= CM8_FLAGS;
}

/* Shared by the decoders of 16-bit, 32-bit and floating-point instructions. */
#ifndef MOTEBENCH_CORTEXM_V7M_DECODE_H
#define MOTEBENCH_CORTEXM_V7M_DECODE_H

#include "ops.h"

/* The 16-bit and the 32-bit instructions. */
void cm7_decode_narrow(const cm_core *core, cm7_op *op, uint32_t code, uint32_t pc);
void cm7_decode_wide(const cm_core *core, cm7_op *op, uint32_t first, uint32_t second, uint32_t pc);
/* Of those the coprocessor's, which is the floating-point unit. */
void cm7_decode_float(cm7_op *op, uint32_t first, uint32_t second, uint32_t pc);

static inline uint32_t cm7_bits(uint32_t value, unsigned from, unsigned count)
{
    return value >> from & ((1u << count) - 1);
}

static inline uint32_t cm7_extend(uint32_t value, unsigned width)
{
    const uint32_t sign = 1u << (width - 1);
    return (value ^ sign) - sign;
}

static inline void cm7_set(cm7_op *op, unsigned code, uint32_t d, uint32_t n, uint32_t m,
                           uint32_t imm)
{
    op->code = (uint16_t)code;
    op->d = (uint8_t)d;
    op->n = (uint8_t)n;
    op->m = (uint8_t)m;
    op->imm = imm;
}

/* A branch to a target in the same memory. */
static inline void cm7_set_branch(const cm_core *core, cm7_op *op, unsigned code, uint32_t pc,
                                  uint32_t target)
{
    cm7_set(op, cm_in_same_memory(core, pc, target) ? code : CM7_OP_RUNAWAY, op->d, op->n, 0,
            target);
}

#endif

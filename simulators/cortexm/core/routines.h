/*
 * Shared by the routines of every instruction set: arithmetic with flags, and conditions. State
 * that every instruction touches lives in locals of the function that executes: the flags n, z, c
 * and v as cm_core has them, and r, the registers.
 *
 * That function defines OP(name, cycles, ...), a routine of so many cycles, and NOW, the cycle it
 * has come to.
 */
#ifndef MOTEBENCH_CORTEXM_ROUTINES_H
#define MOTEBENCH_CORTEXM_ROUTINES_H

#include "internal.h"

#define TOP(value) ((value) >> 31)

static inline uint32_t cm_rotate(uint32_t value, unsigned by)
{
    return value >> (by & 31) | value << (-by & 31);
}

static inline uint32_t cm_reversed(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

/* Does this condition hold, by its number in the encodings? */
static inline bool cm_passes(unsigned condition, uint32_t n, uint32_t z, uint32_t c, uint32_t v)
{
    bool holds;
    switch (condition >> 1) {
    case 0:
        holds = z == 0;
        break;
    case 1:
        holds = c != 0;
        break;
    case 2:
        holds = TOP(n) != 0;
        break;
    case 3:
        holds = TOP(v) != 0;
        break;
    case 4:
        holds = c != 0 && z != 0;
        break;
    case 5:
        holds = TOP(n ^ v) == 0;
        break;
    case 6:
        holds = z != 0 && TOP(n ^ v) == 0;
        break;
    default:
        return true;
    }
    return holds != ((condition & 1) != 0);
}

/* --- what stands in locals into the core, and back -------------------------------------------- */

#define SAVE                \
    do {                    \
        core->cycles = NOW; \
        core->n = n;        \
        core->z = z;        \
        core->c = c;        \
        core->v = v;        \
    } while (0)
#define RESTORE_FLAGS \
    do {              \
        n = core->n;  \
        z = core->z;  \
        c = core->c;  \
        v = core->v;  \
    } while (0)

/* Is this stack pointer a fault? */
#define LOW_STACK(sp) (CM_UNLIKELY((sp) < core->stack_low) && !cm_stack_low(core, (sp)))

/* --- arithmetic: `sum` is the result, and the flags are set ----------------------------------- */

#define NZ(result) (n = z = (result))
#define SUM(x, y)                                                                   \
    const uint32_t left_side = (x), right_side = (y), sum = left_side + right_side; \
    c = sum < left_side;                                                            \
    v = ~(left_side ^ right_side) & (left_side ^ sum);                              \
    NZ(sum)
#define DIFFERENCE(x, y)                                                            \
    const uint32_t left_side = (x), right_side = (y), sum = left_side - right_side; \
    c = left_side >= right_side;                                                    \
    v = (left_side ^ right_side) & (left_side ^ sum);                               \
    NZ(sum)
#define SUM_WITH_CARRY(x, y)                                    \
    const uint32_t left_side = (x), right_side = (y);           \
    const uint64_t wide = (uint64_t)left_side + right_side + c; \
    const uint32_t sum = (uint32_t)wide;                        \
    c = (uint32_t)(wide >> 32);                                 \
    v = ~(left_side ^ right_side) & (left_side ^ sum);          \
    NZ(sum)

/* --- routines that differ in their operands only ---------------------------------------------- */

#define EXTENSIONS(to, from)                                                         \
    OP(SXTH, 1, to = (uint32_t)(int32_t)(int16_t)(from))                             \
    OP(SXTB, 1, to = (uint32_t)(int32_t)(int8_t)(from))                              \
    OP(UXTH, 1, to = (from) & 0xffff)                                                \
    OP(UXTB, 1, to = (from) & 0xff)                                                  \
    OP(REV, 1, to = __builtin_bswap32(from))                                         \
    OP(REV16, 1, const uint32_t x = __builtin_bswap32(from); to = x >> 16 | x << 16) \
    OP(REVSH, 1, to = (uint32_t)(int32_t)(int16_t)(uint16_t)(__builtin_bswap32(from) >> 16))

/* BRANCH(name, condition) of each condition, in the order of the encodings. */
#define CONDITIONAL_BRANCHES(BRANCH)       \
    BRANCH(BEQ, z == 0)                    \
    BRANCH(BNE, z != 0)                    \
    BRANCH(BCS, c != 0)                    \
    BRANCH(BCC, c == 0)                    \
    BRANCH(BMI, TOP(n) != 0)               \
    BRANCH(BPL, TOP(n) == 0)               \
    BRANCH(BVS, TOP(v) != 0)               \
    BRANCH(BVC, TOP(v) == 0)               \
    BRANCH(BHI, c != 0 && z != 0)          \
    BRANCH(BLS, c == 0 || z == 0)          \
    BRANCH(BGE, TOP(n ^ v) == 0)           \
    BRANCH(BLT, TOP(n ^ v) != 0)           \
    BRANCH(BGT, z != 0 && TOP(n ^ v) == 0) \
    BRANCH(BLE, z == 0 || TOP(n ^ v) != 0)

#endif

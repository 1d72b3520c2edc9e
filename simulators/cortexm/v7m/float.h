/*
 * Arithmetic of the floating-point unit FPv4-SP: single precision, to the bit, with the exceptions
 * and the modes of FPSCR.
 *
 * Source: ARMv7-M Architecture Reference Manual (ARM DDI 0403), section A2.5 (the operations
 * FPUnpack, FPRound, FPAdd, FPMulAdd, FPToFixed and others) and the instructions' sections of
 * chapter A7.
 */
#ifndef MOTEBENCH_CORTEXM_V7M_FLOAT_H
#define MOTEBENCH_CORTEXM_V7M_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CM7_FLOAT_ADD,
    CM7_FLOAT_SUB,
    CM7_FLOAT_MUL,
    CM7_FLOAT_NMUL,
    CM7_FLOAT_DIV,
    /* product and sum are rounded one by one */
    CM7_FLOAT_MLA,
    CM7_FLOAT_MLS,
    CM7_FLOAT_NMLA,
    CM7_FLOAT_NMLS,
    /* rounded once */
    CM7_FLOAT_FMA,
    CM7_FLOAT_FMS,
    CM7_FLOAT_FNMA,
    CM7_FLOAT_FNMS,
    /* of one operand, and comparisons */
    CM7_FLOAT_ABS,
    CM7_FLOAT_NEG,
    CM7_FLOAT_SQRT,
    CM7_FLOAT_CMP,
    CM7_FLOAT_CMPE,
    CM7_FLOAT_CMP_ZERO,
    CM7_FLOAT_CMPE_ZERO,
    CM7_FLOAT_TO_HALF,
    CM7_FLOAT_TO_TOP_HALF,
    CM7_FLOAT_FROM_HALF,
    CM7_FLOAT_FROM_TOP_HALF,
    CM7_FLOAT_FROM_INTEGER, /* and fixed-point numbers: see the flags below */
    CM7_FLOAT_TO_INTEGER,
    /* flags of conversions, and where the number of bits behind the point stands */
    CM7_FLOAT_SIGNED = 0x100,
    CM7_FLOAT_SHORT = 0x200, /* the number has 16 bits */
    /* rounds to nearest (from), towards zero (to), whatever FPSCR says */
    CM7_FLOAT_FIXED_MODE = 0x400,
    CM7_FLOAT_POINT = 16
};

/* The new value of the destination, which held `d`. `operation`: one of the above, with flags.
 * Exceptions, and the flags of a comparison (which gives `d` back), are written to `fpscr`. */
uint32_t cm7_float(unsigned operation, uint32_t d, uint32_t n, uint32_t m, uint32_t *fpscr);

#endif

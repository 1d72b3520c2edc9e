/*
 * Operations of an ARMv7-M core: what the decoder makes of instructions, and what the routines of
 * interpreter.h do.
 *
 * An operand comes in seven forms: I, a constant; R, a register; LSL, LSR, ASR and ROR, a register
 * shifted by a constant; RRX. A name that ends with S before its form sets flags: ADDS_LSL.
 * Sources: ARMv7-M Architecture Reference Manual (ARM DDI 0403), chapters A5 (encodings), A6
 * (floating point) and A7 (behaviour).
 */
#ifndef MOTEBENCH_CORTEXM_V7M_OPS_H
#define MOTEBENCH_CORTEXM_V7M_OPS_H

#include "../core/internal.h"
#include "v7m.h"

/* The forms of an operand, in the order in which the codes of an operation stand. */
enum {
    CM7_FORM_I,
    CM7_FORM_R,
    CM7_FORM_LSL,
    CM7_FORM_LSR,
    CM7_FORM_ASR,
    CM7_FORM_ROR,
    CM7_FORM_RRX,
    CM7_FORMS
};
#define CM7_EACH_FORM(X, name) \
    X(name##_I) X(name##_R) X(name##_LSL) X(name##_LSR) X(name##_ASR) X(name##_ROR) X(name##_RRX)
#define CM7_BOTH(X, name) CM7_EACH_FORM(X, name) CM7_EACH_FORM(X, name##S)

/* Addresses: I, base and constant; X, base and shifted register; PRE and POST, which change the
 * base. */
enum { CM7_AT_I, CM7_AT_X, CM7_AT_PRE, CM7_AT_POST, CM7_ATS };
#define CM7_EACH_AT(X, name) X(name##_I) X(name##_X) X(name##_PRE) X(name##_POST)

/* clang-format off */
#define CM7_OPS(X)                                                                                 \
    X(DECODE) X(RUNAWAY) X(UNDEFINED) X(CONDITIONAL)                                               \
    CM7_BOTH(X, AND) CM7_BOTH(X, BIC) CM7_BOTH(X, ORR) CM7_BOTH(X, ORN) CM7_BOTH(X, EOR)           \
    CM7_BOTH(X, MOV)                                                                               \
    CM7_BOTH(X, MVN) CM7_BOTH(X, ADD) CM7_BOTH(X, ADC) CM7_BOTH(X, SUB) CM7_BOTH(X, SBC)           \
    CM7_BOTH(X, RSB)                                                                               \
    CM7_EACH_FORM(X, TST) CM7_EACH_FORM(X, TEQ) CM7_EACH_FORM(X, CMP) CM7_EACH_FORM(X, CMN)        \
    X(LSL) X(LSLS) X(LSR) X(LSRS) X(ASR) X(ASRS) X(ROR) X(RORS)                                    \
    X(SP_ADD_I) X(SP_ADD) X(SP_SUB) X(MOVT)                                                        \
    X(MUL) X(MULS) X(MLA) X(MLS) X(UMULL) X(SMULL) X(UMLAL) X(SMLAL) X(UMAAL) X(UDIV) X(SDIV)      \
    X(SXTH) X(SXTB) X(UXTH) X(UXTB) X(REV) X(REV16) X(REVSH) X(RBIT) X(CLZ) X(UBFX) X(SBFX)        \
    X(BFI)                                                                                         \
    X(PKHBT) X(PKHTB) X(DSP) X(DSP_LONG)                                                           \
    CM7_EACH_AT(X, LDR) CM7_EACH_AT(X, LDRH) CM7_EACH_AT(X, LDRB) CM7_EACH_AT(X, LDRSH)            \
    CM7_EACH_AT(X, LDRSB)                                                                          \
    CM7_EACH_AT(X, STR) CM7_EACH_AT(X, STRH) CM7_EACH_AT(X, STRB)                                  \
    X(LDR_LITERAL) X(LDR_PC) X(LDR_SP) X(LDRD) X(STRD) X(LDM) X(STM) X(LDREX) X(STREX) X(CLREX)    \
    X(TABLE)                                                                                       \
    X(B) X(B_SELF) X(BL) X(BX) X(BLX) X(MOV_PC) X(ADD_PC) X(CBZ) X(CBNZ)                           \
    X(BEQ) X(BNE) X(BCS) X(BCC) X(BMI) X(BPL) X(BVS) X(BVC) X(BHI) X(BLS) X(BGE) X(BLT) X(BGT)     \
    X(BLE)                                                                                         \
    X(IT) X(CPS) X(BKPT) X(NOP) X(SEV) X(WFE) X(WFI) X(SVC) X(MSR) X(MRS) X(BARRIER)               \
    X(VLDR) X(VSTR) X(VLDM) X(VSTM) X(VMOV_TO_CORE) X(VMOV_FROM_CORE) X(VMOV_TO_PAIR)              \
    X(VMOV_FROM_PAIR) X(VMRS)                                                                      \
    X(VMSR) X(VMOV) X(VMOV_I) X(FLOAT)

enum {
#define CM7_CODE(name) CM7_OP_##name,
    CM7_OPS(CM7_CODE)
#undef CM7_CODE
};
/* clang-format on */

/* Decodes the instruction at `pc`, which lies in flash or RAM, into its place `op`; `it`: the state
 * of the IT block that it stands in, 0 outside. */
void cm7_decode(cm7_core *v7m, cm7_op *op, uint32_t pc, unsigned it);

cm_stop cm7_execute(cm_core *core);

/* --- dsp.c: instructions of the DSP extension, by number -------------------------------------- */

enum {
    /* + 6 * (S, Q, SH, U, UQ, UH) + (ADD16, ASX, SAX, SUB16, ADD8, SUB8) */
    CM7_DSP_PARALLEL = 0,
    CM7_DSP_SEL = 36,
    CM7_DSP_QADD,
    CM7_DSP_QDADD,
    CM7_DSP_QSUB,
    CM7_DSP_QDSUB,
    CM7_DSP_SXTAH,
    CM7_DSP_UXTAH,
    CM7_DSP_SXTAB16,
    CM7_DSP_UXTAB16,
    CM7_DSP_SXTAB,
    CM7_DSP_UXTAB,
    CM7_DSP_SXTB16,
    CM7_DSP_UXTB16,
    CM7_DSP_USAD8,
    /* + 2 * top of the first + top of the second; SMULxy with register 15 to add */
    CM7_DSP_SMLAXY,
    CM7_DSP_SMLAW = CM7_DSP_SMLAXY + 4, /* + top of the second */
    CM7_DSP_SMLAD = CM7_DSP_SMLAW + 2,  /* + exchanged */
    CM7_DSP_SMLSD = CM7_DSP_SMLAD + 2,
    CM7_DSP_SMMLA = CM7_DSP_SMLSD + 2, /* + rounded */
    CM7_DSP_SMMLS = CM7_DSP_SMMLA + 2,
    CM7_DSP_SSAT = CM7_DSP_SMMLS + 2,
    CM7_DSP_USAT,
    CM7_DSP_SSAT16,
    CM7_DSP_USAT16,
    CM7_DSP_COUNT,
    /* with a sum of 64 bits */
    CM7_LONG_SMLALXY = 0,
    CM7_LONG_SMLALD = 4,
    CM7_LONG_SMLSLD = 6
};

/* The result of operation `op` on n, m and what is to add; sets core->q and core->ge as it says.
 * `shift` is the rotation of SXTAB and its like, and for saturation the number of the bit (see
 * decode_wide.c). */
uint32_t cm7_dsp(cm_core *core, unsigned operation, uint32_t n, uint32_t m, uint32_t add,
                 unsigned shift);
uint64_t cm7_dsp_long(unsigned operation, uint32_t n, uint32_t m, uint64_t add);

#endif

/* Operations of an ARMv6-M core: what the decoder makes of instructions, and what executes them. */
#ifndef MOTEBENCH_CORTEXM_V6M_OPS_H
#define MOTEBENCH_CORTEXM_V6M_OPS_H

#include "../core/internal.h"
#include "v6m.h"

/* Routines of interpreter.h. X(name) */
/* clang-format off */
#define CM6_OPS(X)                                                                                 \
    X(DECODE) X(RUNAWAY) X(UNDEFINED)                                                              \
    X(LSLS_I) X(LSRS_I) X(LSRS_32) X(ASRS_I) X(ASRS_32) X(MOVS) X(ADDS) X(SUBS) X(ADDS_I)          \
    X(SUBS_I) X(MOVS_I)                                                                            \
    X(CMP_I) X(ANDS) X(EORS) X(LSLS) X(LSRS) X(ASRS) X(ADCS) X(SBCS) X(RORS) X(TST) X(RSBS)        \
    X(CMP) X(CMN) X(ORRS)                                                                          \
    X(MULS) X(BICS) X(MVNS) X(ADD) X(ADD_SP) X(ADD_I) X(MOV) X(MOV_SP) X(MOV_I) X(SP_I) X(MOV_PC)  \
    X(ADD_PC) X(BX)                                                                                \
    X(BLX) X(LDR_LITERAL) X(LDR) X(LDRH) X(LDRB) X(LDRSH) X(LDRSB) X(STR) X(STRH) X(STRB)          \
    X(LDR_I) X(LDRH_I)                                                                             \
    X(LDRB_I) X(STR_I) X(STRH_I) X(STRB_I) X(SXTH) X(SXTB) X(UXTH) X(UXTB) X(REV) X(REV16)         \
    X(REVSH) X(PUSH) X(POP)                                                                        \
    X(POP_PC) X(STM) X(LDM) X(CPS) X(BKPT) X(NOP) X(SEV) X(WFE) X(WFI) X(SVC) X(BEQ) X(BNE)        \
    X(BCS) X(BCC) X(BMI)                                                                           \
    X(BPL) X(BVS) X(BVC) X(BHI) X(BLS) X(BGE) X(BLT) X(BGT) X(BLE) X(B) X(B_SELF) X(BL) X(MSR)     \
    X(MRS) X(BARRIER)

enum {
#define CM6_CODE(name) CM6_OP_##name,
    CM6_OPS(CM6_CODE)
#undef CM6_CODE
};
/* clang-format on */

#define CM6_NO_LINE 0xffffffffu /* in tags and sets: nothing */

/* Decodes the instruction at `pc`, which lies in flash or RAM, into its place `op`. */
void cm6_decode(cm6_core *v6m, cm6_op *op, uint32_t pc);

cm_stop cm6_execute(cm_core *core);

/* --- flash.c: transfers ----------------------------------------------------------------------- */

/* As cm_load, with the wait states of flash, after a data phase that may have been as
 * cm6_flash_wait says. */
bool cm6_load(cm6_core *v6m, uint32_t address, unsigned size, bool behind_hit, uint32_t *value);

/* As cm_load_list; the second word of a line of flash comes with the first. */
bool cm6_load_list(cm6_core *v6m, uint32_t address, uint32_t list, bool behind_hit);

/* Wait states of a load of data from flash. */
unsigned cm6_load_wait(cm6_core *v6m, uint32_t address, bool behind_hit);

/* Further wait states of what `op`, a load that is over, fetches ahead: right behind a data read
 * that missed and filled no line. */
unsigned cm6_behind_data(const cm6_core *v6m, const cm6_op *op);

/*
 * Wait states of the first fetches at the target of a branch: its word, and the next if it is the
 * upper halfword. `before`: an address in the word that was fetched last. `start`: the cycle at
 * which the target would begin without them.
 */
unsigned cm6_target_wait(cm6_core *v6m, uint32_t target, uint32_t before, bool behind_hit,
                         uint64_t start);

#endif

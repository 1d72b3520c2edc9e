/* Operations of a Hazard3 core, and what makes them of instructions. */
#ifndef MOTEBENCH_HAZARD3_DECODE_H
#define MOTEBENCH_HAZARD3_DECODE_H

#include "core.h"

/* clang-format off */
#define HZ_OPS(X)                                                                                  \
    X(DECODE) X(RUNAWAY) X(UNDEFINED)                                                              \
    X(LUI) X(AUIPC) X(JAL) X(JALR) X(BEQ) X(BNE) X(BLT) X(BGE) X(BLTU) X(BGEU)                     \
    X(LB) X(LH) X(LW) X(LBU) X(LHU) X(SB) X(SH) X(SW)                                              \
    X(ADDI) X(SLTI) X(SLTIU) X(XORI) X(ORI) X(ANDI) X(SLLI) X(SRLI) X(SRAI)                        \
    X(ADD) X(SUB) X(SLL) X(SLT) X(SLTU) X(XOR) X(SRL) X(SRA) X(OR) X(AND)                          \
    X(MUL) X(MULH) X(MULHSU) X(MULHU) X(DIV) X(DIVU) X(REM) X(REMU)                                \
    X(LR) X(SC) X(AMOSWAP) X(AMOADD) X(AMOXOR) X(AMOAND) X(AMOOR) X(AMOMIN) X(AMOMAX) X(AMOMINU)   \
    X(AMOMAXU)                                                                                     \
    X(SH1ADD) X(SH2ADD) X(SH3ADD) X(ANDN) X(ORN) X(XNOR) X(CLZ) X(CTZ) X(CPOP) X(MAX) X(MAXU)      \
    X(MIN) X(MINU)                                                                                 \
    X(ORC_B) X(REV8) X(ROL) X(ROR) X(RORI) X(SEXT_B) X(SEXT_H) X(ZEXT_H)                           \
    X(BCLR) X(BCLRI) X(BEXT) X(BEXTI) X(BINV) X(BINVI) X(BSET) X(BSETI) X(PACK) X(PACKH) X(BREV8)  \
    X(ZIP) X(UNZIP)                                                                                \
    X(CSRRW) X(CSRRS) X(CSRRC) X(CSRRWI) X(CSRRSI) X(CSRRCI)                                       \
    X(FENCE) X(FENCE_I) X(ECALL) X(EBREAK) X(MRET) X(WFI)                                          \
    X(CM_PUSH) X(CM_POP) X(CM_POPRET) X(CM_POPRETZ) X(CM_MVA01S) X(CM_MVSA01)

enum {
#define HZ_CODE(name) HZ_OP_##name,
    HZ_OPS(HZ_CODE)
#undef HZ_CODE
};
/* clang-format on */

/* The instruction of 32 bits; `halfwords` says how long it is in memory. */
void hz_decode_wide(hz_op *op, uint32_t word, unsigned halfwords);

/* The instruction of 16 bits. */
void hz_decode_narrow(hz_op *op, uint16_t code);

/* Registers that cm.push and its like save: ra, s0, s1 and so on; `list` is 4 to 15, and gives 1 to
 * 13 of them. */
unsigned hz_list_count(unsigned list);
unsigned hz_list_register(unsigned i);

#endif

/* Shared by the files of the core. */
#ifndef MOTEBENCH_SIM_AVR_INTERNAL_H
#define MOTEBENCH_SIM_AVR_INTERNAL_H

#include "core.h"

/* The routines of the interpreter. Those from BRCS to BRIE, and from BRCC to BRID, are in the order
 * of the flags. */
/* clang-format off */
#define AV_OPS(X)                                                                                  \
    X(BAD) X(NOP) X(MOVW) X(MULS) X(MULSU) X(FMUL) X(FMULS) X(FMULSU) X(MUL)                       \
    X(CPC) X(SBC) X(ADD) X(CPSE) X(CP) X(SUB) X(ADC) X(AND) X(EOR) X(OR) X(MOV)                    \
    X(CPI) X(SBCI) X(SUBI) X(ORI) X(ANDI) X(LDI)                                                   \
    X(LDD_Z) X(LDD_Y) X(STD_Z) X(STD_Y) X(LDS) X(STS)                                              \
    X(LD_ZP) X(LD_MZ) X(LD_YP) X(LD_MY) X(LD_X) X(LD_XP) X(LD_MX)                                  \
    X(ST_ZP) X(ST_MZ) X(ST_YP) X(ST_MY) X(ST_X) X(ST_XP) X(ST_MX)                                  \
    X(LPM) X(LPM_P) X(ELPM) X(ELPM_P) X(POP) X(PUSH)                                               \
    X(COM) X(NEG) X(SWAP) X(INC) X(ASR) X(LSR) X(ROR) X(DEC)                                       \
    X(BSET) X(BCLR) X(SEC) X(CLC) X(SET) X(CLT) X(SEI) X(CLI)                                      \
    X(RET) X(RETI) X(SLEEP) X(IJMP) X(EIJMP) X(ICALL) X(EICALL) X(JMP) X(CALL) X(RJMP) X(RCALL)    \
    X(ADIW) X(SBIW) X(CBI) X(SBI) X(SBIC) X(SBIS) X(BLD) X(BST) X(SBRC) X(SBRS)                    \
    X(IN) X(OUT) X(IN_SPL) X(IN_SPH) X(IN_SREG) X(OUT_SPL) X(OUT_SPH) X(OUT_SREG)                  \
    X(BRCS) X(BREQ) X(BRMI) X(BRVS) X(BRLT) X(BRHS) X(BRTS) X(BRIE)                                \
    X(BRCC) X(BRNE) X(BRPL) X(BRVC) X(BRGE) X(BRHC) X(BRTC) X(BRID)

enum {
#define AV_NAME(name) AV_OP_##name,
    AV_OPS(AV_NAME)
#undef AV_NAME
    AV_OP_COUNT
};
/* clang-format on */

/* Cycles until a stack pointer that is written in halves counts. */
enum { AV_SETTLED = 7 };

/* One interpreter for each family, from interpreter.h, and the same for a core that is watched. */
av_stop av_execute_e(av_core *core);
av_stop av_execute_e22(av_core *core);
av_stop av_execute_xt(av_core *core);
av_stop av_watched_e(av_core *core);
av_stop av_watched_e22(av_core *core);
av_stop av_watched_xt(av_core *core);

/* Between two instructions, when something is due: events, interrupts, the stack. AV_NONE: go
 * on. */
av_stop av_core_event(av_core *core);

/* Decodes the words from there on, up to that one. What lies behind a program stays as it is:
 * nothing can be executed there. */
void av_core_decode(av_core *core, uint32_t from, uint32_t words);

/* Words of the instruction that begins with this word. */
unsigned av_length(unsigned word);

/* A pair of registers. Two loads of a byte: one of 16 bits would wait for two stores of a byte just
 * before it. */
static inline unsigned av_pair(const uint8_t *r)
{
    unsigned high = r[1];
    __asm__("" : "+r"(high));
    return r[0] | high << 8;
}

static inline void av_set_pair(uint8_t *r, unsigned value)
{
    r[0] = (uint8_t)value;
    r[1] = (uint8_t)(value >> 8);
}

static inline unsigned av_io_base(const av_core *core)
{
    return core->family == AV_XT ? 0 : AV_R;
}

#endif

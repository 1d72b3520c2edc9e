/*
 * Instructions and control registers of a QingKe V2: RV32EC, WCH's compressed loads and stores of
 * bytes and halfwords ("xw"; encodings: jnk0le's random, doc/ch32v003_(qkv2).md), and the few
 * control registers that WCH's core_riscv.h and startup_ch32v00x.S name.
 */
#include "decode.h"
#include "qingke_core.h"

enum {
    MSTATUS = 0x300,
    MISA = 0x301,
    MTVEC = 0x305,
    MSCRATCH = 0x340,
    MEPC = 0x341,
    MCAUSE = 0x342,
    INTSYSCR = 0x804,
    MARCHID = 0xf12,
    MIMPID = 0xf13,
    REGISTERS = 16,
    EXTERNAL = 1 << 11
};

/* C, E and X, of 32 bits. */
#define MISA_VALUE 0x40800014u

void qk_queue_reset(hz_core *core, uint32_t pc)
{
    core->queue =
        (hz_queue){.half = (pc & 2) != 0, .in_flash = pc - core->code_base < core->code_size};
}

void qk_core_reset(hz_core *core)
{
    core->qingke = true;
    core->mie = EXTERNAL; /* its own controller says which interrupts are enabled */
    core->flash_waits = 0;
    qk_queue_reset(core, core->pc);
}

/* Instructions of RV32I, of Zicsr and of machine mode, with the registers of RV32E. */
static void limit(hz_op *op)
{
    const unsigned code = op->code;
    const bool csr = code >= HZ_OP_CSRRW && code <= HZ_OP_CSRRCI;
    const bool known =
        (code >= HZ_OP_LUI && code <= HZ_OP_AND) || csr || code == HZ_OP_FENCE ||
        code == HZ_OP_FENCE_I || code == HZ_OP_EBREAK || code == HZ_OP_MRET || code == HZ_OP_WFI;
    /* The number of CSRR?I is no register. */
    const bool immediate = code >= HZ_OP_CSRRWI && code <= HZ_OP_CSRRCI;
    if (!known || op->rd >= REGISTERS || (op->rs1 >= REGISTERS && !immediate) ||
        op->rs2 >= REGISTERS)
        *op = (hz_op){.code = HZ_OP_UNDEFINED, .halfwords = op->halfwords};
}

void qk_decode_wide(hz_op *op, uint32_t word, unsigned halfwords)
{
    const bool block = word == 0x00002033; /* SLT zero, zero, zero: a command of Hazard3 alone */
    hz_decode_wide(op, word, halfwords);
    if (block)
        *op = (hz_op){.code = HZ_OP_SLT, .halfwords = (uint8_t)halfwords};
    limit(op);
}

void qk_decode_narrow(hz_op *op, uint16_t code)
{
    static const uint8_t bytes[2] = {HZ_OP_LBU, HZ_OP_SB}, halves[2] = {HZ_OP_LHU, HZ_OP_SH};
    const unsigned quadrant = code & 3, kind = code >> 13;
    if ((kind == 1 || kind == 5) && (quadrant == 0 || quadrant == 2)) {
        const uint8_t low = (uint8_t)(8 + (code >> 2 & 7)), high = (uint8_t)(8 + (code >> 7 & 7));
        const bool store = kind == 5, half = quadrant == 2;
        const unsigned bit = code >> 12 & 1, middle = code >> 5 & 3, upper = code >> 10 & 3;
        *op = (hz_op){.code = half ? halves[store] : bytes[store],
                      .rd = store ? 0 : low,
                      .rs1 = high,
                      .rs2 = store ? low : 0,
                      .halfwords = 1,
                      .imm = (int32_t)(middle << 1 | upper << 3 | bit << (half ? 5 : 0))};
        return;
    }
    hz_decode_narrow(op, code);
    limit(op);
}

bool qk_csr_read(hz_core *core, uint32_t number, uint32_t written, uint32_t *value)
{
    (void)written;
    switch (number) {
    case MSTATUS:
        *value = core->mstatus;
        return true;
    case MISA:
        *value = MISA_VALUE;
        return true;
    case MTVEC:
        *value = core->mtvec;
        return true;
    case MSCRATCH:
        *value = core->mscratch;
        return true;
    case MEPC:
        *value = core->mepc;
        return true;
    case MCAUSE:
        *value = core->mcause;
        return true;
    case INTSYSCR:
    case MARCHID:
    case MIMPID:
        *value = 0;
        return true;
    default:
        return false;
    }
}

/* MIE of mstatus is set only with MPIE; mtvec has no bits 2 to 9: jnk0le's measurements. The
 * interrupts' own stack of INTSYSCR is not modelled: a program that asks for it stops. */
bool qk_csr_write(hz_core *core, uint32_t number, uint32_t value, uint32_t written, unsigned kind)
{
    const bool alone = (value & 0x88) == 8 && (core->mstatus & 8) == 0;
    (void)written;
    (void)kind;
    switch (number) {
    case MSTATUS:
        core->mstatus = (value & (alone ? 0x80u : 0x88u)) | 0x1800;
        return true;
    case MTVEC:
        core->mtvec = value & ~0x3fcu;
        return true;
    case MSCRATCH:
        core->mscratch = value;
        return true;
    case MEPC:
        core->mepc = value & ~1u;
        return true;
    case MCAUSE:
        core->mcause = value & 0x800000ffu;
        return true;
    case INTSYSCR:
        return value == 0;
    default:
        return false;
    }
}

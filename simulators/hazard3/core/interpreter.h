/*
 * The interpreter, once for each file that includes it, which defines
 *
 *     NAME       the function
 *     WATCHED    1: each instruction is first given to hz_watch_op; 0: not
 *     QINGKE     1: cycles, decoding and control registers of a QingKe V2; 0: Hazard3's
 *
 * Cycles: a step of the fetching part for each, so that its stalls are where the hardware has them.
 */
#include <string.h>

#include "bits.h"
#include "bytes.h"
#include "decode.h"
#include "frontend.h"
#include "watch.h"

#if QINGKE
#define DECODE_NARROW qk_decode_narrow
#define DECODE_WIDE qk_decode_wide
#define CSR_READ qk_csr_read
#define CSR_WRITE qk_csr_write
#define RUN_WATCHED qk_core_run_watched
#else
#define DECODE_NARROW hz_decode_narrow
#define DECODE_WIDE hz_decode_wide
#define CSR_READ hz_csr_read
#define CSR_WRITE hz_csr_write
#define RUN_WATCHED hz_core_run_watched
#endif

static hz_stop fault(hz_core *core, hz_stop stop, uint32_t address, const char *words)
{
    core->stop = stop;
    core->fault_address = address;
    core->fault = words;
    return stop;
}

static void forget(hz_core *core)
{
    memset(core->code_ops, 0, (core->code_size / 2 + 1) * sizeof *core->code_ops);
    memset(core->ram_ops, 0, (core->ram_size / 2 + 1) * sizeof *core->ram_ops);
    core->flush = false;
}

/* The decoded instruction at the program counter; NULL: no memory is there. */
static hz_op *op_at(hz_core *core, uint32_t pc, const uint8_t **bytes, uint32_t *left)
{
    const uint32_t in_code = pc - core->code_base, in_ram = pc - core->ram_base;
    if (in_code < core->code_size) {
        *bytes = core->code + in_code;
        *left = core->code_size - in_code;
        return &core->code_ops[in_code / 2];
    }
    if (in_ram < core->ram_size) {
        *bytes = core->ram + in_ram;
        *left = core->ram_size - in_ram;
        return &core->ram_ops[in_ram / 2];
    }
    return NULL;
}

static void decode(hz_op *op, const uint8_t *bytes, uint32_t left)
{
    const uint16_t first = sim_get16(bytes);
    if ((first & 3) != 3)
        DECODE_NARROW(op, first);
    else if (left >= 4)
        DECODE_WIDE(op, sim_get32(bytes), 2);
    else
        *op = (hz_op){.code = HZ_OP_RUNAWAY, .halfwords = 1};
}

static bool load(hz_core *core, uint32_t address, unsigned size, uint32_t *value)
{
    const uint32_t in_ram = address - core->ram_base, in_code = address - core->code_base;
    if ((address & (size - 1)) != 0)
        return fault(core, HZ_UNALIGNED, address, "a load from an address that is not aligned"),
               false;
    const uint8_t *p = in_ram < core->ram_size     ? core->ram + in_ram
                       : in_code < core->code_size ? core->code + in_code
                                                   : NULL;
    if (p != NULL)
        *value = size == 4 ? sim_get32(p) : size == 2 ? sim_get16(p) : *p;
    else if (!core->bus.read(core->bus.board, address, size, value))
        return fault(core, HZ_BUS, address, "a load from an address without memory or peripheral"),
               false;
    return true;
}

static bool store(hz_core *core, uint32_t address, unsigned size, uint32_t value)
{
    const uint32_t in_ram = address - core->ram_base, in_code = address - core->code_base;
    if ((address & (size - 1)) != 0)
        return fault(core, HZ_UNALIGNED, address, "a store to an address that is not aligned"),
               false;
    if (in_ram < core->ram_size) {
        sim_put(core->ram + in_ram, size, value);
        hz_op *const at = &core->ram_ops[in_ram / 2];
        at[0].code = at[1].code = HZ_OP_DECODE;
        if (in_ram >= 2)
            at[-1].code = HZ_OP_DECODE;
    } else if (in_code < core->code_size) {
        return fault(core, HZ_BUS, address, "a store to the memory of the program"), false;
    } else if (!core->bus.write(core->bus.board, address, size, value)) {
        return fault(core, HZ_BUS, address, "a store to an address without memory or peripheral"),
               false;
    }
    return true;
}

/* False: below the end of static data. */
static bool stack_at(hz_core *core, uint32_t sp)
{
    if (sp < core->stack_low)
        core->stack_low = sp;
    if (sp >= core->stack_limit || core->stack_limit == 0)
        return true;
    return fault(core, HZ_STACK, sp, "the stack pointer is below the end of static data"), false;
}

static bool stores(unsigned code)
{
    return code >= HZ_OP_SB && code <= HZ_OP_SW;
}

/* Traps and jumps are the core's own: cycles.h, qingke.h. */
static void enter_trap(hz_core *core, uint32_t cause)
{
    core->mepc = core->pc;
    core->mcause = cause;
    core->mstatus = (core->mstatus & ~0x88u) | (core->mstatus & 8) << 4;
}

#if QINGKE
#include "qingke.h"
#else
#include "cycles.h"
#endif

/* --- arithmetic ------------------------------------------------------------------------------- */

static uint32_t rotated(uint32_t value, uint32_t by)
{
    by &= 31;
    return by == 0 ? value : value >> by | value << (32 - by);
}

static uint32_t arithmetic_shift(uint32_t value, uint32_t by)
{
    by &= 31;
    return value >> by | (value >> 31 != 0 && by != 0 ? ~(0xffffffffu >> by) : 0);
}

static uint32_t or_bytes(uint32_t value)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i += 8)
        result |= (value >> i & 0xff) != 0 ? 0xffu << i : 0;
    return result;
}

static uint32_t quotient(unsigned code, uint32_t n, uint32_t d)
{
    const bool overflows = n == 0x80000000u && d == 0xffffffffu;
    switch (code) {
    case HZ_OP_DIV:
        return d == 0 ? 0xffffffffu : overflows ? n : (uint32_t)((int32_t)n / (int32_t)d);
    case HZ_OP_DIVU:
        return d == 0 ? 0xffffffffu : n / d;
    case HZ_OP_REM:
        return d == 0 ? n : overflows ? 0 : (uint32_t)((int32_t)n % (int32_t)d);
    default:
        return d == 0 ? n : n % d;
    }
}

static uint32_t atomic_result(unsigned code, uint32_t old, uint32_t value)
{
    switch (code) {
    case HZ_OP_AMOSWAP:
        return value;
    case HZ_OP_AMOADD:
        return old + value;
    case HZ_OP_AMOXOR:
        return old ^ value;
    case HZ_OP_AMOAND:
        return old & value;
    case HZ_OP_AMOOR:
        return old | value;
    case HZ_OP_AMOMIN:
        return (int32_t)old < (int32_t)value ? old : value;
    case HZ_OP_AMOMAX:
        return (int32_t)old > (int32_t)value ? old : value;
    case HZ_OP_AMOMINU:
        return old < value ? old : value;
    default:
        return old > value ? old : value;
    }
}

/* --- Zcmp: a row of small operations, one a cycle --------------------------------------------- */

static bool move_registers(hz_core *core, const hz_op *op)
{
    const unsigned list = (unsigned)op->imm >> 16, count = hz_list_count(list);
    const uint32_t by = (uint32_t)op->imm & 0xffff;
    const bool pushes = op->code == HZ_OP_CM_PUSH,
               returns = op->code == HZ_OP_CM_POPRET || op->code == HZ_OP_CM_POPRETZ;
    const uint32_t top = pushes ? core->x[HZ_SP] : core->x[HZ_SP] + by;
    if (core->loaded == HZ_SP)
        idle(core);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t address = top - 4 * (count - i);
        uint32_t *const reg = &core->x[hz_list_register(i)];
        if (!(pushes ? store(core, address, 4, *reg) : load(core, address, 4, reg)))
            return false;
        idle(core);
    }
    if (op->code == HZ_OP_CM_POPRETZ) {
        core->x[HZ_A0] = 0;
        idle(core);
    }
    core->x[HZ_SP] = pushes ? core->x[HZ_SP] - by : top;
    if (!stack_at(core, core->x[HZ_SP]))
        return false;
    if (returns) {
        if (count == 1 && op->code == HZ_OP_CM_POPRET)
            idle(core); /* the return address comes from memory a cycle later */
        jump(core, core->x[HZ_RA] & ~1u);
    } else {
        finish(core, op);
        core->pc += 2;
    }
    return true;
}

static void two_moves(hz_core *core, const hz_op *op)
{
    uint32_t *const one = &core->x[op->imm & 0xff], *const other = &core->x[op->imm >> 8],
                    *const a = &core->x[HZ_A0];
    if (op->code == HZ_OP_CM_MVSA01) {
        *one = a[0];
        *other = a[1];
    } else {
        a[0] = *one;
        a[1] = *other;
    }
    idle(core);
    finish(core, op);
    core->pc += 2;
}

/* --- the loop --------------------------------------------------------------------------------- */

#define RD core->x[op->rd]
#define A core->x[op->rs1]
#define B core->x[op->rs2]
#define IMM ((uint32_t)op->imm)
#define RESULT(name, value) \
    case HZ_OP_##name: {    \
        RD = (value);       \
        core->x[0] = 0;     \
        NEXT;               \
    }
#define NEXT                        \
    finish(core, op);               \
    core->pc += 2u * op->halfwords; \
    break
#define LOAD(name, size, type)                    \
    case HZ_OP_##name: {                          \
        uint32_t value = 0;                       \
        if (!load(core, A + IMM, (size), &value)) \
            return core->stop;                    \
        finish_load(core, op, A + IMM);           \
        RD = (uint32_t)(type)value;               \
        core->x[0] = 0;                           \
        core->pc += 2u * op->halfwords;           \
        break;                                    \
    }
#define STORE(name, size)                     \
    case HZ_OP_##name:                        \
        if (!store(core, A + IMM, (size), B)) \
            return core->stop;                \
        NEXT;
#define BRANCH(name, condition)        \
    case HZ_OP_##name:                 \
        branch(core, op, (condition)); \
        break;

/* One instruction. */
static hz_stop step(hz_core *core)
{
    const uint8_t *bytes;
    uint32_t left;
    hz_op *op = op_at(core, core->pc, &bytes, &left);
    if (op == NULL)
        return fault(core, HZ_BUS, core->pc, "the program counter is outside of memory");
    if (op->code == HZ_OP_DECODE)
        decode(op, bytes, left);
#if WATCHED
    hz_watch_op(core, op);
#endif
    begin(core, op);
    core->retired++;
    switch (op->code) {
        RESULT(LUI, IMM)
        RESULT(AUIPC, core->pc + IMM)
    case HZ_OP_JAL: {
        const uint32_t from = core->pc;
        jump(core, from + IMM);
        RD = from + 2u * op->halfwords;
        core->x[0] = 0;
        break;
    }
    case HZ_OP_JALR: {
        const uint32_t from = core->pc, to = (A + IMM) & ~1u;
        jump(core, to);
        RD = from + 2u * op->halfwords;
        core->x[0] = 0;
        break;
    }
        BRANCH(BEQ, A == B)
        BRANCH(BNE, A != B)
        BRANCH(BLT, (int32_t)A < (int32_t)B)
        BRANCH(BGE, (int32_t)A >= (int32_t)B)
        BRANCH(BLTU, A < B)
        BRANCH(BGEU, A >= B)
        LOAD(LB, 1, int8_t)
        LOAD(LH, 2, int16_t)
        LOAD(LW, 4, uint32_t)
        LOAD(LBU, 1, uint8_t)
        LOAD(LHU, 2, uint16_t)
        STORE(SB, 1)
        STORE(SH, 2)
        STORE(SW, 4)
    case HZ_OP_ADDI:
        RD = A + IMM;
        core->x[0] = 0;
        if (op->rd == HZ_SP && !stack_at(core, core->x[HZ_SP]))
            return core->stop;
        NEXT;
        RESULT(SLTI, (int32_t)A < op->imm)
        RESULT(SLTIU, A < IMM)
        RESULT(XORI, A ^ IMM)
        RESULT(ORI, A | IMM)
        RESULT(ANDI, A & IMM)
        RESULT(SLLI, A << IMM)
        RESULT(SRLI, A >> IMM)
        RESULT(SRAI, arithmetic_shift(A, IMM))
    case HZ_OP_ADD:
        RD = A + B;
        core->x[0] = 0;
        if (op->rd == HZ_SP && !stack_at(core, core->x[HZ_SP]))
            return core->stop;
        NEXT;
        RESULT(SUB, A - B)
        RESULT(SLL, A << (B & 31))
        RESULT(SLT, (int32_t)A < (int32_t)B)
        RESULT(SLTU, A < B)
        RESULT(XOR, A ^ B)
        RESULT(SRL, A >> (B & 31))
        RESULT(SRA, arithmetic_shift(A, B))
        RESULT(OR, A | B)
        RESULT(AND, A & B)
        RESULT(MUL, A * B)
        RESULT(MULH, (uint32_t)((uint64_t)((int64_t)(int32_t)A * (int32_t)B) >> 32))
        RESULT(MULHSU, (uint32_t)((uint64_t)((int64_t)(int32_t)A * (int64_t)B) >> 32))
        RESULT(MULHU, (uint32_t)((uint64_t)A * B >> 32))
    case HZ_OP_DIV:
    case HZ_OP_DIVU:
    case HZ_OP_REM:
    case HZ_OP_REMU: {
        const unsigned cycles =
            division_cycles(op->code == HZ_OP_DIV || op->code == HZ_OP_REM, A, B);
        for (unsigned i = 1; i < cycles; i++)
            idle(core);
        RD = quotient(op->code, A, B);
        core->x[0] = 0;
        NEXT;
    }
    case HZ_OP_LR: {
        uint32_t value = 0;
        if (core->exclusive_before)
            idle(core);
        if (!load(core, A, 4, &value))
            return core->stop;
        RD = value;
        core->x[0] = 0;
        core->reserved = true;
    next_exclusive:
        finish(core, op);
        core->pc += 4;
        core->loaded = op->rd;
        core->exclusive_before = true;
        break;
    }
    case HZ_OP_SC: {
        if (core->exclusive_before)
            idle(core);
        const bool done = core->reserved;
        if (done && !store(core, A, 4, B))
            return core->stop;
        RD = !done;
        core->x[0] = 0;
        core->reserved = false;
        goto next_exclusive;
    }
    case HZ_OP_AMOSWAP:
    case HZ_OP_AMOADD:
    case HZ_OP_AMOXOR:
    case HZ_OP_AMOAND:
    case HZ_OP_AMOOR:
    case HZ_OP_AMOMIN:
    case HZ_OP_AMOMAX:
    case HZ_OP_AMOMINU:
    case HZ_OP_AMOMAXU: {
        uint32_t value = 0;
        if (core->exclusive_before)
            idle(core);
        if (!load(core, A, 4, &value) || !store(core, A, 4, atomic_result(op->code, value, B)))
            return core->stop;
        for (unsigned i = 1; i < 4; i++)
            idle(core);
        core->reserved = false;
        RD = value;
        core->x[0] = 0;
        NEXT;
    }
        RESULT(SH1ADD, (A << 1) + B)
        RESULT(SH2ADD, (A << 2) + B)
        RESULT(SH3ADD, (A << 3) + B)
        RESULT(ANDN, A & ~B)
        RESULT(ORN, A | ~B)
        RESULT(XNOR, ~(A ^ B))
        RESULT(CLZ, A == 0 ? 32 : (uint32_t)__builtin_clz(A))
        RESULT(CTZ, A == 0 ? 32 : (uint32_t)__builtin_ctz(A))
        RESULT(CPOP, (uint32_t)__builtin_popcount(A))
        RESULT(MAX, (int32_t)A > (int32_t)B ? A : B)
        RESULT(MAXU, A > B ? A : B)
        RESULT(MIN, (int32_t)A < (int32_t)B ? A : B)
        RESULT(MINU, A < B ? A : B)
        RESULT(ORC_B, or_bytes(A))
        RESULT(REV8, __builtin_bswap32(A))
        RESULT(ROL, rotated(A, 32 - (B & 31)))
        RESULT(ROR, rotated(A, B))
        RESULT(RORI, rotated(A, IMM))
        RESULT(SEXT_B, (uint32_t)(int8_t)A)
        RESULT(SEXT_H, (uint32_t)(int16_t)A)
        RESULT(ZEXT_H, A & 0xffff)
        RESULT(BCLR, A & ~(1u << (B & 31)))
        RESULT(BCLRI, A & ~(1u << IMM))
        RESULT(BEXT, A >> (B & 31) & 1)
        RESULT(BEXTI, A >> IMM & 1)
        RESULT(BINV, A ^ 1u << (B & 31))
        RESULT(BINVI, A ^ 1u << IMM)
        RESULT(BSET, A | 1u << (B & 31))
        RESULT(BSETI, A | 1u << IMM)
        RESULT(PACK, (A & 0xffff) | B << 16)
        RESULT(PACKH, (A & 0xff) | (B & 0xff) << 8)
        RESULT(BREV8, reversed_in_bytes(A))
        RESULT(ZIP, zipped(A))
        RESULT(UNZIP, unzipped(A))
    case HZ_OP_CSRRW:
    case HZ_OP_CSRRS:
    case HZ_OP_CSRRC:
    case HZ_OP_CSRRWI:
    case HZ_OP_CSRRSI:
    case HZ_OP_CSRRCI: {
        const bool immediate = op->code >= HZ_OP_CSRRWI;
        const unsigned kind = op->code - (immediate ? HZ_OP_CSRRWI : HZ_OP_CSRRW);
        const uint32_t number = IMM & 0xfff, field = IMM >> 12,
                       written = immediate ? field : core->x[field];
        uint32_t old = 0;
        if (!CSR_READ(core, number, written, &old))
            return fault(core, HZ_UNDEFINED, number, "a control register that does not exist");
        const uint32_t value = kind == 0 ? written : kind == 1 ? old | written : old & ~written;
        if ((kind == 0 || field != 0) && !CSR_WRITE(core, number, value, written, kind))
            return fault(core, HZ_UNDEFINED, number, "a control register that cannot be written");
        RD = old;
        core->x[0] = 0;
        NEXT;
    }
    case HZ_OP_FENCE:
        NEXT;
    case HZ_OP_FENCE_I:
        core->flush = true;
        jump(core, core->pc + 4);
        core->fetch.known = false;
        break;
    case HZ_OP_ECALL:
        enter_trap(core, 11);
        trap_jump(core, op, trap_vector(core, 11));
        break;
    case HZ_OP_MRET:
        core->mstatus = (core->mstatus & ~8u) | (core->mstatus & 0x80) >> 4 | 0x80;
        trap_jump(core, op, core->mepc);
        break;
    case HZ_OP_WFI:
        finish(core, op);
        core->pc += 4;
        if (!hz_core_wakes(core))
            return HZ_SLEEP;
        break;
    case HZ_OP_CM_PUSH:
    case HZ_OP_CM_POP:
    case HZ_OP_CM_POPRET:
    case HZ_OP_CM_POPRETZ:
        if (!move_registers(core, op))
            return core->stop;
        break;
    case HZ_OP_CM_MVA01S:
    case HZ_OP_CM_MVSA01:
        two_moves(core, op);
        break;
    case HZ_OP_EBREAK:
        return fault(core, HZ_UNDEFINED, core->pc, "a breakpoint");
    case HZ_OP_RUNAWAY:
        return fault(core, HZ_BUS, core->pc, "the program counter runs out of memory");
    default:
        return fault(core, HZ_UNDEFINED, core->pc, "an undefined instruction");
    }
    return HZ_DEADLINE;
}

hz_stop NAME(hz_core *core, uint64_t until)
{
#if !WATCHED
    if (core->watch != NULL)
        return RUN_WATCHED(core, until);
#endif
    while (core->cycles < until) {
        if (core->halt)
            return HZ_HALTED;
        if (core->flush)
            forget(core);
        if ((core->mstatus & 8) != 0 && hz_core_wakes(core))
            interrupt(core);
        const hz_stop stop = step(core);
        if (stop != HZ_DEADLINE)
            return stop;
    }
    return HZ_DEADLINE;
}

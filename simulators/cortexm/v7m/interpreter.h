/*
 * The interpreter, four times: the including file defines
 *
 *     NAME       the function
 *     WATCHED    1: each instruction is first given to cm7_watch; 0: not
 *     STEPS      the steps of the pipeline, if they are others than those of ARMv7-M
 *
 * Decoded ARMv7-M instructions, one after the other, as v6m/interpreter.h has it for ARMv6-M:
 * state in locals, `now` is the cycle at which the instruction is executed; a routine ends with
 * NEXT, with a branch, or with a stop.
 *
 * Behaviour: ARM DDI 0403 chapter A7. Cycles: Cortex-M4 Technical Reference Manual (ARM DDI 0439)
 * section 3.3.1, and docs/explain/cortexm.md for what it leaves open.
 */
#include "float.h"
#ifndef STEPS
#define STEPS "steps.h"
#endif
#include STEPS
#include "watch.h"

static uint32_t magnitude(uint32_t value)
{
    return TOP(value) != 0 ? 0u - value : value;
}

/* A load or store of 1, 2 or 4 bytes that may be unaligned: two or three transfers then. */
static bool load_any(cm_core *core, uint32_t address, unsigned size, uint32_t *value)
{
    if ((address & (size - 1)) == 0)
        return cm_load(core, address, size, value);
    *value = 0;
    for (unsigned i = 0; i < size; i++) {
        uint32_t byte;
        if (!cm_load(core, address + i, 1, &byte))
            return false;
        *value |= byte << 8 * i;
    }
    return true;
}

static bool store_any(cm_core *core, uint32_t address, unsigned size, uint32_t value)
{
    if ((address & (size - 1)) == 0)
        return cm_store(core, address, size, value);
    for (unsigned i = 0; i < size; i++) {
        if (!cm_store(core, address + i, 1, value >> 8 * i & 0xff))
            return false;
    }
    return true;
}

/* More cycles of an unaligned transfer: one for two halfwords, two for a byte, a halfword and a
 * byte. */
static int unaligned(uint32_t address, unsigned size)
{
    if ((address & (size - 1)) == 0)
        return 0;
    return size == 4 && (address & 1) != 0 ? 2 : 1;
}

cm_stop NAME(cm_core *core)
{
#define CM7_LABEL(name) &&op_##name,
    static const void *const routines[] = {CM7_OPS(CM7_LABEL)};
#undef CM7_LABEL
    cm7_core *const v7m = (cm7_core *)core;
    uint32_t *const r = core->r;
    uint8_t *const ram = core->ram;
    const uint32_t ram_base = core->ram_base, ram_near = v7m->ram_near;
    uint32_t n = core->n, z = core->z, c = core->c, v = core->v;
    uint64_t now = core->cycles, began;
    PIPELINE;
    bool cached;
    cm7_op *ops, *op;
    uint32_t base, target, value, address;
    int cost;
    cm_stop stop;

#define NOW now
#define PC (base + 2 * (uint32_t)(op - ops))
#if WATCHED
#define WATCH                   \
    do {                        \
        SAVE;                   \
        cm7_watch(v7m, op, PC); \
    } while (0)
#else
#define WATCH (void)0
#endif
#define RESTORE now = core->cycles
#define D r[op->d]
#define N r[op->n]
#define M r[op->m]
#define A r[op->a]
#define IMM (op->imm)

    target = r[CM_PC];
    if (v7m->next == target) { /* goes on where it stopped */
        began = v7m->began;
        GO_ON;
        if (target - core->flash_base < core->flash_size) {
            base = core->flash_base;
            ops = v7m->flash_ops;
            cached = v7m->timing.wait != 0;
        } else {
            base = ram_base;
            ops = v7m->ram_ops;
            cached = false;
        }
        op = ops + ((target - base) >> 1);
        GO;
    }
    cost = 0;
    goto enter;

op_DECODE: /* now it is known which words it needs */
    cm7_decode(v7m, op, PC, 0);
    DECODED;
    WATCH;
    goto *routines[op->code];
op_CONDITIONAL:
    if (cm_passes(op->condition, n, z, c, v)) {
        HOLDS;
        goto *routines[op->real];
    }
    SKIP;
op_RUNAWAY:
    (void)cm_fault(core, CM_BUS, PC, "execution at an address without memory");
    goto fault;
op_UNDEFINED:
    (void)cm_fault(core, CM_UNDEFINED, PC, "an undefined instruction");
    goto fault;
op_BKPT:
    (void)cm_fault(core, CM_UNDEFINED, PC, "a breakpoint");
    goto fault;

    /* --- sums and logic, in every form -------------------------------------------------------- */

#define OP(name, cycles, ...) \
    op_##name:                \
    {                         \
        __VA_ARGS__;          \
        NEXT(cycles);         \
    }
/* The operand of each form, and the carry that comes out of it. */
#define X_I IMM
#define X_R M
#define X_LSL (M << IMM)
#define X_LSR ((uint32_t)((uint64_t)M >> IMM))
#define X_ASR ((uint32_t)((int64_t)(int32_t)M >> IMM))
#define X_ROR cm_rotate(M, IMM)
#define X_RRX (M >> 1 | c << 31)
#define C_I (op->a != 0 ? (uint32_t)(op->a & 1) : c)
#define C_R c
#define C_LSL (M >> (32 - IMM) & 1)
#define C_LSR (M >> (IMM - 1) & 1)
#define C_ASR (M >> (IMM - 1) & 1)
#define C_ROR (M >> (IMM - 1) & 1)
#define C_RRX (M & 1)
#define EACH_FORM(MAKE, ...) \
    MAKE(I, __VA_ARGS__)     \
    MAKE(R, __VA_ARGS__)     \
    MAKE(LSL, __VA_ARGS__)   \
    MAKE(LSR, __VA_ARGS__)   \
    MAKE(ASR, __VA_ARGS__)   \
    MAKE(ROR, __VA_ARGS__)   \
    MAKE(RRX, __VA_ARGS__)
#define LOGIC(form, name, result)                                                               \
    OP(name##_##form, 1, const uint32_t x = X_##form; D = (result))                             \
    OP(name##S_##form, 1, const uint32_t x = X_##form, carry = C_##form; NZ(result); c = carry; \
       D = z)
#define TEST(form, name, result) \
    OP(name##_##form, 1, const uint32_t x = X_##form, carry = C_##form; NZ(result); c = carry)
    EACH_FORM(LOGIC, AND, N & x)
    EACH_FORM(LOGIC, BIC, N & ~x)
    EACH_FORM(LOGIC, ORR, N | x)
    EACH_FORM(LOGIC, ORN, N | ~x)
    EACH_FORM(LOGIC, EOR, N ^ x)
    EACH_FORM(LOGIC, MOV, x)
    EACH_FORM(LOGIC, MVN, ~x)
    EACH_FORM(TEST, TST, N & x)
    EACH_FORM(TEST, TEQ, N ^ x)

#define ARITHMETIC(form, name, plain, with_flags, first, second)   \
    OP(name##_##form, 1, const uint32_t x = X_##form; D = (plain)) \
    OP(name##S_##form, 1, const uint32_t x = X_##form; with_flags(first, second); D = sum)
    EACH_FORM(ARITHMETIC, ADD, N + x, SUM, N, x)
    EACH_FORM(ARITHMETIC, SUB, N - x, DIFFERENCE, N, x)
    EACH_FORM(ARITHMETIC, RSB, x - N, DIFFERENCE, x, N)
    EACH_FORM(ARITHMETIC, ADC, N + x + c, SUM_WITH_CARRY, N, x)
    EACH_FORM(ARITHMETIC, SBC, N - x - 1 + c, SUM_WITH_CARRY, N, ~x)
#define COMPARISON(form, name, with_flags) \
    OP(name##_##form, 1, const uint32_t x = X_##form; with_flags(N, x))
    EACH_FORM(COMPARISON, CMP, DIFFERENCE)
    EACH_FORM(COMPARISON, CMN, SUM)

    OP(SP_ADD_I, 1, r[CM_SP] = (N + IMM) & ~3u; if (LOW_STACK(r[CM_SP])) goto fault)
    OP(SP_ADD, 1, r[CM_SP] = (N + (M << IMM)) & ~3u; if (LOW_STACK(r[CM_SP])) goto fault)
    OP(SP_SUB, 1, r[CM_SP] = (N - (M << IMM)) & ~3u; if (LOW_STACK(r[CM_SP])) goto fault)
    OP(MOVT, 1, D = (D & 0xffff) | IMM)
op_NOP:
    NOTHING;

    /* --- shifts by a register ----------------------------------------------------------------- */

#define SHIFT(name, below, from_32, carry_below, carry_from_32)        \
    OP(name, 1, const uint32_t x = N; const unsigned by = M & 0xff;    \
       D = by < 32 ? (below) : (from_32))                              \
    OP(name##S, 1, const uint32_t x = N; const unsigned by = M & 0xff; \
       if (by != 0) c = by < 32 ? (carry_below) : (carry_from_32);     \
       NZ(by < 32 ? (below) : (from_32)); D = z)
    SHIFT(LSL, x << by, 0, x >> (32 - by) & 1, by == 32 ? x & 1 : 0)
    SHIFT(LSR, x >> by, 0, x >> (by - 1) & 1, by == 32 ? TOP(x) : 0)
    SHIFT(ASR, (uint32_t)((int32_t)x >> by), 0u - TOP(x), x >> (by - 1) & 1, TOP(x))
    SHIFT(ROR, cm_rotate(x, by), cm_rotate(x, by), x >> (by - 1) & 1, TOP(cm_rotate(x, by)))

    /* --- multiplication and division; the Cortex-M3 takes longer ------------------------------ */

#define ONE_OR(cycles) (core->dsp ? 1 : (cycles))
    OP(MUL, 1, D = N * M)
    OP(MULS, 1, D = NZ(N * M))
    OP(MLA, ONE_OR(2), D = N * M + A)
    OP(MLS, ONE_OR(2), D = A - N * M)
#define LONG(name, cycles, result) \
    OP(name, ONE_OR(cycles), const uint64_t x = (result); D = (uint32_t)x; A = (uint32_t)(x >> 32))
#define SIGNED(x) ((int64_t)(int32_t)(x))
#define BOTH ((uint64_t)A << 32 | D)
    LONG(UMULL, 3 + (TOP(M) | (M >> 16 != 0)) + (N >> 16 != 0), (uint64_t)N * M)
    LONG(SMULL, 3 + (magnitude(M) >> 16 != 0) + (magnitude(N) >> 16 != 0),
         (uint64_t)(SIGNED(N) * SIGNED(M)))
    LONG(UMLAL, 4 + (M >> 16 != 0) + (N >> 16 != 0), (uint64_t)N * M + BOTH)
    LONG(SMLAL, 4 + (magnitude(M) >> 16 != 0) + (magnitude(N) >> 16 != 0),
         (uint64_t)(SIGNED(N) * SIGNED(M)) + BOTH)
    LONG(UMAAL, 1, (uint64_t)N * M + A + D)
op_UDIV:
    {
        const uint32_t x = N, by = M;
        D = by == 0 ? 0 : x / by;
        NEXT(division(x, by));
    }
op_SDIV:
    {
        const uint32_t x = N, by = M;
        D = by == 0 ? 0 : by == UINT32_MAX ? 0u - x : (uint32_t)((int32_t)x / (int32_t)by);
        NEXT(division(magnitude(x), magnitude(by)));
    }

    /* --- parts of words ----------------------------------------------------------------------- */

    EXTENSIONS(D, M)
    OP(RBIT, 1, D = cm_reversed(M))
    OP(CLZ, 1, const uint32_t x = M; D = x == 0 ? 32 : (uint32_t)__builtin_clz(x))
    OP(UBFX, 1, D = N >> IMM & (uint32_t)((1ull << op->m) - 1))
    OP(SBFX, 1, D = (uint32_t)((int32_t)(N << (32 - IMM - op->m)) >> (32 - op->m)))
    OP(BFI, 1, const uint32_t mask = (uint32_t)((1ull << op->m) - 1) << IMM,
       x = op->n == CM_PC ? 0 : N << IMM;
       D = (D & ~mask) | (x & mask))
    OP(PKHBT, 1, D = (N & 0xffff) | (M << IMM & 0xffff0000u))
    OP(PKHTB, 1, D = (N & 0xffff0000u) | ((uint32_t)((int32_t)M >> IMM) & 0xffff))
    OP(DSP, 1,
       D = cm7_dsp(core, IMM & 0xff, op->n == CM_PC ? 0 : N, M, op->a == CM_PC ? 0 : A, IMM >> 8))
    OP(DSP_LONG, 1, const uint64_t x = cm7_dsp_long(IMM, N, M, BOTH); D = (uint32_t)x;
       A = (uint32_t)(x >> 32))

    /* --- loads and stores: a load behind another is pipelined, unless it needs its result ----- */

#define WRITE_BASE(to)                             \
    do {                                           \
        N = (to);                                  \
        if (op->n == CM_SP && LOW_STACK(r[CM_SP])) \
            goto fault;                            \
    } while (0)
#define AT_I address = N + IMM
#define AT_X address = N + (M << IMM)
#define AT_PRE address = N + IMM
#define AT_POST address = N
#define BASE_I (void)0
#define BASE_X (void)0
#define BASE_PRE WRITE_BASE(address)
#define BASE_POST WRITE_BASE(N + IMM)
/* Registers of an address. */
#define USES_I (1u << op->n)
#define USES_X (1u << op->n | 1u << op->m)
#define USES_PRE USES_I
#define USES_POST USES_I
#define TRANSFERS(size) (1u + (unsigned)unaligned(address, size))
#define LOAD(at, name, size, take, convert)                                                    \
    op_##name##_##at:                                                                          \
    {                                                                                          \
        AT_##at;                                                                               \
        const uint32_t offset = address - ram_base;                                            \
        BEGIN_LOAD(USES_##at);                                                                 \
        if (CM_LIKELY(offset < ram_near && ram_near - offset >= (size))) {                     \
            value = take(ram + offset);                                                        \
        } else {                                                                               \
            now += data_waits(v7m, address, is_far(v7m, address) ? TRANSFERS(size) : 1u, now); \
            SAVE;                                                                              \
            if (!load_any(core, address, size, &value))                                        \
                goto refused;                                                                  \
            RESTORE;                                                                           \
        }                                                                                      \
        if (CM_UNLIKELY((address & ((size) - 1)) != 0))                                        \
            now += (unsigned)unaligned(address, size);                                         \
        BASE_##at;                                                                             \
        D = (uint32_t)(convert);                                                               \
        NEXT(LOADS);                                                                           \
    }
#define EACH_AT(MAKE, ...) \
    MAKE(I, __VA_ARGS__) MAKE(X, __VA_ARGS__) MAKE(PRE, __VA_ARGS__) MAKE(POST, __VA_ARGS__)
#define BYTE(p) (*(p))
    EACH_AT(LOAD, LDR, 4, sim_get32, value)
    EACH_AT(LOAD, LDRH, 2, sim_get16, value)
    EACH_AT(LOAD, LDRB, 1, BYTE, value)
    EACH_AT(LOAD, LDRSH, 2, sim_get16, (int32_t)(int16_t)(uint16_t)value)
    EACH_AT(LOAD, LDRSB, 1, BYTE, (int32_t)(int8_t)(uint8_t)value)
op_LDR_LITERAL:
    {
        const unsigned size = 4u - (op->a & 7u);
        BEGIN_LOAD(0);
        now += data_waits(v7m, IMM, 1, now);
        SAVE;
        if (!load_any(core, IMM, size, &value))
            goto refused;
        RESTORE;
        if ((op->a & 8) != 0)
            value = size == 2 ? (uint32_t)(int32_t)(int16_t)(uint16_t)value
                              : (uint32_t)(int32_t)(int8_t)(uint8_t)value;
        D = value;
        NEXT(LOADS + unaligned(IMM, size));
    }
/* Into the stack pointer or the program counter. */
op_LDR_PC:
op_LDR_SP:
    {
        const bool jumps = op->d == CM_PC;
        address = op->n == CM_PC         ? IMM
                  : op->a == CM7_AT_X    ? N + (M << IMM)
                  : op->a == CM7_AT_POST ? N
                                         : N + IMM;
        now += data_waits(v7m, address, 1, now);
        SAVE;
        if (!load_any(core, address, 4, &value))
            goto refused;
        RESTORE;
        if (op->a == CM7_AT_PRE || op->a == CM7_AT_POST)
            WRITE_BASE(N + IMM);
        if (jumps) {
            target = value;
            cost = LOADS + 3;
            goto interworking;
        }
        r[CM_SP] = value & ~3u;
        if (LOW_STACK(r[CM_SP]))
            goto fault;
        NEXT(LOADS);
    }

#define STORE(at, name, size, put)                                                        \
    op_##name##_##at:                                                                     \
    {                                                                                     \
        AT_##at;                                                                          \
        const uint32_t offset = address - ram_base;                                       \
        BEGIN_STORE(USES_##at);                                                           \
        value = D;                                                                        \
        if (CM_LIKELY(offset < ram_near && ram_near - offset >= (size)) &&                \
            CM_LIKELY((core->code_pages[offset >> CM_PAGE_SHIFT] |                        \
                       core->code_pages[(offset + (size) - 1) >> CM_PAGE_SHIFT]) == 0)) { \
            put(ram + offset, value);                                                     \
        } else {                                                                          \
            far_stores(v7m, address, TRANSFERS(size), now + STORED_##at - 1);             \
            SAVE;                                                                         \
            if (!store_any(core, address, size, value))                                   \
                goto refused;                                                             \
            RESTORE;                                                                      \
        }                                                                                 \
        BASE_##at;                                                                        \
        NEXT(STORED_##at + unaligned(address, size));                                     \
    }
#define STORED_I 1
#define STORED_X STORES_AT_SUM
#define STORED_PRE 1
#define STORED_POST 1
#define PUT_BYTE(p, byte) (*(p) = (uint8_t)(byte))
    EACH_AT(STORE, STR, 4, sim_put32)
    EACH_AT(STORE, STRH, 2, sim_put16)
    EACH_AT(STORE, STRB, 1, PUT_BYTE)

/* Two registers: the constant is the whole address if the base is the program counter. */
op_LDRD:
    {
        uint32_t high;
        ADDRESS(USES_I);
        address = op->n == CM_PC ? IMM : op->a == CM7_AT_POST ? N : N + IMM;
        now += data_waits(v7m, address, 2, now);
        SAVE;
        if (!cm_load(core, address, 4, &value) || !cm_load(core, address + 4, 4, &high))
            goto refused;
        RESTORE;
        if (op->a != CM7_AT_I)
            WRITE_BASE(N + IMM);
        D = value;
        M = high;
        NEXT(PAIRS);
    }
op_STRD:
    ADDRESS(USES_I);
    address = op->a == CM7_AT_POST ? N : N + IMM;
    far_stores(v7m, address, 2, now);
    SAVE;
    if (!cm_store(core, address, 4, D) || !cm_store(core, address + 4, 4, M))
        goto refused;
    RESTORE;
    if (op->a != CM7_AT_I)
        WRITE_BASE(N + IMM);
    NEXT(PAIRS);
op_LDM:
    {
        const uint32_t from = op->a >= 2 ? N - 4u * op->m : N,
                       end = op->a >= 2 ? from : from + 4u * op->m;
        const uint32_t offset = from - ram_base;
        uint32_t list = IMM;
        BEGIN_LIST;
        if ((op->a & 1) != 0)
            N = end;
        if (CM_LIKELY(offset < ram_near && ram_near - offset >= 4u * op->m && (from & 3) == 0)) {
            for (const uint8_t *p = ram + offset; list != 0; list &= list - 1, p += 4)
                r[__builtin_ctz(list)] = sim_get32(p);
        } else {
            now += data_waits(v7m, from, op->m, now);
            SAVE;
            if (!cm_load_list(core, from, list))
                goto refused;
            core->cycles -= op->m; /* counted below */
            RESTORE;
        }
        if (IMM >> CM_PC != 0) {
            target = r[CM_PC];
            cost = 3 + op->m;
            goto interworking;
        }
        NEXT(LISTS + op->m);
    }
op_STM:
    {
        const uint32_t to = op->a >= 2 ? N - 4u * op->m : N,
                       end = op->a >= 2 ? to : to + 4u * op->m;
        if (op->n == CM_SP && op->a >= 2 && LOW_STACK(to))
            goto fault;
        ADDRESS(USES_I);
        far_stores(v7m, to, op->m, now);
        SAVE;
        if (!cm_store_list(core, to, IMM))
            goto refused;
        core->cycles -= op->m; /* counted below */
        RESTORE;
        if ((op->a & 1) != 0)
            N = end;
        NEXT(LISTS + op->m);
    }
/* Exclusive transfers: one core, so that only an exception between them clears the mark. */
op_LDREX:
    address = N + IMM;
    now += data_waits(v7m, address, 1, now);
    SAVE;
    if (!cm_load(core, address, op->a, &value))
        goto refused;
    RESTORE;
    D = value;
    core->exclusive = true;
    NEXT(2);
op_STREX:
    address = N + IMM;
    if (core->exclusive) {
        far_stores(v7m, address, 1, now);
        SAVE;
        if (!cm_store(core, address, op->a, D))
            goto refused;
        RESTORE;
    }
    M = !core->exclusive;
    core->exclusive = false;
    NEXT(2);
op_CLREX:
    core->exclusive = false;
    NEXT(1);
op_TABLE:
    {
        address = (op->n == CM_PC ? IMM : N) + (M << op->a);
        now += data_waits(v7m, address, 1, now);
        SAVE;
        if (!load_any(core, address, 1u << op->a, &value))
            goto refused;
        RESTORE;
        target = IMM + 2 * value;
        cost = 4;
        goto jump;
    }

    /* --- branches ----------------------------------------------------------------------------- */

#define BRANCH(name, condition)         \
    op_##name : if (condition) TAKE_IF; \
    NOT_TAKEN;
    CONDITIONAL_BRANCHES(BRANCH)
#define BRANCH_BY_ZERO(name, condition) \
    op_##name : if (condition) TAKE;    \
    NEXT(1);
    BRANCH_BY_ZERO(CBZ, N == 0)
    BRANCH_BY_ZERO(CBNZ, N != 0)
op_B:
    TAKE_B;
op_B_SELF: /* waits for an interrupt without saying so */
    SAVE;
    stop = CM_SLEEP;
    goto stopped;
op_BL:
    r[CM_LR] = (PC + 4) | 1;
    TAKE;
op_BLX:
    target = M;
    r[CM_LR] = IMM | 1;
    cost = TO_REGISTER(false);
    goto interworking;
op_BX:
    target = M;
    cost = TO_REGISTER(op->m == CM_LR);
interworking:
    if (target >> 28 == 0xf && core->exception != 0) {
        now += cost > 3 ? (unsigned)(cost - 3) : 0;
        SAVE;
        if (!cm_exception_return(core, target))
            goto refused;
        if ((core->scr & CM_SLEEPONEXIT) != 0 && core->exception == 0 && !cm_core_wakes(core))
            return CM_SLEEP;
        RESTORE_FLAGS;
        target = r[CM_PC];
        RESTORE;
        cost = 0;
        goto enter;
    }
    if (CM_UNLIKELY((target & 1) == 0)) {
        (void)cm_fault(core, CM_UNDEFINED, target,
                       "a branch to ARM code, which this core does not support");
        goto fault;
    }
    target &= ~1u;
    goto jump;
op_ADD_PC:
    target = (IMM + M) & ~1u;
    cost = TO_REGISTER(false);
    goto jump;
op_MOV_PC:
    target = M & ~1u;
    cost = TO_REGISTER(false);
jump:
enter: /* the target is executed `cost` cycles from now, if its words are there */
    if (CM_LIKELY(target - core->flash_base < core->flash_size)) {
        base = core->flash_base;
        ops = v7m->flash_ops;
        cached = v7m->timing.wait != 0;
    } else if (target - ram_base < core->ram_size) {
        base = ram_base;
        ops = v7m->ram_ops;
        cached = false;
    } else {
        now += (unsigned)cost;
        r[CM_PC] = target;
        (void)cm_fault(core, CM_BUS, target, "a branch to an address without code");
        goto lost;
    }
    op = ops + ((target - base) >> 1);
    ARRIVE;
/* Decodes the block behind it, so that its instructions know their conditions. */
op_IT:
    {
        cm7_op *in_block = op + 1;
        for (unsigned state = IMM; state != 0;
             state = (state & 7) != 0 ? (state & 0xe0) | (state << 1 & 0x1f) : 0) {
            if (in_block->code == CM7_OP_RUNAWAY)
                break;
            if (in_block->code != CM7_OP_CONDITIONAL || in_block->it != state)
                cm7_decode(v7m, in_block, base + 2 * (uint32_t)(in_block - ops), state);
            in_block += in_block->halfwords;
        }
        BLOCK;
    }

    /* --- system ------------------------------------------------------------------------------- */

op_CPS: /* imm: 2 PRIMASK, 1 FAULTMASK; n: disable */
    if ((IMM & 2) != 0)
        core->primask = op->n;
    if ((IMM & 1) != 0)
        core->faultmask = op->n;
    SAVE;
    cm_core_kick(core);
    RESTORE;
    NEXT(1);
op_MSR:
    value = N;
    SAVE;
    if (!cm_msr(core, IMM, value, op->m))
        goto refused;
    RESTORE_FLAGS;
    cm_core_kick(core);
    RESTORE;
    NEXT(2);
op_MRS:
    SAVE;
    if (!cm_mrs(core, IMM, &value))
        goto refused;
    D = value;
    NEXT(2);
op_BARRIER:
    NEXT(1);
op_SVC:
    SAVE;
    if (!cm_svc(core))
        goto refused;
    cm_core_kick(core);
    RESTORE;
    NEXT(1);
op_SEV:
    core->event_register = true;
    NEXT(1);
op_WFE:
    if (core->event_register) {
        core->event_register = false;
        NEXT(2);
    }
op_WFI:
    SAVE;
    if (cm_core_wakes(core)) {
        RESTORE;
        NEXT(2);
    }
    core->cycles += 2;
    op += op->halfwords;
    stop = CM_SLEEP;
    goto stopped;

    /* --- the floating-point unit: d, n, m are single registers -------------------------------- */

/* Must be switched on; exceptions then save its registers. It waits for a division that has not
 * ended (DDI 0439, 7.2.3). */
#define USES_FLOAT                                                                           \
    do {                                                                                     \
        if (CM_UNLIKELY(core->cpacr != 0xf00000)) {                                          \
            (void)cm_fault(core, CM_UNDEFINED, PC,                                           \
                           "the floating-point unit is used, but not switched on in CPACR"); \
            goto fault;                                                                      \
        }                                                                                    \
        core->control |= 4;                                                                  \
        if (CM_UNLIKELY(core->lazy_frame != 0)) {                                            \
            SAVE;                                                                            \
            if (!cm_save_floats(core))                                                       \
                goto refused;                                                                \
            RESTORE;                                                                         \
        }                                                                                    \
        if (CM_UNLIKELY(v7m->float_until > now))                                             \
            began = now = v7m->float_until;                                                  \
    } while (0)
/* The result of arithmetic comes a cycle later to the instruction right behind it. */
#define READS_FLOATS(first, count)                                                             \
    do {                                                                                       \
        if (v7m->float_at == now && (unsigned)v7m->float_result - (first) < (unsigned)(count)) \
            began = ++now;                                                                     \
    } while (0)
op_VLDR:
op_VSTR:
    {
        USES_FLOAT;
        const unsigned words = op->a;
        address = op->n == CM_PC ? IMM : N + IMM;
        const bool loads = op->code == CM7_OP_VLDR || op->real == CM7_OP_VLDR;
        if (loads) {
            now += data_waits(v7m, address, words, now);
        } else {
            READS_FLOATS(op->d, words);
            far_stores(v7m, address, words, now);
        }
        SAVE;
        for (unsigned i = 0; i < words; i++) {
            if (!(loads ? cm_load(core, address + 4 * i, 4, &core->s[op->d + i])
                        : cm_store(core, address + 4 * i, 4, core->s[op->d + i])))
                goto refused;
        }
        RESTORE;
        NEXT(1 + (int)words);
    }
/* a: 1 to write the base back, 2 for addresses below it; m: words. */
op_VLDM:
op_VSTM:
    {
        USES_FLOAT;
        const bool loads = op->code == CM7_OP_VLDM || op->real == CM7_OP_VLDM;
        const uint32_t from = op->a >= 2 ? N - 4u * op->m : N;
        if (op->n == CM_SP && op->a >= 2 && LOW_STACK(from))
            goto fault;
        if (loads) {
            now += data_waits(v7m, from, op->m, now);
        } else {
            READS_FLOATS(op->d, op->m);
            far_stores(v7m, from, op->m, now);
        }
        SAVE;
        for (unsigned i = 0; i < op->m; i++) {
            if (!(loads ? cm_load(core, from + 4 * i, 4, &core->s[op->d + i])
                        : cm_store(core, from + 4 * i, 4, core->s[op->d + i])))
                goto refused;
        }
        RESTORE;
        if ((op->a & 1) != 0)
            WRITE_BASE(op->a >= 2 ? from : from + 4u * op->m);
        NEXT(1 + op->m);
    }
    OP(VMOV_TO_CORE, 1, USES_FLOAT; READS_FLOATS(op->n, 1); D = core->s[op->n])
    OP(VMOV_FROM_CORE, 1, USES_FLOAT; core->s[op->d] = N)
    OP(VMOV_TO_PAIR, 2, USES_FLOAT; READS_FLOATS(op->m, 2); D = core->s[op->m];
       N = core->s[op->m + 1])
    OP(VMOV_FROM_PAIR, 2, USES_FLOAT; core->s[op->m] = D; core->s[op->m + 1] = N)
    OP(VMOV, 1, USES_FLOAT; READS_FLOATS(op->m, 1); core->s[op->d] = core->s[op->m])
    OP(VMOV_I, 1, USES_FLOAT; core->s[op->d] = IMM)
/* A division goes on beside what does not use the unit. */
op_FLOAT:
    {
        USES_FLOAT;
        const unsigned operation = IMM & 0xff;
        const bool divides = operation == CM7_FLOAT_DIV || operation == CM7_FLOAT_SQRT;
        const bool sums = operation >= CM7_FLOAT_MLA && operation <= CM7_FLOAT_FNMS;
        const bool reads_d =
            sums || (operation >= CM7_FLOAT_CMP && operation <= CM7_FLOAT_TO_TOP_HALF);
        if (v7m->float_at == now && (v7m->float_result == op->n || v7m->float_result == op->m ||
                                     (reads_d && v7m->float_result == op->d)))
            began = ++now;
        core->s[op->d] =
            cm7_float(IMM, core->s[op->d], core->s[op->n], core->s[op->m], &core->fpscr);
        v7m->float_result =
            operation >= CM7_FLOAT_CMP && operation <= CM7_FLOAT_CMPE_ZERO ? 0xff : op->d;
        v7m->float_at = now + (sums ? 3u : divides ? 14u : 1u);
        if (divides)
            v7m->float_until = v7m->float_at;
        NEXT(sums ? 3 : 1);
    }
op_VMRS:
    USES_FLOAT;
    if (op->d == CM_PC) {
        n = core->fpscr;
        z = ~core->fpscr & 1u << 30;
        c = core->fpscr >> 29 & 1;
        v = core->fpscr << 3;
    } else {
        D = core->fpscr;
    }
    NEXT(1);
op_VMSR:
    USES_FLOAT;
    core->fpscr = D & 0xf7c0009fu;
    NEXT(1);

refused: /* what was called outside has saved the cycles, and may have kicked */
    RESTORE;
fault:
    SAVE;
    r[CM_PC] = PC;
    return core->stop;
lost:
    SAVE;
    return core->stop;
out:
    SAVE;
    stop = CM_DEADLINE;
stopped:
    r[CM_PC] = PC;
    v7m->next = PC;
    v7m->began = began;
    STOP;
    return stop;
}

/*
 * The interpreter, twice: the including file defines
 *
 *     NAME       the function
 *     WATCHED    1: each instruction is first given to cm6_watch; 0: not
 *
 * Decoded instructions, one after the other. The state that every instruction touches lives in
 * locals; it is written back before anything outside is called. `left` counts the cycles to the
 * deadline down.
 *
 * A routine ends with NEXT(cycles), which fetches ahead as the last halfword of a word does and
 * goes on; with a branch; or with a stop. Behaviour: ARM DDI 0419 chapter A6. Cycles: ARM DDI 0484
 * table 3-1.
 */
#include "watch.h"

cm_stop NAME(cm_core *core)
{
#define CM6_LABEL(name) &&op_##name,
    static const void *const routines[] = {CM6_OPS(CM6_LABEL)};
#undef CM6_LABEL
    cm6_core *const v6m = (cm6_core *)core;
    uint32_t *const r = core->r;
    const uint32_t *const tags = v6m->tags;
    uint8_t *const ram = core->ram;
    const uint32_t ram_base = core->ram_base, ram_size = core->ram_size;
    uint32_t n = core->n, z = core->z, c = core->c, v = core->v;
    int64_t left = (int64_t)(core->deadline - core->cycles);
    cm6_op *ops, *op;
    uint32_t base, target, value;
    int cost;
    cm_stop stop;

#define PC (base + 2 * (uint32_t)(op - ops))
#define NOW (core->deadline - (uint64_t)left)
#if WATCHED
#define WATCH                   \
    do {                        \
        SAVE;                   \
        cm6_watch(v6m, op, PC); \
    } while (0)
#else
#define WATCH (void)0
#endif
#define GO                          \
    do {                            \
        if (CM_UNLIKELY(left <= 0)) \
            goto out;               \
        WATCH;                      \
        goto *routines[op->code];   \
    } while (0)
#define NEXT_BY(cycles, halfwords)                   \
    do {                                             \
        left -= (cycles);                            \
        if (CM_UNLIKELY(tags[op->slot] != op->line)) \
            FETCH_MISS;                              \
        op += (halfwords);                           \
        GO;                                          \
    } while (0)
#define NEXT(cycles) NEXT_BY(cycles, 1)
/* Behind a data read that hit, the fetch is a miss right behind a hit. */
#define FETCH_MISS                                                                   \
    do {                                                                             \
        left -= (int)cm6_flash_wait(v6m, op->line << 3, v6m->hit_end == NOW, false); \
        v6m->miss_end = NOW;                                                         \
    } while (0)
/* Was the data phase in this cycle, the first of an instruction, a fetch that hit in a new line?
 * Only an upper halfword has a fetch there: that of the next word, in a new line if the instruction
 * is the last of one. */
#define BEHIND_HIT ((PC & 6) == 6 && ops == v6m->flash_ops && v6m->miss_end != NOW)
/* In the word fetched last when a branch of one halfword is taken: its own, or, from an upper
 * halfword, the next. */
#define FETCHED (PC + (PC & 2))
#define RESTORE (left = (int64_t)(core->deadline - core->cycles))
#define A r[op->a]
#define B r[op->b]
#define IMM (op->imm)

    target = r[CM_PC];
    goto enter;

op_DECODE:
    cm6_decode(v6m, op, PC);
    WATCH;
    goto *routines[op->code];
op_RUNAWAY:
    (void)cm_fault(core, CM_BUS, PC, "execution at an address without memory");
    goto fault;
op_UNDEFINED:
    (void)cm_fault(core, CM_UNDEFINED, PC, "an undefined instruction");
    goto fault;
op_BKPT:
    (void)cm_fault(core, CM_UNDEFINED, PC, "a breakpoint");
    goto fault;

    /* --- shifts, sums, logic ------------------------------------------------------------------ */

#define OP(name, cycles, ...) \
    op_##name:                \
    {                         \
        __VA_ARGS__;          \
        NEXT(cycles);         \
    }
    OP(LSLS_I, 1, const uint32_t x = B; c = x >> (32 - IMM) & 1; A = NZ(x << IMM))
    OP(LSRS_I, 1, const uint32_t x = B; c = x >> (IMM - 1) & 1; A = NZ(x >> IMM))
    OP(LSRS_32, 1, c = TOP(B); A = NZ(0))
    OP(ASRS_I, 1, const uint32_t x = B; c = x >> (IMM - 1) & 1;
       A = NZ((uint32_t)((int32_t)x >> IMM)))
    OP(ASRS_32, 1, c = TOP(B); A = NZ(0u - c))
    OP(MOVS, 1, A = NZ(B))
    OP(MOVS_I, 1, A = NZ(IMM))
    OP(ADDS, 1, SUM(B, r[IMM]); A = sum)
    OP(SUBS, 1, DIFFERENCE(B, r[IMM]); A = sum)
    OP(ADDS_I, 1, SUM(B, IMM); A = sum)
    OP(SUBS_I, 1, DIFFERENCE(B, IMM); A = sum)
    OP(CMP_I, 1, DIFFERENCE(A, IMM))
    OP(CMP, 1, DIFFERENCE(A, B))
    OP(CMN, 1, SUM(A, B))
    OP(RSBS, 1, DIFFERENCE(0, B); A = sum)
    OP(ADCS, 1, SUM_WITH_CARRY(A, B); A = sum)
    OP(SBCS, 1, SUM_WITH_CARRY(A, ~B); A = sum)
    OP(ANDS, 1, A = NZ(A & B))
    OP(EORS, 1, A = NZ(A ^ B))
    OP(ORRS, 1, A = NZ(A | B))
    OP(BICS, 1, A = NZ(A & ~B))
    OP(MVNS, 1, A = NZ(~B))
    OP(TST, 1, NZ(A & B))
    OP(
        LSLS, 1, const unsigned by = B & 0xff; if (by != 0) {
            c = by <= 32 ? A >> (32 - by) & 1 : 0;
            A = by < 32 ? A << by : 0;
        } NZ(A))
    OP(
        LSRS, 1, const unsigned by = B & 0xff; if (by != 0) {
            c = by <= 32 ? A >> (by - 1) & 1 : 0;
            A = by < 32 ? A >> by : 0;
        } NZ(A))
    OP(
        ASRS, 1, const unsigned by = B & 0xff; if (by != 0) {
            c = by <= 32 ? A >> (by - 1) & 1 : TOP(A);
            A = (uint32_t)((int32_t)A >> (by < 32 ? by : 31));
        } NZ(A))
    OP(
        RORS, 1, const unsigned by = B & 0xff; if (by != 0) {
            A = cm_rotate(A, by);
            c = TOP(A);
        } NZ(A))
    OP(MULS, v6m->multiplier, A = NZ(A * B))
    EXTENSIONS(A, B)
    OP(ADD, 1, A += B)
    OP(ADD_I, 1, A = B + IMM)
    OP(MOV, 1, A = B)
    OP(MOV_I, 1, A = IMM)
    OP(SP_I, 1, r[CM_SP] = (r[CM_SP] + IMM) & ~3u; if (LOW_STACK(r[CM_SP])) goto fault)
    OP(ADD_SP, 1, r[CM_SP] = (r[CM_SP] + B) & ~3u; if (LOW_STACK(r[CM_SP])) goto fault)
    OP(MOV_SP, 1, r[CM_SP] = B & ~3u; if (LOW_STACK(r[CM_SP])) goto fault)
    OP(NOP, 1, (void)0)

    /* --- loads and stores --------------------------------------------------------------------- */

#define LOAD(name, size, take, convert, address_of)                          \
    op_##name:                                                               \
    {                                                                        \
        const uint32_t address = address_of, offset = address - ram_base;    \
        if (CM_LIKELY(offset < ram_size && (address & ((size) - 1)) == 0)) { \
            value = take(ram + offset);                                      \
        } else {                                                             \
            SAVE;                                                            \
            if (!cm6_load(v6m, address, size, BEHIND_HIT, &value))           \
                goto refused;                                                \
            core->cycles += cm6_behind_data(v6m, op);                        \
            RESTORE;                                                         \
        }                                                                    \
        A = (uint32_t)(convert);                                             \
        NEXT(2);                                                             \
    }
#define BYTE(p) (*(p))
    LOAD(LDR, 4, sim_get32, value, B + r[IMM])
    LOAD(LDRH, 2, sim_get16, value, B + r[IMM])
    LOAD(LDRB, 1, BYTE, value, B + r[IMM])
    LOAD(LDRSH, 2, sim_get16, (int32_t)(int16_t)(uint16_t)value, B + r[IMM])
    LOAD(LDRSB, 1, BYTE, (int32_t)(int8_t)(uint8_t)value, B + r[IMM])
    LOAD(LDR_I, 4, sim_get32, value, B + IMM)
    LOAD(LDRH_I, 2, sim_get16, value, B + IMM)
    LOAD(LDRB_I, 1, BYTE, value, B + IMM)
op_LDR_LITERAL:
    if (CM_LIKELY(tags[op->b] == op->other_line && IMM - core->flash_base < core->flash_size)) {
        A = sim_get32(core->flash + (IMM - core->flash_base));
        v6m->hit_end = NOW + 2;
    } else {
        SAVE;
        if (!cm6_load(v6m, IMM, 4, BEHIND_HIT, &value))
            goto refused;
        core->cycles += cm6_behind_data(v6m, op);
        RESTORE;
        A = value;
    }
    NEXT(2);

#define STORE(name, size, put, address_of)                                   \
    op_##name:                                                               \
    {                                                                        \
        const uint32_t address = address_of, offset = address - ram_base;    \
        if (CM_LIKELY(offset < ram_size && (address & ((size) - 1)) == 0)) { \
            put(ram + offset, A);                                            \
            if (CM_UNLIKELY(core->code_pages[offset >> CM_PAGE_SHIFT] != 0)) \
                goto written_##name;                                         \
        } else {                                                             \
            written_##name : SAVE;                                           \
            if (!cm_store(core, address, size, A))                           \
                goto refused;                                                \
            RESTORE;                                                         \
        }                                                                    \
        NEXT(2);                                                             \
    }
#define PUT_BYTE(p, byte) (*(p) = (uint8_t)(byte))
    STORE(STR, 4, sim_put32, B + r[IMM])
    STORE(STRH, 2, sim_put16, B + r[IMM])
    STORE(STRB, 1, PUT_BYTE, B + r[IMM])
    STORE(STR_I, 4, sim_put32, B + IMM)
    STORE(STRH_I, 2, sim_put16, B + IMM)
    STORE(STRB_I, 1, PUT_BYTE, B + IMM)

    /* Lists: op->b registers, 1 + N cycles. A list that does not lie in RAM goes word by word. */
#define LOAD_LIST(address, registers)                                                             \
    do {                                                                                          \
        const uint32_t from = (address), offset = from - ram_base;                                \
        uint32_t list = (registers);                                                              \
        if (CM_LIKELY(offset < ram_size && ram_size - offset >= 4u * op->b && (from & 3) == 0)) { \
            for (const uint8_t *p = ram + offset; list != 0; list &= list - 1, p += 4)            \
                r[__builtin_ctz(list)] = sim_get32(p);                                            \
        } else {                                                                                  \
            SAVE;                                                                                 \
            if (!cm6_load_list(v6m, from, list, BEHIND_HIT))                                      \
                goto refused;                                                                     \
            core->cycles -= op->b; /* counted below */                                            \
            core->cycles += cm6_behind_data(v6m, op);                                             \
            RESTORE;                                                                              \
        }                                                                                         \
    } while (0)
op_LDM:
    {
        const uint32_t address = A;
        LOAD_LIST(address, IMM);
        if ((IMM >> op->a & 1) == 0)
            A = address + 4u * op->b;
        NEXT(1 + op->b);
    }
op_POP:
    {
        const uint32_t address = r[CM_SP];
        LOAD_LIST(address, IMM);
        r[CM_SP] = address + 4u * op->b;
        NEXT(1 + op->b);
    }
op_POP_PC:
    {
        const uint32_t address = r[CM_SP];
        LOAD_LIST(address, IMM);
        r[CM_SP] = address + 4u * op->b;
        target = r[CM_PC];
        cost = 3 + op->b;
        goto interworking;
    }
/* At most nine words: they touch two pages of RAM at most. */
#define STORE_LIST(address)                                                                \
    do {                                                                                   \
        const uint32_t to = (address), offset = to - ram_base, bytes = 4u * op->b;         \
        uint32_t list = IMM;                                                               \
        if (CM_LIKELY(offset < ram_size && ram_size - offset >= bytes && (to & 3) == 0) && \
            CM_LIKELY((core->code_pages[offset >> CM_PAGE_SHIFT] |                         \
                       core->code_pages[(offset + bytes - 1) >> CM_PAGE_SHIFT]) == 0)) {   \
            for (uint8_t *p = ram + offset; list != 0; list &= list - 1, p += 4)           \
                sim_put32(p, r[__builtin_ctz(list)]);                                      \
        } else {                                                                           \
            SAVE;                                                                          \
            if (!cm_store_list(core, to, list))                                            \
                goto refused;                                                              \
            core->cycles -= op->b; /* counted below */                                     \
            RESTORE;                                                                       \
        }                                                                                  \
    } while (0)
op_STM:
    {
        const uint32_t address = A;
        STORE_LIST(address);
        A = address + 4u * op->b;
        NEXT(1 + op->b);
    }
op_PUSH:
    {
        const uint32_t address = r[CM_SP] - 4u * op->b;
        if (LOW_STACK(address))
            goto fault;
        STORE_LIST(address);
        r[CM_SP] = address;
        NEXT(1 + op->b);
    }

    /* --- branches: two cycles if taken. The target's fetch begins in the branch's own cycle --- */

#define TAKE(cycles)                                                                     \
    do {                                                                                 \
        if (CM_UNLIKELY(tags[op->b] != op->other_line || (IMM & 6) == 6))                \
            left -= (int)cm6_target_wait(v6m, IMM, FETCHED, BEHIND_HIT, NOW + (cycles)); \
        left -= (cycles);                                                                \
        op = ops + ((IMM - base) >> 1);                                                  \
        GO;                                                                              \
    } while (0)
#define BRANCH(name, condition)         \
    op_##name : if (condition) TAKE(2); \
    NEXT(1);
    CONDITIONAL_BRANCHES(BRANCH)
op_B:
    TAKE(2);
op_B_SELF: /* waits for an interrupt without saying so */
    SAVE;
    stop = CM_SLEEP;
    goto stopped;
op_BL:
    r[CM_LR] = (PC + 4) | 1;
    /* the first halfword; if it is the lower one it fetches ahead before the branch is known */
    left -= 1;
    if ((PC & 2) == 0 && CM_UNLIKELY(tags[op->slot] != op->line))
        FETCH_MISS;
    if (CM_UNLIKELY(tags[op->b] != op->other_line || (IMM & 6) == 6))
        left -= (int)cm6_target_wait(
            v6m, IMM, PC + 4 - (PC & 2),
            (PC & 6) == 4 && ops == v6m->flash_ops && v6m->miss_end != NOW, NOW + 2);
    left -= 2;
    op = ops + ((IMM - base) >> 1);
    GO;
op_BLX:
    target = B;
    r[CM_LR] = IMM | 1;
    cost = 2;
    goto interworking;
op_BX:
    target = B;
    cost = 2;
interworking:
    if (target >> 28 == 0xf && core->exception != 0) {
        left -= cost - 2;
        SAVE;
        if (!cm_exception_return(core, target))
            goto refused;
        if ((core->scr & CM_SLEEPONEXIT) != 0 && core->exception == 0 && !cm_core_wakes(core))
            return CM_SLEEP;
        RESTORE_FLAGS;
        target = r[CM_PC];
        RESTORE;
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
    target = (IMM + B) & ~1u;
    cost = 2;
    goto jump;
op_MOV_PC:
    target = B & ~1u;
    cost = 2;
jump:
    left -= (int)cm6_target_wait(
        v6m, target, FETCHED, op->code != CM6_OP_POP_PC && BEHIND_HIT, NOW + (uint64_t)cost);
    left -= cost;
enter:
    if (CM_LIKELY(target - core->flash_base < core->flash_size)) {
        base = core->flash_base;
        ops = v6m->flash_ops;
    } else if (target - ram_base < ram_size) {
        base = ram_base;
        ops = v6m->ram_ops;
    } else {
        r[CM_PC] = target;
        (void)cm_fault(core, CM_BUS, target, "a branch to an address without code");
        goto lost;
    }
    op = ops + ((target - base) >> 1);
    GO;

    /* --- system ------------------------------------------------------------------------------- */

op_CPS: /* CPSIE, CPSID */
    if (core->exception != 0 || (core->control & 1) == 0) {
        core->primask = IMM;
        SAVE;
        cm_core_kick(core);
        RESTORE;
    }
    NEXT(1);
op_MSR:
    SAVE;
    if (!cm_msr(core, IMM, A, 2))
        goto refused;
    RESTORE_FLAGS;
    cm_core_kick(core);
    RESTORE;
    NEXT_BY(3, 2);
op_MRS:
    SAVE;
    if (!cm_mrs(core, IMM, &value))
        goto refused;
    A = value;
    NEXT_BY(3, 2);
op_BARRIER:
    NEXT_BY(3, 2);
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
    op++;
    stop = CM_SLEEP;
    goto stopped;

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
    return stop;
}

/*
 * Steps of the pipeline of a Cortex-M33, for ../v7m/interpreter.h, in place of ../v7m/steps.h. Its
 * locals: `now`, the cycle at which the instruction `op` is issued; `late`, cm7_op.after of those
 * of the last three cycles, the last one lowest; `opens`, the first cycle behind a branch in which
 * there are two instructions to issue.
 */
#ifndef MOTEBENCH_CORTEXM_V8M_STEPS_H
#define MOTEBENCH_CORTEXM_V8M_STEPS_H

#include "../v7m/waits.h"
#include "v8m.h"

/* Does `op` wait a cycle for a result? */
static bool cm8_stalls(uint64_t late, const cm7_op *op)
{
    const uint32_t sums = op->sums & ~(uint32_t)CM8_EXTENDS;
    if ((late & op->reads) != 0)
        return true;
    if ((late & sums) == 0 || (late & CM8_SUMMED) != 0)
        return false;
    return (late & CM8_LOADED) == 0 || (op->sums & CM8_EXTENDS) != 0;
}

/* Cycles of a division, by how far apart the highest bits of its operands are. */
static int division(uint32_t n, uint32_t d)
{
    if (n == 0 || d == 0 || __builtin_clz(n) > __builtin_clz(d))
        return 2;
    return 4 + (__builtin_clz(d) - __builtin_clz(n)) / 4;
}

/* Cycles until the target of a branch through the register `reg` is issued. The branch, if it is
 * BX LR, is issued beside the instruction before if `beside`; it needs a loaded register a cycle
 * earlier than arithmetic does. */
static int cm8_to_register(uint64_t late, unsigned reg, bool beside)
{
    for (int wait = 2; wait >= 0; wait--, late >>= CM8_CYCLE) {
        if ((late >> reg & 1) != 0)
            return 2 + wait;
    }
    return beside ? 1 : 2;
}

/* Cycles until the target of a taken conditional branch is issued. */
static unsigned cm8_taken(uint64_t late, bool beside)
{
    if ((late & CM8_FLAGS) != 0)
        return 3;
    return beside && (late & (CM8_SETS | (uint64_t)CM8_FLAGS << CM8_CYCLE)) == 0 ? 1 : 2;
}

#define PIPELINE uint64_t late = 0, opens = 0
#define GO_ON                  \
    do {                       \
        late = v7m->words[0];  \
        opens = v7m->words[1]; \
    } while (0)
#define STOP                   \
    do {                       \
        (void)cached;          \
        v7m->words[0] = late;  \
        v7m->words[1] = opens; \
    } while (0)

/* A cycle in which nothing is issued, if an operand is late. */
#define STALL                                                                            \
    do {                                                                                 \
        if (CM_UNLIKELY((late & (op->reads | op->sums)) != 0) && cm8_stalls(late, op)) { \
            now++;                                                                       \
            late <<= CM8_CYCLE;                                                          \
        }                                                                                \
    } while (0)
/* A conditional instruction waits for the flags; for its operands if its condition holds. */
#define ISSUE                                                                                      \
    do {                                                                                           \
        if (CM_UNLIKELY((late & (op->reads | op->sums)) != 0) &&                                   \
            (op->code != CM7_OP_CONDITIONAL || (late & CM8_FLAGS) != 0) && cm8_stalls(late, op)) { \
            now++;                                                                                 \
            late <<= CM8_CYCLE;                                                                    \
        }                                                                                          \
    } while (0)
#define GO                                      \
    do {                                        \
        if (CM_UNLIKELY(now >= core->deadline)) \
            goto out;                           \
        ISSUE;                                  \
        WATCH;                                  \
        goto *routines[op->code];               \
    } while (0)
#define DECODED ISSUE
#define NEXT(cycles)                                                    \
    do {                                                                \
        const unsigned taken = (unsigned)(cycles) + op->fetch;          \
        now += taken;                                                   \
        late = (taken < 3 ? late << CM8_CYCLE * taken : 0) | op->after; \
        op += op->halfwords;                                            \
        GO;                                                             \
    } while (0)
#define HOLDS STALL
#define SKIP                                                 \
    do {                                                     \
        now++;                                               \
        late = late << CM8_CYCLE | (op->after & CM8_NARROW); \
        op += op->halfwords;                                 \
        GO;                                                  \
    } while (0)
/* Can `op` be issued in the cycle of the instruction before? */
#define BESIDE (op->halfwords == 1 && (late & CM8_NARROW) != 0 && now > opens)
#define PASS                               \
    do {                                   \
        if (BESIDE) {                      \
            late &= ~(uint64_t)CM8_NARROW; \
            op++;                          \
            GO;                            \
        }                                  \
        NEXT(1);                           \
    } while (0)
#define NOTHING PASS
#define NOT_TAKEN PASS
#define BLOCK PASS

/* The first instruction behind a branch to `to`, which comes in this cycle if its words do: two if
 * it lies in both. */
#define ARRIVE_AT(to)                                                               \
    do {                                                                            \
        late = 0;                                                                   \
        began = now;                                                                \
        opens = 0;                                                                  \
        if (((to) & 2) != 0) {                                                      \
            now += (base == ram_base ? ram : core->flash)[(to) - base + 1] >= 0xe8; \
            opens = now + 1;                                                        \
        }                                                                           \
        op = ops + (((to) - base) >> 1);                                            \
        GO;                                                                         \
    } while (0)
#define ARRIVE                 \
    do {                       \
        now += (unsigned)cost; \
        ARRIVE_AT(target);     \
    } while (0)
#define TAKE_AFTER(cycles) \
    do {                   \
        now += (cycles);   \
        ARRIVE_AT(IMM);    \
    } while (0)
#define TAKE TAKE_AFTER(2)
#define TAKE_IF TAKE_AFTER(cm8_taken(late, BESIDE))
#define TAKE_B TAKE_AFTER(BESIDE ? 1 : 2)
#define TO_REGISTER(returns) cm8_to_register(late, op->m, (returns) && BESIDE)

/* Cycles of a load, a store at a sum of registers, two registers, and of lists beside those by
 * register. */
enum { LOADS = 1, STORES_AT_SUM = 1, PAIRS = 2, LISTS = 0 };
#define ADDRESS(uses) (void)0
#define BEGIN_LOAD(uses) (void)0
#define BEGIN_STORE(uses) (void)0
#define BEGIN_LIST (void)0

#endif

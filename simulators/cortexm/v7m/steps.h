/*
 * Steps of the pipeline (pipeline.h) in the function that executes, which alone includes this. Its
 * locals: `now`, the cycle at which the instruction `op` is executed, and `began`, the same before
 * anything that it takes; `entry`, when it was decoded; `first`, `second` and `third`, when the
 * word of the next instruction and the two behind it can be decoded; `late`, cm7_op.after of the
 * instruction before; `cached`, whether code comes from flash that waits.
 */
#ifndef MOTEBENCH_CORTEXM_V7M_STEPS_H
#define MOTEBENCH_CORTEXM_V7M_STEPS_H

#include "pipeline.h"
#include "waits.h"

/* Cycles of a division: 2 to 12, by the number of bits of the quotient, four a cycle. */
static int division(uint32_t n, uint32_t d)
{
    if (d == 0 || n < d)
        return 2;
    return 3 + (__builtin_clz(d) - __builtin_clz(n)) / 4;
}

/* Locals of the function beside `now` and `began`, at the start and the end of a run. */
#define PIPELINE                   \
    uint64_t entry = 0;            \
    uint64_t first, second, third; \
    uint32_t late = 0
#define GO_ON                   \
    do {                        \
        late = v7m->late;       \
        first = v7m->words[0];  \
        second = v7m->words[1]; \
        third = v7m->words[2];  \
    } while (0)
#define STOP                    \
    do {                        \
        v7m->late = late;       \
        v7m->words[0] = first;  \
        v7m->words[1] = second; \
        v7m->words[2] = third;  \
    } while (0)

/* The next instruction: it is decoded when its words are there and the one before is executed. */
#define GO                                                         \
    do {                                                           \
        if (CM_UNLIKELY(now >= core->deadline))                    \
            goto out;                                              \
        entry = (op->fetch & CM7_STRADDLES) != 0 ? second : first; \
        if (entry < began)                                         \
            entry = began;                                         \
        if (now <= entry)                                          \
            now = entry + 1;                                       \
        began = now;                                               \
        FREE_WORD;                                                 \
        WATCH;                                                     \
        goto *routines[op->code];                                  \
    } while (0)
/* The used words make room for one more word. With a full buffer fetching has stopped if the
 * instruction before took more than one cycle, and goes on if it took one. */
#define FREE_WORD                                                   \
    do {                                                            \
        if ((op->fetch & CM7_ENDS_WORD) != 0) {                     \
            first = second;                                         \
            second = third;                                         \
            third++;                                                \
            if (third <= now)                                       \
                third = now + (entry + 1 < now ? 2 : 1);            \
            if (CM_UNLIKELY((op->fetch & CM7_TOLD) != 0) && cached) \
                third += fetch_line(v7m, (PC & ~3u) + 12, third);   \
        }                                                           \
    } while (0)
/* Starts to execute a cycle earlier, while the load before gets its data, if it could be decoded by
 * then. */
#define PIPELINED                                                                         \
    do {                                                                                  \
        now--;                                                                            \
        if (now <= entry)                                                                 \
            now = entry + 1;                                                              \
        if ((op->fetch & CM7_ENDS_WORD) != 0 && third == began + 2 && third > second + 1) \
            third -= now < began;                                                         \
        began = now;                                                                      \
    } while (0)
/* Words for an instruction that is decoded in this cycle at the earliest; `early`, if its branch
 * had not waited to be executed. */
#define REFILL(to, early, at)                                \
    do {                                                     \
        first = (at);                                        \
        if (cached) {                                        \
            first = fetch_target(v7m, (to), (early), first); \
            second = first + 1;                              \
            if (cm7_tells(v7m, (to) + 4))                    \
                second += fetch_line(v7m, (to) + 4, second); \
            third = second + 1;                              \
            if (cm7_tells(v7m, (to) + 8))                    \
                third += fetch_line(v7m, (to) + 8, third);   \
        } else {                                             \
            second = first + 1;                              \
            third = first + 2;                               \
        }                                                    \
    } while (0)
/* An instruction that was not decoded before it was entered: now its words are known. */
#define DECODED                                                   \
    do {                                                          \
        if ((op->fetch & CM7_STRADDLES) != 0 && entry < second) { \
            entry = second;                                       \
            now = entry + 1 > now ? entry + 1 : now;              \
            began = now;                                          \
        }                                                         \
        FREE_WORD;                                                \
    } while (0)
#define NEXT(cycles)               \
    do {                           \
        now += (unsigned)(cycles); \
        late = op->after;          \
        op += op->halfwords;       \
        GO;                        \
    } while (0)

/* An instruction whose condition holds, and does not; one without effect. */
#define HOLDS (void)0
#define SKIP                 \
    do {                     \
        now++;               \
        late = 0;            \
        op += op->halfwords; \
        GO;                  \
    } while (0)
#define NOTHING                       \
    do {                              \
        if ((late & CM7_LOADED) != 0) \
            PIPELINED;                \
        NEXT(1);                      \
    } while (0)
/* A conditional branch has asked for its target in the place of the next word (ARM DDI 0337G,
 * section 1.4), unless the buffer was full. */
#define NOT_TAKEN               \
    do {                        \
        second += second > now; \
        third += third > now;   \
        NEXT(1);                \
    } while (0)
/* IT: behind an instruction of 16 bits it takes no cycle, because it was decoded with that. */
#define BLOCK                         \
    do {                              \
        if ((late & CM7_NARROW) != 0) \
            began = --now;            \
        NEXT(1);                      \
    } while (0)
/* A branch to a constant, with a condition too; to a target that a register has, `cost` cycles from
 * now. */
#define TAKE                             \
    do {                                 \
        REFILL(IMM, entry + 2, now + 1); \
        now++;                           \
        late = 0;                        \
        op = ops + ((IMM - base) >> 1);  \
        GO;                              \
    } while (0)
#define TAKE_IF TAKE
#define TAKE_B TAKE
#define TO_REGISTER(returns) 3
#define ARRIVE                            \
    do {                                  \
        began = now + (unsigned)cost - 1; \
        REFILL(target, began, began);     \
        now = began;                      \
        late = 0;                         \
        GO;                               \
    } while (0)

/* Cycles of a load, a store at a sum of registers, two registers, and of lists beside those by
 * register. */
enum { LOADS = 2, STORES_AT_SUM = 2, PAIRS = 3, LISTS = 1 };

/* --- loads and stores ------------------------------------------------------------------------- */

/* The address comes too late if the instruction before made it. */
#define ADDRESS(uses)                                           \
    do {                                                        \
        if ((late & (uses)) != 0 && (late & CM7_LOADED) == 0) { \
            now++;                                              \
            began = now;                                        \
        }                                                       \
    } while (0)
#define BEGIN_LOAD(uses)                                            \
    do {                                                            \
        if ((late & (CM7_LOADED | (uses))) != 0) {                  \
            ADDRESS(uses);                                          \
            if ((late & CM7_LOADED) != 0 && (late & (uses)) == 0) { \
                PIPELINED;                                          \
                WHOLE_EARLY(true);                                  \
            }                                                       \
        }                                                           \
        WHOLE_EARLY(third == now + 1);                              \
    } while (0)
/* A load that lies in two words of code may have to have them a cycle earlier. */
#define WHOLE_EARLY(condition)                                                  \
    do {                                                                        \
        if ((op->fetch & CM7_STRADDLES) != 0 && now < entry + 2 && (condition)) \
            began = now = entry + 2;                                            \
    } while (0)
#define BEGIN_STORE(uses)                                     \
    do {                                                      \
        ADDRESS(uses);                                        \
        if ((late & CM7_LOADED) != 0 && (late & (uses)) == 0) \
            PIPELINED;                                        \
    } while (0)
#define BEGIN_LIST                    \
    do {                              \
        ADDRESS(USES_I);              \
        if ((late & CM7_STORED) != 0) \
            now++;                    \
    } while (0)

#endif

/*
 * Cycles of a Cortex-M33: what "pipeline cycle test/doc/cortex_m33.md" of github.com/jnk0le/random
 * and the RP2350 data sheet, 3.7.4.9, say of an RP2350 (Cortex-M33 r1p0), as sequences behind a
 * branch.
 */
#include <stdio.h>

#include "../core/internal.h"
#include "check.h"
#include "machine.h"

enum { LONGEST = 12, TARGET = 32, LAST = 4, STACKED = 9 };

/* Cycles of a sequence, which `goes` to TARGET bytes behind its begin, or ends where it ends. */
typedef struct row {
    const char *name;
    unsigned cycles;
    bool goes;
    uint16_t code[LONGEST];
} row;

static const row rows[] = {
    {"a sum with a shifted register, used at once", 3, false, {0xeb04, 0x6335, 0xea83, 0x0604}},
    {"a sum with a register shifted left by 3, used at once",
     2,
     false,
     {0xeb04, 0x03c5, 0xea83, 0x0604}},
    {"the same by 4", 3, false, {0xeb04, 0x1305, 0xea83, 0x0604}},
    {"a shifted sum, used a cycle later",
     3,
     false,
     {0xeb04, 0x6335, 0xea4f, 0x0809, 0xea83, 0x0604}},
    {"a shifted constant, used at once", 3, false, {0xf481, 0x53fe, 0xea83, 0x0604}},
    {"a simple constant, used at once", 2, false, {0xf101, 0x0301, 0xea83, 0x0604}},
    {"a constant of 12 bits, used at once", 2, false, {0xf601, 0x73f9, 0xea83, 0x0604}},
    {"UXTAB adds to UXTAB", 2, false, {0xfa54, 0xf385, 0xfa53, 0xf385}},
    {"UXTAB, used at once", 3, false, {0xfa54, 0xf385, 0xea83, 0x0604}},
    {"MLA adds to MLA", 2, false, {0xfb04, 0x3305, 0xfb04, 0x3305}},
    {"MLA of a product", 3, false, {0xfb04, 0x3305, 0xfb03, 0x5604}},
    {"MLA adds to a sum with a shifted register", 2, false, {0xeb04, 0x6335, 0xfb04, 0x3605}},
    {"MLA adds to UXTAB", 2, false, {0xfa54, 0xf385, 0xfb04, 0x3605}},
    {"MLA adds to a load", 2, false, {0xf8d0, 0x3000, 0xfb04, 0x3605}},
    {"UXTAB adds to a load", 3, false, {0xf8d0, 0x3000, 0xfa53, 0xf684}},
    {"a shifted sum with a load", 3, false, {0xf8d0, 0x3000, 0xeb03, 0x6634}},
    {"BFI, BFI, used at once", 3, false, {0xf364, 0x230f, 0xf364, 0x4317, 0xea83, 0x0604}},
    {"UADD8, used at once", 3, false, {0xfa84, 0xf345, 0xfa83, 0xf644}},
    {"MLA adds to UADD8", 3, false, {0xfa84, 0xf345, 0xfb04, 0x3605}},
    {"PKHBT, used at once", 3, false, {0xeac4, 0x0305, 0xea83, 0x0604}},
    {"MULS", 2, false, {0x4363}},
    {"a shifted constant that sets flags", 2, false, {0xf511, 0x53fe}},
    {"MOVS of a shifted constant", 1, false, {0xf45f, 0x53fe}},
    {"a shifted register that sets flags", 1, false, {0xeb14, 0x6335}},
    {"IT EQ holds, a shifted constant that sets flags", 3, false, {0x46d2, 0xbf08, 0xf511, 0x53fe}},
    {"IT NE does not", 2, false, {0x46d2, 0xbf18, 0xf511, 0x53fe}},
    {"IT EQ holds, a shifted register, used at once",
     4,
     false,
     {0x46d2, 0xbf08, 0xeb01, 0x53f2, 0x4423}},
    {"IT NE does not, its result used at once", 3, false, {0x46d2, 0xbf18, 0xeb01, 0x53f2, 0x4423}},
    {"MOV, NOP", 1, false, {0x46d2, 0xbf00}},
    {"LDR, NOP", 1, false, {0x6803, 0xbf00}},
    {"NOP, MOV", 2, false, {0xbf00, 0x46d2}},
    {"MOV of 32 bits, NOP", 2, false, {0xea4f, 0x0809, 0xbf00}},
    {"MOV, MOV", 2, false, {0x46d2, 0x46db}},
    {"LDR, MOV", 2, false, {0x6803, 0x46d2}},
    {"SUBS, BNE taken", 3, true, {0x3f01, 0xd10d}},
    {"SUBS, BEQ not taken", 1, false, {0x3f01, 0xd00d}},
    {"SUBS, MOV, BNE taken", 3, true, {0x3f01, 0x46d2, 0xd10c}},
    {"SUBS, MOV, BEQ not taken", 2, false, {0x3f01, 0x46d2, 0xd00c}},
    {"SUBS, BNE of 32 bits taken", 3, true, {0x3f01, 0xf040, 0x800d}},
    {"SUBS, LDM of 4, BNE taken", 6, true, {0x3f01, 0xce0f, 0xd10c}},
    {"SUBS, LDM of 4, BEQ not taken", 5, false, {0x3f01, 0xce0f, 0xd00c}},
    {"flags of a shifted register, BNE taken", 4, true, {0xebb7, 0x1741, 0xd10c}},
    {"CMP, IT, MOV", 2, false, {0x2f01, 0xbf08, 0x4623}},
    {"LDR, used at once", 3, false, {0x6803, 0x3301}},
    {"LDR, STR of its result", 2, false, {0x6803, 0x6043}},
    {"MLA, STR of its result", 2, false, {0xfb04, 0x3305, 0x6043}},
    {"LDRD", 2, false, {0xe9d0, 0x3400}},
    {"STRD", 2, false, {0xe9c0, 0x3400}},
    {"LDM of 4", 4, false, {0xce0f}},
    {"LDM of 4, its last used at once", 6, false, {0xce0f, 0x3301}},
    {"STM of 4", 4, false, {0xc60f}},
    {"POP of 9 with PC", 12, true, {0xe8bd, 0x8ff0}},
    {"POP of 9 with LR, 2 MOV, BX", 13, true, {0xe8bd, 0x4ff0, 0x46d2, 0x46d2, 0x4770}},
    {"POP of 9 with LR, 3 MOV, BX", 13, true, {0xe8bd, 0x4ff0, 0x46d2, 0x46d2, 0x46d2, 0x4770}},
    {"LDR of LR, 3 MOV, BX", 5, true, {0xf8dd, 0xe000, 0x46d2, 0x46d2, 0x46d2, 0x4770}},
    {"LDR of another register, 3 MOV, BX", 6, true, {0x9b00, 0x46d2, 0x46d2, 0x46d2, 0x4718}},
    {"UDIV of less", 2, false, {0xfbb1, 0xf3f7}},
    {"UDIV of 4 by 5", 4, false, {0xfbb4, 0xf3f7}},
    {"UDIV of 5 by 1", 4, false, {0xfbb7, 0xf3f1}},
    {"UDIV of 2^29 by 1", 11, false, {0xfbb0, 0xf3f1}},
    {"UDIV, used at once", 6, false, {0xfbb7, 0xf3f1, 0xea83, 0x0604}},
    {"UXTB of a rotated register, used as an index", 2, false, {0xfa5f, 0xf4a1, 0xf850, 0x3004}},
    {"LSRS, used as an index", 2, false, {0x0e0c, 0xf850, 0x3004}},
};

static void set(cm_board *board)
{
    cm_core *core = &board->core;
    for (unsigned i = 0; i < CM_SP; i++)
        core->r[i] = i;
    core->r[0] = core->r[6] = DATA;
    core->r[7] = 5;
    core->r[CM_SP] = TOP - 4 * STACKED;
    core->r[CM_PC] = CODE;
    for (unsigned i = 0; i < STACKED; i++)
        machine_set_word(board, TOP - 4 * STACKED + 4 * i, (CODE + TARGET) | 1);
    board->v7m.next = UINT32_MAX; /* as behind a branch */
    core->cycles += 100;
    cm_core_set_apsr(core, 4u << 28);
}

/* The cycles until `end` would be executed: with one more it is. */
static unsigned until(cm_board *board, uint32_t end)
{
    unsigned last = 0;
    for (unsigned cycles = 1; cycles < 40; cycles++) {
        set(board);
        if (cm_core_run(&board->core, board->core.cycles + cycles) == CM_DEADLINE &&
            board->core.r[CM_PC] == end)
            last = cycles;
    }
    return last;
}

static void instructions(void)
{
    static const uint16_t last[LAST / 2] = {0xea89, 0x0901}; /* eor.w r9, r9, r1: one cycle */
    cm_board *board = machine_new("cortex-m33-nows");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t end = CODE + TARGET;
        size_t count = 0;
        while (count < LONGEST && rows[i].code[count] != 0)
            count++;
        if (!rows[i].goes)
            end = CODE + 2 * (uint32_t)count;
        machine_code(board, CODE, rows[i].code, count);
        machine_code(board, end, last, LAST / 2);
        const unsigned took = until(board, end + LAST) - 1;
        if (!CHECK(took == rows[i].cycles))
            fprintf(stderr, "%s: %u cycles\n", rows[i].name, took);
    }
    cm_board_free(board);
}

/* The loop of the author's template takes 20 cycles, with its branch beside the last MOV. */
static void loop(void)
{
    enum { MOVES = 17, ROUNDS = 1000, CYCLES = 20 };
    cm_board *board = machine_new("cortex-m33-nows");
    uint16_t code[MOVES + 4];
    for (size_t i = 0; i < MOVES; i++)
        code[i] = 0x46d2; /* mov r10, r10 */
    code[MOVES] = 0xf1b9; /* subs.w r9, #1 */
    code[MOVES + 1] = 0x0901;
    code[MOVES + 2] = 0x46d2;
    code[MOVES + 3] = 0xd1ea; /* bne */
    machine_code(board, CODE, code, MOVES + 4);
    set(board);
    board->core.r[9] = ROUNDS;
    const uint64_t begin = board->core.cycles;
    (void)cm_core_run(&board->core, begin + (uint64_t)CYCLES * 500);
    CHECK(board->core.r[CM_PC] == CODE && board->core.r[9] == ROUNDS - 500);
    cm_board_free(board);
}

/* An instruction of 32 bits in two words comes a cycle later behind a branch: assumed, as on an
 * M4. */
static void straddling(void)
{
    static const uint16_t code[6] = {0xe001, 0, 0, 0xea89, 0x0901, 0x46d2}; /* b to the EOR */
    cm_board *board = machine_new("cortex-m33-nows");
    machine_code(board, CODE, code, 6);
    CHECK(until(board, CODE + 10) == 2 + 1 + 1);
    cm_board_free(board);
}

/* Encodings that ARMv7-M has not: with acquire and release semantics. */
static void acquire_release(void)
{
    /* ldaex r3, [r0]; adds r3, #1; stlex r2, r3, [r0]; lda r4, [r0]; stlb r1, [r0]; ldah r5, [r0]
     */
    static const uint16_t code[11] = {
        0xe8d0, 0x3fef, 0x3301, 0xe8c0, 0x3fe2, 0xe8d0, 0x4faf, 0xe8c0, 0x1f8f, 0xe8d0, 0x5f9f};
    cm_board *board = machine_new("cortex-m33-nows");
    machine_code(board, CODE, code, 11);
    machine_set_word(board, DATA, 0x12345678);
    set(board);
    (void)cm_core_run(&board->core, board->core.cycles + 12);
    const uint32_t *r = board->core.r;
    CHECK(r[3] == 0x12345679 && r[2] == 0 && r[4] == 0x12345679 && r[5] == 0x5601);
    CHECK(machine_word(board, DATA) == 0x12345601);
    cm_board_free(board);
}

int main(void)
{
    check_begin();
    instructions();
    loop();
    straddling();
    acquire_release();
    return check_end();
}

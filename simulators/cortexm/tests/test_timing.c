/* Cycles of every class of instruction with memory that does not wait: ARM DDI 0484, table 3-1. */
#include <stdio.h>

#include "../core/internal.h"
#include "check.h"
#include "machine.h"

typedef struct row {
    const char *name;
    uint16_t code[2];
    unsigned cycles;
} row;

/* r0 = DATA, r1 = 4, r2 = an address of code; Z is set. */
static const row rows[] = {
    {"shift", {0x0048}, 1},
    {"ADDS", {0x1888}, 1},
    {"MOVS", {0x2000}, 1},
    {"CMP", {0x2801}, 1},
    {"ANDS", {0x4008}, 1},
    {"LSLS", {0x4088}, 1},
    {"RORS", {0x41c8}, 1},
    {"MULS", {0x4348}, 1},
    {"ADD high", {0x4488}, 1},
    {"MOV high", {0x4688}, 1},
    {"CMP high", {0x4588}, 1},
    {"ADR", {0xa001}, 1},
    {"ADD r0, SP", {0xa801}, 1},
    {"SUB SP", {0xb081}, 1},
    {"UXTB", {0xb2c8}, 1},
    {"REV", {0xba08}, 1},
    {"NOP", {0xbf00}, 1},
    {"YIELD", {0xbf10}, 1},
    {"SEV", {0xbf40}, 1},
    {"CPSIE", {0xb662}, 1},
    {"LDR", {0x6801}, 2},
    {"LDRH", {0x8801}, 2},
    {"LDRB", {0x7801}, 2},
    {"LDR by register", {0x5843}, 2},
    {"LDRSB", {0x5643}, 2},
    {"LDRSH", {0x5e43}, 2},
    {"LDR from SP", {0x9800}, 2},
    {"LDR from flash", {0x4800}, 2},
    {"STR", {0x6001}, 2},
    {"STRH", {0x8001}, 2},
    {"STRB", {0x7001}, 2},
    {"STR by register", {0x5043}, 2},
    {"STR to SP", {0x9000}, 2},
    {"LDM of 1", {0xc802}, 2},
    {"LDM of 8", {0xc8ff}, 9},
    {"STM of 2", {0xc006}, 3},
    {"PUSH of 3", {0xb407}, 4},
    {"PUSH of 9", {0xb5ff}, 10},
    {"POP of 2", {0xbc30}, 3},
    {"POP {pc}", {0xbd00}, 4},
    {"POP {r4-r7, pc}", {0xbdf0}, 8},
    {"B", {0xe002}, 2},
    {"BEQ taken", {0xd002}, 2},
    {"BNE not taken", {0xd102}, 1},
    {"BL", {0xf000, 0xf802}, 3},
    {"BX", {0x4710}, 2},
    {"BLX", {0x4790}, 2},
    {"MOV PC", {0x4697}, 2},
    {"ADD PC", {0x448f}, 2},
    {"MRS", {0xf3ef, 0x8305}, 3},
    {"MSR", {0xf381, 0x8800}, 3},
    {"DMB", {0xf3bf, 0x8f5f}, 3},
    {"DSB", {0xf3bf, 0x8f4f}, 3},
    {"ISB", {0xf3bf, 0x8f6f}, 3},
};

static void instructions(cm_board *board, uint32_t at)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_code(board, at, rows[i].code, 2);
        machine_at(board, at);
        for (uint32_t word = 0; word < 8; word++)
            machine_set_word(board, TOP - 64 + 4 * word, (CODE + 0x40) | 1);
        board->core.r[0] = DATA;
        board->core.r[1] = 4;
        board->core.r[2] = (CODE + 0x40) | 1;
        board->core.r[CM_SP] = TOP - 64;
        cm_core_set_apsr(&board->core, 4u << 28);
        const uint64_t cycles = machine_steps(board, 1);
        if (!CHECK(cycles == rows[i].cycles))
            fprintf(stderr, "%s at 0x%x: %u cycles\n", rows[i].name, (unsigned)at,
                    (unsigned)cycles);
    }
}

/* Entry 15, return 12 behind the branch; SVC itself counts as one. */
static void exceptions(cm_board *board)
{
    cm_core *core = &board->core;
    const uint16_t code[] = {0xdf00, 0xbf00}, handler[] = {0x4770};
    machine_set_word(board, 4 * CM_SVCALL, 0x201);
    machine_code(board, CODE, code, 2);
    machine_code(board, 0x200, handler, 1);
    machine_at(board, CODE);
    core->r[CM_SP] = TOP;
    CHECK(machine_steps(board, 1) == 1 + 15 && core->r[CM_PC] == 0x200 &&
          core->exception == CM_SVCALL);
    CHECK(machine_steps(board, 1) == 12 && core->r[CM_PC] == CODE + 2 && core->exception == 0);
}

static void slow_multiplier(cm_board *board)
{
    const uint16_t code[] = {0x4348};
    board->v6m.multiplier = 32;
    machine_code(board, CODE, code, 1);
    machine_at(board, CODE);
    CHECK(machine_steps(board, 1) == 32);
}

int main(void)
{
    check_begin();
    /* the latter waits only when told to */
    static const char *const parts[] = {"cortex-m0-nows", "samd21g18a"};
    for (size_t i = 0; i < 2; i++) {
        cm_board *board = machine_new(parts[i]);
        instructions(board, CODE);
        instructions(board, CODE + 2);
        instructions(board, DATA + 0x200); /* RAM never waits */
        exceptions(board);
        slow_multiplier(board);
        cm_board_free(board);
    }
    return check_end();
}

/* The floating-point unit and bit-banding: cycles (ARM DDI 0439, table 7-1 and section 7.2.3), and
 * what is not there. */
#include <stdio.h>

#include "check.h"
#include "machine.h"

enum {
    VADD = 0xee300a01,
    NEXT_VADD = 0xee701a00,
    VMUL = 0xee210a01,
    VFMA = 0xeea00a01,
    VDIV = 0xee800a01,
    VSQRT = 0xeeb10ae0,
    VCMP = 0xeeb40a60,
    VMOV_R0_S0 = 0xee100a10,
    VSTR_S0 = 0xed800a00,
    NOP = 0xbf00bf00
};

static const struct row {
    const char *name;
    uint32_t code[3]; /* 32 bits each; 0: no further one */
    unsigned steps, cycles;
} rows[] = {
    {"VADD", {VADD}, 1, 1},
    {"VMUL", {VMUL}, 1, 1},
    {"VCMP", {VCMP}, 1, 1},
    {"VFMA", {VFMA}, 1, 3},
    {"two sums, the second of the first", {VADD, NEXT_VADD}, 2, 3},
    {"two sums with something between them", {VADD, NOP, NEXT_VADD}, 4, 4},
    {"a sum, read at once", {VADD, VMOV_R0_S0}, 2, 3},
    {"a sum, stored at once", {VADD, VSTR_S0}, 2, 4},
    {"a division that nobody waits for", {VDIV, NOP}, 3, 3},
    {"a division and its reader", {VDIV, VMOV_R0_S0}, 2, 16},
    {"a division, and another sum", {VDIV, NOP, VMUL}, 4, 15},
    {"a root and its reader", {VSQRT, VMOV_R0_S0}, 2, 16},
};

static void cycles(cm_board *board)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint16_t code[6];
        for (size_t word = 0; word < 3; word++) {
            code[2 * word] = (uint16_t)(rows[i].code[word] >> 16);
            code[2 * word + 1] = (uint16_t)rows[i].code[word];
        }
        machine_code(board, CODE, code, 6);
        machine_at(board, CODE);
        board->core.r[0] = DATA;
        const uint64_t took = machine_steps(board, rows[i].steps);
        if (!CHECK(took == rows[i].cycles))
            fprintf(stderr, "%s: %u cycles\n", rows[i].name, (unsigned)took);
        board->core.cycles += 20; /* what runs beside the program ends */
    }
}

/* A core without the unit, or with the unit off, refuses its instructions. */
static void refused(const char *part, uint32_t cpacr)
{
    cm_board *board = machine_new(part);
    const uint16_t code[] = {VADD >> 16, (uint16_t)VADD};
    machine_code(board, CODE, code, 2);
    machine_at(board, CODE);
    board->core.cpacr = cpacr;
    CHECK(cm_core_run(&board->core, board->core.cycles + 1) == CM_UNDEFINED);
    cm_board_free(board);
}

/* LDR r1, [r0], where r0 is the word of a bit: a part without bit-banding has nothing there. */
static void bits(const char *part, bool there)
{
    cm_board *board = machine_new(part);
    const uint16_t code[] = {0x6801};
    machine_code(board, CODE, code, 1);
    machine_set_word(board, DATA, 1u << 9);
    machine_at(board, CODE);
    board->core.r[0] = 0x22000000 + 32 * (DATA - 0x20000000) + 4 * 9;
    const cm_stop stop = cm_core_run(&board->core, board->core.cycles + 1);
    CHECK(there ? stop == CM_DEADLINE && board->core.r[1] == 1 : stop == CM_BUS);
    cm_board_free(board);
}

int main(void)
{
    check_begin();
    cm_board *board = machine_new("cortex-m4-nows");
    board->core.cpacr = 0xf00000;
    cycles(board);
    cm_board_free(board);
    refused("cortex-m4-nows", 0);
    refused("cortex-m3-nows", 0xf00000);
    bits("cortex-m4-nows", true);
    bits("cortex-m0-nows", false);
    return check_end();
}

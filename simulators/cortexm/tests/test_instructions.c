/*
 * Effect of each instruction on registers and flags, at corner values: ARM DDI 0419, chapter A6.7.
 * Every row is worked out by hand from the pseudocode there.
 */
#include <stdio.h>
#include <string.h>

#include "../core/internal.h"
#include "check.h"
#include "machine.h"

enum { N = 8, Z = 4, C = 2, V = 1, KEEP = 16 };

/* r0 and r1 before (r2 = 3), flags before; r0 and flags after. Rd is r0, Rn or Rm is r1 unless the
 * name says more. */
typedef struct row {
    const char *name;
    uint16_t code;
    uint32_t r0, r1;
    uint8_t before;
    uint32_t after;
    uint8_t flags; /* KEEP: as before */
} row;

static const row rows[] = {
    {"LSLS #1, bit out", 0x0048, 0, 0x80000001, 0, 2, C},
    {"LSLS #31", 0x07c8, 0, 3, 0, 0x80000000, N | C},
    {"LSLS #0 is MOVS: C stays", 0x0008, 5, 0, C | V, 0, Z | C | V},
    {"LSRS #1", 0x0848, 0, 3, V, 1, C | V},
    {"LSRS #32", 0x0808, 9, 0x80000000, 0, 0, Z | C},
    {"ASRS #1", 0x1048, 0, 0x80000001, 0, 0xc0000000, N | C},
    {"ASRS #32 of a negative", 0x1008, 0, 0x80000000, 0, 0xffffffff, N | C},
    {"ASRS #32 of a positive", 0x1008, 7, 0x7fffffff, C, 0, Z},
    {"ADDS r0, r1, r2", 0x1888, 0, 0xfffffffd, 0, 0, Z | C},
    {"SUBS r0, r1, r2: borrow", 0x1a88, 0, 2, C, 0xffffffff, N},
    {"ADDS r0, r1, #7: overflow", 0x1dc8, 0, 0x7ffffffc, 0, 0x80000003, N | V},
    {"SUBS r0, r1, #1: overflow", 0x1e48, 0, 0x80000000, 0, 0x7fffffff, C | V},
    {"MOVS #0", 0x2000, 1, 0, C | V, 0, Z | C | V},
    {"MOVS #255", 0x20ff, 1, 0, Z, 255, 0},
    {"CMP #1, equal", 0x2801, 1, 0, 0, 1, Z | C},
    {"CMP #1, below", 0x2801, 0, 0, 0, 0, N},
    {"ADDS #255", 0x30ff, 0xffffff01, 0, 0, 0, Z | C},
    {"SUBS #255", 0x38ff, 0xff, 0, 0, 0, Z | C},
    {"ANDS", 0x4008, 0xf0f0f0f0, 0x80000000, C | V, 0x80000000, N | C | V},
    {"EORS", 0x4048, 0x55555555, 0x55555555, V, 0, Z | V},
    {"LSLS by 0: C stays", 0x4088, 0x80000000, 0x100, C, 0x80000000, N | C},
    {"LSLS by 32", 0x4088, 1, 32, 0, 0, Z | C},
    {"LSLS by 33", 0x4088, 0xffffffff, 33, C, 0, Z},
    {"LSRS by 32", 0x40c8, 0x80000000, 32, 0, 0, Z | C},
    {"LSRS by 255", 0x40c8, 0xffffffff, 255, C, 0, Z},
    {"ASRS by 32", 0x4108, 0x80000000, 32, 0, 0xffffffff, N | C},
    {"ASRS by 200 of a positive", 0x4108, 0x40000000, 200, C, 0, Z},
    {"ADCS with carry", 0x4148, 0xffffffff, 0, C, 0, Z | C},
    {"ADCS without", 0x4148, 0x7fffffff, 1, 0, 0x80000000, N | V},
    {"ADCS, both carries", 0x4148, 0xffffffff, 0xffffffff, C, 0xffffffff, N | C},
    {"SBCS without borrow", 0x4188, 5, 5, C, 0, Z | C},
    {"SBCS with borrow", 0x4188, 5, 5, 0, 0xffffffff, N},
    {"SBCS overflow", 0x4188, 0x80000000, 0, 0, 0x7fffffff, C | V},
    {"RORS by 0: C stays", 0x41c8, 1, 0, C, 1, C},
    {"RORS by 32: C is bit 31", 0x41c8, 0x80000000, 32, 0, 0x80000000, N | C},
    {"RORS by 33", 0x41c8, 1, 33, 0, 0x80000000, N | C},
    {"RORS by 4", 0x41c8, 0x10, 4, C, 1, 0},
    {"TST", 0x4208, 1, 2, N | C | V, 1, Z | C | V},
    {"RSBS of 0", 0x4248, 9, 0, 0, 0, Z | C},
    {"RSBS of the least", 0x4248, 9, 0x80000000, 0, 0x80000000, N | V},
    {"CMP of registers", 0x4288, 0x80000000, 1, 0, 0x80000000, C | V},
    {"CMN", 0x42c8, 0xffffffff, 1, 0, 0xffffffff, Z | C},
    {"ORRS", 0x4308, 0x80000000, 1, C, 0x80000001, N | C},
    {"MULS keeps C and V", 0x4348, 0x10001, 0x10000, C | V, 0x10000, C | V},
    {"MULS to 0", 0x4348, 0x10000, 0x10000, 0, 0, Z},
    {"BICS", 0x4388, 0xff, 0x0f, 0, 0xf0, 0},
    {"MVNS", 0x43c8, 0, 0xffffffff, C, 0, Z | C},
    {"ADD without flags", 0x4408, 0xffffffff, 1, N | V, 0, KEEP},
    {"MOV without flags", 0x4608, 1, 0, N, 0, KEEP},
    {"SXTH", 0xb208, 0, 0x00018000, V, 0xffff8000, KEEP},
    {"SXTB", 0xb248, 0, 0x17f, V, 0x7f, KEEP},
    {"UXTH", 0xb288, 0, 0x12348765, Z, 0x8765, KEEP},
    {"UXTB", 0xb2c8, 0, 0xffffff80, Z, 0x80, KEEP},
    {"REV", 0xba08, 0, 0x01020304, C, 0x04030201, KEEP},
    {"REV16", 0xba48, 0, 0x01020304, C, 0x02010403, KEEP},
    {"REVSH", 0xbac8, 0, 0x00000180, C, 0xffff8001, KEEP},
    {"NOP", 0xbf00, 4, 0, N | Z, 4, KEEP},
    {"SEV", 0xbf40, 4, 0, C, 4, KEEP},
    {"ADR", 0xa001, 0, 0, V, CODE + 4 + 4, KEEP},
    {"ADD r0, SP, #4", 0xa801, 0, 0, V, TOP + 4, KEEP},
    {"MOV r0, PC", 0x4678, 0, 0, N, CODE + 4, KEEP},
    {"ADD r0, PC", 0x4478, 1, 0, N, CODE + 5, KEEP},
};

static void data_processing(cm_board *board)
{
    cm_core *core = &board->core;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *one = &rows[i];
        machine_code(board, CODE, &one->code, 1);
        machine_at(board, CODE);
        core->r[0] = one->r0;
        core->r[1] = one->r1;
        core->r[2] = 3;
        core->r[CM_SP] = TOP;
        cm_core_set_apsr(core, (uint32_t)one->before << 28);
        (void)machine_steps(board, 1);
        const uint32_t flags = one->flags == KEEP ? one->before : one->flags;
        if (!CHECK(core->r[0] == one->after && cm_core_apsr(core) == flags << 28 &&
                   core->r[CM_PC] == CODE + 2))
            fprintf(stderr, "%s: r0 0x%x, flags %x\n", one->name, (unsigned)core->r[0],
                    (unsigned)(cm_core_apsr(core) >> 28));
    }
}

/* Conditions that hold, for every value of the flags: DDI 0419 table A6-1. */
static void conditions(cm_board *board)
{
    for (uint32_t flags = 0; flags < 16; flags++) {
        const bool n = flags & N, z = flags & Z, c = flags & C, v = flags & V;
        const bool holds[14] = {z,  !z,      c,       !c,     n,      !n,           v,
                                !v, c && !z, !c || z, n == v, n != v, !z && n == v, z || n != v};
        for (uint32_t condition = 0; condition < 14; condition++) {
            const uint16_t code = (uint16_t)(0xd002 | condition << 8); /* eight bytes on */
            machine_code(board, CODE, &code, 1);
            machine_at(board, CODE);
            cm_core_set_apsr(&board->core, flags << 28);
            (void)machine_steps(board, 1);
            CHECK(board->core.r[CM_PC] == (holds[condition] ? CODE + 8u : CODE + 2u));
            CHECK(cm_core_apsr(&board->core) == flags << 28);
        }
    }
}

static void run(cm_board *board, const uint16_t *code, size_t count, unsigned steps)
{
    machine_code(board, CODE, code, count);
    machine_at(board, CODE);
    (void)machine_steps(board, steps);
}
#define RUN(board, steps, ...) \
    run(board, (const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / 2, steps)

static void transfers(cm_board *board)
{
    cm_core *core = &board->core;
    uint32_t *r = core->r;
    machine_set_word(board, DATA, 0x8182f384);
    machine_set_word(board, DATA + 4, 0x01020304);
    r[1] = DATA;
    r[2] = 2;
    RUN(board, 1, 0x6808); /* LDR r0, [r1] */
    CHECK(r[0] == 0x8182f384);
    RUN(board, 1, 0x8848); /* LDRH r0, [r1, #2] */
    CHECK(r[0] == 0x8182);
    RUN(board, 1, 0x78c8); /* LDRB r0, [r1, #3] */
    CHECK(r[0] == 0x81);
    RUN(board, 1, 0x5e88); /* LDRSH r0, [r1, r2] */
    CHECK(r[0] == 0xffff8182);
    RUN(board, 1, 0x5688); /* LDRSB r0, [r1, r2] */
    CHECK(r[0] == 0xffffff82);
    RUN(board, 1, 0x5a88); /* LDRH r0, [r1, r2] */
    CHECK(r[0] == 0x8182);
    RUN(board, 1, 0x5c88); /* LDRB r0, [r1, r2] */
    CHECK(r[0] == 0x82);
    r[2] = 4;
    RUN(board, 1, 0x5888); /* LDR r0, [r1, r2] */
    CHECK(r[0] == 0x01020304);
    r[0] = 0xaabbccdd;
    RUN(board, 3, 0x6048, 0x8008, 0x7188); /* STR [#4], STRH [#0], STRB [#6] */
    CHECK(machine_word(board, DATA) == 0x8182ccdd && machine_word(board, DATA + 4) == 0xaaddccdd);
    RUN(board, 3, 0x5088, 0x5288, 0x5488); /* the same by register, at DATA + 4 */
    CHECK(machine_word(board, DATA + 4) == 0xaabbccdd);
    r[CM_SP] = DATA;
    RUN(board, 2, 0x9001, 0x9b01); /* STR r0, [sp, #4]; LDR r3, [sp, #4] */
    CHECK(r[3] == 0xaabbccdd);
    RUN(board, 1, 0x4801, 0, 0, 0, 0x5678, 0x1234); /* LDR r0, [pc, #4] */
    CHECK(r[0] == 0x12345678);
    r[CM_SP] = TOP;
}

static void lists(cm_board *board)
{
    uint32_t *r = board->core.r;
    for (uint32_t i = 0; i < 8; i++)
        r[i] = 0x1000 + i;
    r[CM_LR] = 0x77;
    RUN(board, 1, 0xb5c1); /* PUSH {r0, r6, r7, lr} */
    CHECK(r[CM_SP] == TOP - 16 && machine_word(board, TOP - 16) == 0x1000 &&
          machine_word(board, TOP - 12) == 0x1006);
    CHECK(machine_word(board, TOP - 8) == 0x1007 && machine_word(board, TOP - 4) == 0x77);
    RUN(board, 1, 0xbc0e); /* POP {r1-r3} */
    CHECK(r[CM_SP] == TOP - 4 && r[1] == 0x1000 && r[2] == 0x1006 && r[3] == 0x1007);
    RUN(board, 1, 0xb001); /* ADD SP, #4 */
    CHECK(r[CM_SP] == TOP);
    r[4] = DATA;
    RUN(board, 1, 0xc407); /* STM r4!, {r0-r2} */
    CHECK(r[4] == DATA + 12 && machine_word(board, DATA) == r[0] &&
          machine_word(board, DATA + 8) == r[2]);
    r[4] = DATA;
    RUN(board, 1, 0xcce0); /* LDM r4!, {r5-r7} */
    CHECK(r[4] == DATA + 12 && r[5] == 0x1000 && r[6] == 0x1000 && r[7] == 0x1006);
    r[4] = DATA;
    RUN(board, 1, 0xcc30); /* LDM r4, {r4, r5}: no write-back */
    CHECK(r[4] == 0x1000 && r[5] == 0x1000);
    machine_set_word(board, TOP - 4, (CODE + 0x20) | 1);
    r[CM_SP] = TOP - 4;
    RUN(board, 1, 0xbd00); /* POP {pc} */
    CHECK(r[CM_PC] == CODE + 0x20 && r[CM_SP] == TOP);
    RUN(board, 2, 0xb082, 0x466b); /* SUB SP, #8; MOV r3, SP */
    CHECK(r[3] == TOP - 8);
    r[3] = TOP + 2;
    RUN(board, 1, 0x469d); /* MOV SP, r3: the low bits are 0 */
    CHECK(r[CM_SP] == TOP);
}

static void branches(cm_board *board)
{
    uint32_t *r = board->core.r;
    RUN(board, 1, 0xe7fe - 1); /* B two bytes back */
    CHECK(r[CM_PC] == CODE - 2);
    RUN(board, 1, 0xe3ff); /* the farthest forward */
    CHECK(r[CM_PC] == CODE + 4 + 2046);
    RUN(board, 1, 0xf000, 0xf802); /* BL */
    CHECK(r[CM_PC] == CODE + 8 && r[CM_LR] == ((CODE + 4) | 1));
    RUN(board, 1, 0xf001, 0xf800); /* BL 4 KB on */
    CHECK(r[CM_PC] == CODE + 4 + 0x1000);
    RUN(board, 1, 0xf7ff, 0xfffe); /* BL to itself */
    CHECK(r[CM_PC] == CODE);
    r[3] = (CODE + 0x40) | 1;
    RUN(board, 1, 0x4718); /* BX r3 */
    CHECK(r[CM_PC] == CODE + 0x40);
    RUN(board, 1, 0x4798); /* BLX r3 */
    CHECK(r[CM_PC] == CODE + 0x40 && r[CM_LR] == ((CODE + 2) | 1));
    RUN(board, 1, 0x469f); /* MOV PC, r3 */
    CHECK(r[CM_PC] == CODE + 0x40);
    r[3] = 0x11;
    RUN(board, 1, 0x449f); /* ADD PC, r3 */
    CHECK(r[CM_PC] == CODE + 4 + 0x10);
}

static void special_registers(cm_board *board)
{
    uint32_t *r = board->core.r;
    r[1] = 0xf0000000;
    RUN(board, 2, 0xf381, 0x8800, 0xf3ef, 0x8000); /* MSR APSR, r1; MRS r0, APSR */
    CHECK(r[0] == 0xf0000000);
    r[1] = DATA | 3;
    RUN(board, 2, 0xf381, 0x8809, 0xf3ef, 0x8009); /* PSP */
    CHECK(r[0] == DATA);
    r[1] = 2;
    RUN(board, 2, 0xf381, 0x8814, 0xf3ef, 0x8014); /* CONTROL: onto the process stack */
    CHECK(r[0] == 2 && r[CM_SP] == DATA);
    r[1] = 0;
    RUN(board, 2, 0xf381, 0x8814, 0xf3ef, 0x8008); /* and back; MSP */
    CHECK(r[0] == TOP && r[CM_SP] == TOP);
    RUN(board, 2, 0xb672, 0xf3ef, 0x8010); /* CPSID i; MRS PRIMASK */
    CHECK(r[0] == 1);
    RUN(board, 2, 0xb662, 0xf3ef, 0x8010);
    CHECK(r[0] == 0);
    /* DMB, DSB, ISB, YIELD */
    RUN(board, 4, 0xf3bf, 0x8f5f, 0xf3bf, 0x8f4f, 0xf3bf, 0x8f6f, 0xbf10);
    CHECK(r[CM_PC] == CODE + 14);
}

/* Code in RAM, which changes itself: the instruction behind the store, and the two halves of a
 * BL. */
static void code_in_ram(cm_board *board)
{
    uint32_t *r = board->core.r;
    const uint32_t at = DATA + 0x100;
    /* STRH r0, [r1]; MOVS r2, #1; MOVS r2, #2; B start */
    const uint16_t code[] = {0x8008, 0x2201, 0x2202, 0xe7fb};
    machine_code(board, at, code, 4);
    machine_at(board, at);
    r[0] = 0x2303; /* MOVS r3, #3 */
    r[1] = at + 2;
    r[2] = r[3] = 0;
    (void)machine_steps(board, 2);
    CHECK(r[3] == 3 && r[2] == 0);
    (void)machine_steps(board, 2);
    CHECK(r[2] == 2 && r[CM_PC] == at);
    r[1] = at + 4;
    r[2] = r[3] = 0;
    (void)machine_steps(board, 3);
    CHECK(r[2] == 0 && r[3] == 3 && r[CM_PC] == at + 6);
    const uint16_t call[] = {0xf000, 0xf802, 0x8008};
    machine_code(board, at, call, 3);
    machine_at(board, at);
    (void)machine_steps(board, 1);
    CHECK(r[CM_PC] == at + 8);
    r[0] = 0xf804;
    r[1] = at + 2;
    board->core.r[CM_PC] = at + 4;
    (void)machine_steps(board, 1);
    board->core.r[CM_PC] = at;
    (void)machine_steps(board, 1);
    CHECK(r[CM_PC] == at + 12);
}

int main(void)
{
    check_begin();
    cm_board *board = machine_new("samd21g18a");
    data_processing(board);
    conditions(board);
    transfers(board);
    lists(board);
    branches(board);
    special_registers(board);
    code_in_ram(board);
    cm_board_free(board);
    return check_end();
}

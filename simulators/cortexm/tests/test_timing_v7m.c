/*
 * Cycles of a Cortex-M3 and M4: instructions one after the other, the buffer of three words, and
 * the flash of an nRF52840. Sequences begin behind a branch, as DDI 0439 table 3-1 and
 * docs/explain/cortexm.md have them.
 */
#include <stdio.h>

#include "../core/internal.h"
#include "check.h"
#include "machine.h"

enum { LONGEST = 12, NOP = 0xbf00 };

/* `at`: 0 or 2, where the first instruction lies in its word; `end`: halfwords up to where it is
 * left. */
typedef struct row {
    const char *name;
    unsigned at, end, m4, m3;
    uint16_t code[LONGEST];
} row;

/* eor.w r4, r4, r5 is {0xea84, 0x0405}; ldr.w r3, [r0] is {0xf8d0, 0x3000}; ldr r3, [r0] 0x6803;
 * str r3, [r0] 0x6003. r0 = DATA, r1 = 4, r2 = 0x10003, r5 = 0x10000001, r6 = DATA + 2. */
static const row rows[] = {
    {"data processing", 0, 2, 2, 2, {0x1c49, 0x4048}},
    {"multiplication", 0, 4, 2, 3, {0xfb01, 0xf302, 0xfb01, 0x3302}},
    {"UMULL of 16 bits", 0, 2, 1, 3, {0xfba1, 0x3401}},
    {"UMULL of more", 0, 2, 1, 5, {0xfba2, 0x3405}},
    {"UMLAL of 16 bits", 0, 2, 1, 4, {0xfbe1, 0x3401}},
    {"UDIV by more than it is", 0, 2, 2, 2, {0xfbb1, 0xf3f5}},
    {"UDIV, 28 bits", 0, 2, 9, 9, {0xfbb5, 0xf3f1}},
    {"LDR alone", 0, 2, 3, 3, {0x6803, 0x1c49}},
    {"LDR, LDR", 0, 3, 4, 4, {0x6803, 0x6844, 0x1c49}},
    {"LDR, LDR of its result", 0, 2, 4, 4, {0x6800, 0x6803}},
    {"LDR, STR, 2 sums", 0, 4, 4, 4, {0x6803, 0x6043, 0x1c49, 0x1c49}},
    {"LDR, NOP, 2 sums", 0, 4, 4, 4, {0x6803, NOP, 0x1c49, 0x1c49}},
    {"STR, STR", 0, 2, 2, 2, {0x6003, 0x6043}},
    {"STR by a register", 0, 1, 2, 2, {0x5043}},
    {"STR, LDR", 0, 2, 3, 3, {0x6003, 0x6843}},
    {"STR, LDM", 0, 2, 5, 5, {0x6003, 0xc818}},
    {"address of the instruction before", 0, 2, 4, 4, {0x1d00, 0x6803}},
    {"address of the one before that", 0, 3, 4, 4, {0x1d00, 0x1c49, 0x6803}},
    {"unaligned LDR", 0, 1, 3, 3, {0x6833}},
    {"LDRD", 0, 2, 3, 3, {0xe9d0, 0x3400}},
    {"LDM of 3", 0, 1, 4, 4, {0xc838}},
    {"PUSH of 2", 0, 1, 3, 3, {0xb418}},
    {"B to an aligned word", 0, 4, 3, 3, {0xe000, NOP, 0xea84, 0x0405}},
    {"B to 32 bits in two words", 2, 4, 4, 4, {0xe000, NOP, 0xea84, 0x0405}},
    {"BEQ taken", 0, 4, 3, 3, {0xd000, NOP, 0xea84, 0x0405}},
    {"BNE not taken", 0, 2, 2, 2, {0xd100, NOP}},
    {"BNE not taken in the place of a word", 2, 5, 4, 4, {0xd1fe, 0xea84, 0x0405, 0xea84, 0x0405}},
    {"the same with the buffer full",
     0,
     9,
     10,
     10,
     {0xc838, NOP, NOP, NOP, 0xd1fe, 0xea84, 0x0405, 0xea84, 0x0405}},
    {"IT behind 16 bits", 0, 3, 2, 2, {0x1c49, 0xbf08, 0x1c49}},
    {"IT behind 32 bits", 0, 4, 3, 3, {0xea84, 0x0405, 0xbf08, 0x1c49}},
    {"BX", 0, 5, 4, 4, {0x4738}},
    {"32 bits, in words",
     0,
     10,
     5,
     5,
     {0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405}},
    {"32 bits, in two words",
     2,
     10,
     6,
     6,
     {0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405}},
    {"the same with the buffer full",
     0,
     11,
     10,
     10,
     {0xc838, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405}},
    {"the same behind instructions of one cycle",
     0,
     11,
     10,
     10,
     {0xc838, 0x1c49, 0x1c49, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405}},
    {"LDR.W, LDR.W in words", 0, 5, 4, 4, {0xf8d0, 0x3000, 0xf8d0, 0x4004, 0x1c49}},
    {"LDR.W, LDR.W in two words", 2, 5, 7, 7, {0xf8d0, 0x3000, 0xf8d0, 0x4004, 0x1c49}},
    {"LDR.W in two words, its fetch just in time",
     0,
     6,
     6,
     6,
     {0xea84, 0x0405, 0x1c49, 0xf8d0, 0x3000, 0x1c49}},
    {"the same with a word to spare", 0, 5, 6, 6, {0x1c49, 0x1c49, 0x1c49, 0xf8d0, 0x3000, 0x1c49}},
    {"the same with the buffer full", 0, 5, 7, 7, {0xc838, 0xea84, 0x0405, 0xf8d0, 0x3000, 0x1c49}},
    {"the same with a late address", 0, 3, 4, 4, {0x1d00, 0xf8d0, 0x3000, 0x1c49}},
};

static void set(cm_board *board, uint32_t address)
{
    cm_core *core = &board->core;
    core->r[0] = DATA;
    core->r[1] = 4;
    core->r[2] = 0x10003;
    core->r[5] = 0x10000001;
    core->r[6] = DATA + 2;
    core->r[7] = (CODE + 8) | 1;
    core->r[CM_SP] = TOP - 64;
    core->r[CM_PC] = address;
    board->v7m.next = UINT32_MAX; /* as behind a branch */
    core->cycles += 100;
    cm_core_set_apsr(core, 4u << 28);
}

/* The cycles until `end` would be executed: with one more it is. */
static unsigned between(cm_board *board, uint32_t begin, uint32_t end)
{
    unsigned found = 0;
    for (unsigned cycles = 1; cycles < 30; cycles++) {
        set(board, begin);
        if (cm_core_run(&board->core, board->core.cycles + cycles) == CM_DEADLINE &&
            board->core.r[CM_PC] == end)
            found = cycles;
    }
    return found;
}

/* The same for instructions that cannot overlap. */
static uint64_t cycles(cm_board *board, uint32_t address, unsigned instructions)
{
    const uint32_t base = board->core.r[0];
    set(board, address);
    board->core.r[0] = base;
    return machine_steps(board, instructions);
}

static void instructions(const char *part, bool m4)
{
    cm_board *board = machine_new(part);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *one = &rows[i];
        const uint32_t begin = CODE + one->at;
        uint16_t code[LONGEST];
        for (size_t k = 0; k < LONGEST; k++)
            code[k] = one->code[k] != 0 ? one->code[k] : NOP;
        machine_code(board, begin, code, LONGEST);
        const unsigned took = between(board, begin, begin + 2 * one->end);
        if (!CHECK(took == (m4 ? one->m4 : one->m3)))
            fprintf(stderr, "%s, %s: %u cycles\n", part, one->name, took);
    }
    cm_board_free(board);
}

/* RAM that answers a cycle later where the bus was not used directly before: the same sequences
 * with data near and far. */
static void far_ram(const char *part)
{
    static const struct {
        const char *name;
        unsigned end, near, far;
        uint16_t code[4];
    } sequences[] = {
        {"LDR, sum", 2, 3, 4, {0x6803, 0x1c49}},
        {"LDR, LDR", 2, 3, 4, {0x6803, 0x6844}},
        {"LDR, LDR of its result", 2, 4, 6, {0x6800, 0x6803}},
        {"LDR, sum, LDR", 3, 5, 7, {0x6803, 0x1c49, 0x6844}},
        {"LDR, STR, LDR", 3, 4, 5, {0x6803, 0x6043, 0x6884}},
        {"STR, STR", 2, 2, 2, {0x6003, 0x6043}},
        {"STR, LDR", 2, 3, 4, {0x6003, 0x6843}},
        {"STR, sum, LDR", 3, 4, 4, {0x6003, 0x1c49, 0x6843}},
        {"STR, 2 sums, LDR", 4, 5, 6, {0x6003, 0x1c49, 0x1c49, 0x6843}},
        {"STR by a register, LDR", 2, 4, 5, {0x5043, 0x6843}},
        {"unaligned LDR", 1, 3, 4, {0x6833}},
        {"unaligned LDR, LDR", 2, 4, 5, {0x6833, 0x6844}},
        {"LDRD", 2, 3, 4, {0xe9d0, 0x3400}},
        {"STRD", 2, 3, 3, {0xe9c0, 0x3400}},
        {"LDM of 3", 1, 4, 5, {0xc838}},
        {"STR, LDM", 2, 5, 5, {0x6003, 0xc818}},
        {"PUSH of 2", 1, 3, 3, {0xb418}},
        {"PUSH of 2, POP of 2", 2, 6, 6, {0xb418, 0xbc18}},
        {"POP of 2, LDR", 2, 5, 7, {0xbc18, 0x6803}},
    };
    cm_board *board = machine_new(part);
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
        uint16_t code[LONGEST];
        for (size_t k = 0; k < LONGEST; k++)
            code[k] = k < 4 && sequences[i].code[k] != 0 ? sequences[i].code[k] : NOP;
        machine_code(board, CODE, code, LONGEST);
        machine_set_word(board, DATA, DATA);
        const uint32_t end = CODE + 2 * sequences[i].end;
        board->v7m.ram_near = board->core.ram_size;
        const unsigned near = between(board, CODE, end);
        board->v7m.ram_near = 0x1000; /* DATA is the first word of what is far */
        const unsigned far = between(board, CODE, end);
        board->v7m.ram_near = 0x1000 + 0x3000; /* and now of what is near */
        CHECK(between(board, CODE, end) == near);
        if (!CHECK(near == sequences[i].near && far == sequences[i].far))
            fprintf(stderr, "%s, %s: %u cycles, %u with far RAM\n", part, sequences[i].name, near,
                    far);
    }
    cm_board_free(board);
}

/* 16 instructions of 32 bits fill four lines; each is read once: three more cycles. A jump back
 * finds them. */
static void cache(void)
{
    cm_board *board = machine_new("nrf52840");
    uint16_t code[34];
    for (size_t i = 0; i < 32; i += 2) {
        code[i] = 0xea84;
        code[i + 1] = 0x0405;
    }
    code[32] = 0xe7fe; /* an endless loop: never reached */
    code[33] = NOP;
    machine_code(board, CODE, code, 34);
    cm_board_flash(board, 3, 0, true);
    const uint64_t misses = board->core.misses;
    (void)cycles(board, CODE, 12);
    CHECK(board->core.misses - misses == 4); /* the fourth line is fetched ahead */
    CHECK(cycles(board, CODE, 12) == 12);
    CHECK(board->core.misses - misses == 4);
    cm_board_flash(board, 3, 0, true); /* switched on again: empty */
    CHECK(cycles(board, CODE, 12) == 12 + 3 * 3);
    cm_board_flash(board, 3, 0, false); /* one line is kept */
    CHECK(cycles(board, CODE, 12) == 12 + 3 * 3);
    CHECK(cycles(board, CODE, 12) == 12 + 3 * 3);
    board->wait_states = 0;
    cm_board_flash(board, 3, 0, true);
    CHECK(cycles(board, CODE, 12) == 12);
    board->wait_states = -1;
    board->no_cache = true;
    cm_board_flash(board, 3, 0, true);
    CHECK(cycles(board, CODE, 12) == 12 + 3 * 3 && cycles(board, CODE, 12) == 12 + 3 * 3);
    cm_board_free(board);
}

/* A branch is taken while the line behind it is on its way: nobody waits for it, and it is read
 * again when it is needed. */
static void given_up(void)
{
    cm_board *board = machine_new("nrf52840");
    /* B CODE + 0x40 */
    const uint16_t code[10] = {
        0xea84, 0x0405, 0xea84, 0x0405, 0xea84, 0x0405, 0xe018, NOP, 0xea84, 0x0405};
    const uint16_t target[2] = {0xea84, 0x0405};
    machine_code(board, CODE, code, 10);
    machine_code(board, CODE + 0x40, target, 2);
    cm_board_flash(board, 3, 0, true);
    (void)cycles(board, CODE + 0x40, 1);
    (void)cycles(board, CODE, 1);
    const uint64_t misses = board->core.misses;
    CHECK(cycles(board, CODE, 5) == 3 + 2 + 1);
    CHECK(board->core.misses - misses == 1);
    CHECK(cycles(board, CODE + 0x10, 1) == 1 + 3);
    CHECK(board->core.misses - misses == 2);
    CHECK(cycles(board, CODE + 0x10, 1) == 1);
    cm_board_free(board);
}

/* 2 KB further is the same place; 1 KB further is another one. */
static void places(void)
{
    cm_board *board = machine_new("nrf52840");
    const uint16_t code[2] = {0x4048, NOP};
    static const struct {
        uint32_t other;
        unsigned misses;
    } cases[] = {{CODE + 0x800, 1}, {CODE + 0x400, 0}};
    for (size_t i = 0; i < 2; i++) {
        machine_code(board, CODE, code, 2);
        machine_code(board, cases[i].other, code, 2);
        cm_board_flash(board, 3, 0, true);
        (void)cycles(board, CODE, 1);
        (void)cycles(board, cases[i].other, 1);
        const uint64_t misses = board->core.misses;
        (void)cycles(board, CODE, 1);
        CHECK(board->core.misses - misses == cases[i].misses);
    }
    cm_board_free(board);
}

/* Data from flash: three wait states for each line of 16 bytes that is not the last one read. */
static void data(void)
{
    cm_board *board = machine_new("nrf52840");
    const uint16_t code[2] = {0x6803, NOP};
    machine_code(board, CODE, code, 2);
    cm_board_flash(board, 3, 0, true);
    (void)cycles(board, CODE, 1);
    static const struct {
        uint32_t address;
        unsigned cycles;
    } reads[] = {{0x400, 5}, {0x40c, 2}, {0x410, 5}, {0x400, 5}, {DATA, 2}, {0x404, 2}};
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        board->core.r[0] = reads[i].address;
        CHECK(cycles(board, CODE, 1) == reads[i].cycles);
    }
    cm_board_free(board);
}

/* Every instruction that reads waits so, once for a line. */
static void every_load(void)
{
    static const struct {
        const char *name;
        uint16_t code[2];
    } loads[] = {
        {"LDR.W", {0xf8d0, 0x3000}},
        {"LDRD", {0xe9d0, 0x3400}},
        {"LDM of 3", {0xc838, NOP}},
        {"LDREX", {0xe850, 0x3f00}},
        {"LDR of PC", {0xf8d0, 0xf000}},
        {"LDR of SP", {0xf8d0, 0xd000}},
        {"TBB", {0xe8d0, 0xf001}},
        {"TBH", {0xe8d0, 0xf011}},
        {"VLDR of 32 bits", {0xed90, 0x0a00}},
        {"VLDR of 64 bits", {0xed90, 0x0b00}},
        {"VLDM of 4", {0xec90, 0x0a04}},
    };
    const uint16_t other[2] = {0x6803, NOP};
    const uint16_t stack[2] = {(TOP - 64) & 0xffff, TOP >> 16}, routine[2] = {0x701, 0};
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        cm_board *board = machine_new("nrf52840");
        machine_code(board, CODE, loads[i].code, 2);
        machine_code(board, CODE + 0x80, other, 2);
        machine_code(board, 0x400, loads[i].code[1] == 0xf000 ? routine : stack, 2);
        cm_board_flash(board, 3, 0, true);
        board->core.cpacr = 0xf00000;
        uint64_t took[3];
        for (size_t k = 0; k < 3; k++) {
            if (k < 2) {
                board->core.r[0] = 0x500;
                (void)cycles(board, CODE + 0x80, 1);
            }
            board->core.r[0] = 0x400;
            took[k] = cycles(board, CODE, 1);
        }
        if (!CHECK(took[1] == took[2] + 3))
            fprintf(stderr, "%s: %llu and %llu cycles\n", loads[i].name,
                    (unsigned long long)took[1], (unsigned long long)took[2]);
        cm_board_free(board);
    }
}

/* The program's own switch, NVMC.ICACHECNF: off after a reset. */
static void nvmc(void)
{
    cm_board *board = machine_new("nrf52840");
    CHECK(board->v7m.timing.wait == 3 && board->v7m.timing.last_place == 0);
    CHECK(board->core.bus.write(board, 0x4001e540, 4, 1) && board->v7m.timing.last_place == 127);
    CHECK(board->core.bus.write(board, 0x4001e540, 4, 0) && board->v7m.timing.last_place == 0);
    cm_board_free(board);
}

int main(void)
{
    check_begin();
    instructions("cortex-m4-nows", true);
    instructions("cortex-m3-nows", false);
    far_ram("cortex-m4-nows");
    far_ram("cortex-m3-nows");
    cache();
    given_up();
    places();
    data();
    every_load();
    nvmc();
    return check_end();
}

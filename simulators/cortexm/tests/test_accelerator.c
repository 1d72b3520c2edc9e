/*
 * Flash accelerators of STM32 parts and a SAM3X8E: what their registers switch, and cycles of
 * fetches and loads. `fetch(line, at)` is the wait of a word in that line (8 bytes) which could be
 * decoded at `at`; `load` that of data.
 */
#include <stdio.h>

#include "../board/board.h"
#include "../core/internal.h"
#include "check.h"

enum {
    ACR = 0x40022000,
    F4_ACR = 0x40023c00,
    EEFC = 0x400e0a00,
    AHEAD = 1 << 8,
    CODE = 1 << 9,
    DATA = 1 << 10,
    EMPTY_CODE = 1 << 11,
    EMPTY_DATA = 1 << 12,
    WAIT = 4
};

static cm_board *board;
static uint64_t now;

static void set_at(uint32_t address, uint32_t control)
{
    CHECK(cm_store(&board->core, address, 4, control));
}

static void set(uint32_t control)
{
    set_at(ACR, control);
}

/* Everything empty, and a time at which nothing is under way. */
static void fresh_part(const char *part)
{
    cm_board_free(board);
    board = cm_board_new(cm_part_named(part));
    board->core.stack_limit = board->core.ram_base;
    sim_put32(board->core.flash, board->core.ram_base + board->core.ram_size);
    sim_put32(board->core.flash + 4, board->core.flash_base + 0x101);
    CHECK(cm_board_reset(board));
    now = 1000;
}

static void fresh(uint32_t control)
{
    fresh_part("stm32l4");
    set(control);
}

static unsigned fetch(uint32_t line, uint64_t at)
{
    return cm7_accelerated_fetch(board->v7m.accelerator, line << 3, at);
}

/* Long after everything before. */
static unsigned alone(uint32_t line)
{
    return fetch(line, now += 100);
}

static unsigned load(uint32_t line, uint64_t at)
{
    return cm7_accelerated_data(board->v7m.accelerator, line << 3, at);
}

static void registers(void)
{
    fresh(0);
    CHECK(cm_board_reset(board));
    const cm7_accelerator *is = board->v7m.accelerator;
    /* as after a reset */
    CHECK(is->wait == 0 && is->code.on && is->data.on && !is->reads_ahead);
    set(WAIT | AHEAD | CODE | DATA);
    CHECK(is->wait == WAIT && board->v7m.timing.wait == WAIT && is->code.on && is->data.on &&
          is->reads_ahead);
    set(2 | DATA);
    CHECK(is->wait == 2 && !is->code.on && is->data.on && !is->reads_ahead);
    board->no_cache = true;
    board->wait_states = 1;
    set(WAIT | AHEAD | CODE | DATA);
    CHECK(is->wait == 1 && !is->code.on && !is->data.on && is->reads_ahead);
}

static void cache_of_code(void)
{
    fresh(WAIT | CODE);
    CHECK(alone(100) == WAIT);
    CHECK(alone(100) == 0);
    CHECK(alone(101) == WAIT); /* the same line of the cache, another part of it */
    CHECK(alone(200) == WAIT && alone(100) == 0 && alone(101) == 0);
    set(WAIT | CODE | EMPTY_CODE); /* only while it is off */
    CHECK(alone(200) == 0);
    set(WAIT | EMPTY_DATA);
    /* off: the line of the last fetch is kept */
    CHECK(alone(100) == WAIT && alone(200) == WAIT && alone(100) == WAIT);
    set(WAIT | CODE);
    CHECK(alone(200) == 0); /* what was in it is in it */
    set(WAIT | EMPTY_CODE);
    set(WAIT | CODE);
    CHECK(alone(100) == WAIT && alone(200) == WAIT);
}

static void least_recently_used(void)
{
    fresh(WAIT | CODE);
    for (uint32_t i = 0; i < 32; i++) /* anywhere: lines 1 KB apart too */
        CHECK(alone(128 * i) == WAIT);
    CHECK(alone(0) == 0);
    CHECK(alone(4000) == WAIT); /* instead of the second */
    CHECK(alone(0) == 0 && alone(128 * 2) == 0);
    CHECK(alone(128) == WAIT && alone(128 * 3) == WAIT && alone(0) == 0);
}

/* A read of the array takes five cycles; the next line is read behind it, and comes when it is
 * there. */
static void reading_ahead(void)
{
    fresh(WAIT | AHEAD | CODE);
    /* in the array from 999 to 1003 */
    CHECK(fetch(10, 1000) == 4);
    /* straight code of 32 bits: 8 bytes in 5 cycles */
    CHECK(fetch(11, 1006) == 3 && fetch(12, 1011) == 3);
    /* it was there in time: not copied */
    CHECK(fetch(13, 1016) == 3 && fetch(14, 1100) == 0);
    /* read ahead again */
    CHECK(alone(10) == 0 && alone(11) == 0 && alone(12) == 0 && alone(13) == 0 && alone(14) == 0);
    set(WAIT | CODE);
    CHECK(alone(10) == 0 && alone(13) == 0 && alone(14) == WAIT);
    set(WAIT | AHEAD | CODE);
    CHECK(fetch(50, 3000) == 4 && fetch(90, 3005) == 4); /* what has not begun makes way */
    /* what has begun does not: 4004 to 4008 */
    CHECK(fetch(60, 4000) == 4 && fetch(80, 4006) == 4 + 4);
}

static void branches(void)
{
    fresh(WAIT | AHEAD | CODE);
    const uint64_t misses = board->core.misses;
    CHECK(alone(10) == WAIT && board->core.misses == misses + 1);
    CHECK(fetch(20, 2000) == 4);
    /* its address phase is too late: nothing has changed */
    cm7_accelerated_branch(board->v7m.accelerator, 2000);
    CHECK(board->core.misses == misses + 1 && alone(11) == 0);
    CHECK(fetch(30, 3000) == 4);
    /* given up; the array reads it from 2999 to 3003 all the same */
    cm7_accelerated_branch(board->v7m.accelerator, 3003);
    CHECK(fetch(10, 3003) == 0 && alone(30) == 0);
    CHECK(fetch(40, 4000) == 4);
    cm7_accelerated_branch(board->v7m.accelerator, 4003);
    CHECK(fetch(40, 4003) == 1); /* the same line again: comes when it would have come */
    CHECK(fetch(50, 5000) == 4);
    cm7_accelerated_branch(board->v7m.accelerator, 5003);
    CHECK(fetch(60, 5003) == 2 + 4); /* another one behind it */
}

static void data(void)
{
    fresh(WAIT | AHEAD | CODE | DATA);
    CHECK(load(500, 1000) == 4 && load(500, 1010) == 0);
    for (uint32_t i = 0; i < 8; i++)
        CHECK(load(4 * i, 1100 + 100 * i) == 4);
    CHECK(load(0, 2000) == 0 && load(500, 2100) == 4 && load(0, 2200) == 0 && load(4, 2300) == 4);
    /* behind the read of line 11, 3004 to 3008 */
    CHECK(fetch(10, 3000) == 4 && load(600, 3004) == 4 + 4);
    /* before the one of line 21, which starts at 4009 */
    CHECK(fetch(20, 4000) == 4 && load(700, 4002) == 4 + 1);
    CHECK(fetch(21, 4006) == 8);
    set(WAIT | AHEAD | CODE);
    /* one read is kept */
    CHECK(load(0, 5000) == 4 && load(0, 5100) == 0 && load(4, 5200) == 4 && load(0, 5300) == 4);
    set(AHEAD | CODE | DATA);
    CHECK(load(900, 6000) == 0);
}

/* A loop of 32 instructions of 32 bits and a branch: 17 lines, in cycles from one first instruction
 * to the next. */
static void loops(void)
{
    static const struct {
        uint32_t control;
        unsigned first, again;
    } rows[] = {
        {AHEAD | CODE | DATA, 33, 34},
        /* five cycles a line at first; then all are in the cache */
        {WAIT | AHEAD | CODE, 86, 34},
        {WAIT | CODE, 101, 34}, /* six: two to execute it, four of waiting */
        {WAIT | AHEAD, 86, 90},
        {WAIT, 101, 102},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        fresh(rows[k].control);
        cm_core *core = &board->core;
        for (uint32_t i = 0; i < 32; i++) {
            sim_put16(core->flash + 0x200 + 4 * i, 0xea84); /* eor.w r4, r4, r5 */
            sim_put16(core->flash + 0x202 + 4 * i, 0x0405);
        }
        sim_put16(core->flash + 0x280, 0xf7ff); /* b.w to the first */
        sim_put16(core->flash + 0x282, 0xbfbe);
        core->r[CM_PC] = core->flash_base + 0x200;
        for (unsigned round = 0; round < 2; round++) {
            const uint64_t before = core->cycles;
            for (unsigned steps = 0; steps < 33; steps++)
                CHECK(cm_core_run(core, core->cycles + 1) == CM_DEADLINE);
            CHECK(core->r[CM_PC] == core->flash_base + 0x200);
            if (!CHECK(core->cycles - before == (round == 0 ? rows[k].first : rows[k].again)))
                fprintf(stderr, "row %zu: %llu cycles\n", k,
                        (unsigned long long)(core->cycles - before));
        }
    }
}

/* --- STM32F407: RM0090, 3.5.2 and 3.9.1 ------------------------------------------------------- */

static unsigned word(uint32_t address, uint64_t at)
{
    return cm7_accelerated_fetch(board->v7m.accelerator, address, at);
}

static void fresh_f4(uint32_t control)
{
    fresh_part("stm32f407");
    set_at(F4_ACR, control);
}

static void f4_registers(void)
{
    fresh_part("stm32f407");
    const cm7_accelerator *is = board->v7m.accelerator;
    CHECK(is->wait == 0 && !is->code.on && !is->data.on && !is->reads_ahead);
    set_at(F4_ACR, 5 | AHEAD | CODE | DATA);
    CHECK(is->wait == 5 && is->code.on && is->data.on && is->reads_ahead);
    set_at(F4_ACR, 5 | CODE);
    CHECK(is->code.on && !is->data.on && !is->reads_ahead);
}

/* 64 lines of 128 bits for code and 8 for data: the one used least recently makes room. */
static void f4_caches(void)
{
    fresh_f4(5 | CODE | DATA);
    for (uint32_t i = 0; i < 64; i++)
        CHECK(word(16 * i, now += 100) == 5);
    for (uint32_t i = 0; i < 64; i++)
        CHECK(word(16 * i + 4, now += 100) == 0);
    CHECK(word(0x4000, now += 100) == 5 && word(16, now += 100) == 0 && word(0, now += 100) == 5);
    for (uint32_t i = 0; i < 8; i++)
        CHECK(cm7_accelerated_data(board->v7m.accelerator, 0x8000 + 16 * i, now += 100) == 5);
    /* a literal beside another one; code of the same line is another cache's */
    CHECK(cm7_accelerated_data(board->v7m.accelerator, 0x800c, now += 100) == 0);
    CHECK(word(0x8000, now += 100) == 5);
    CHECK(cm7_accelerated_data(board->v7m.accelerator, 0x9000, now += 100) == 5);
    CHECK(cm7_accelerated_data(board->v7m.accelerator, 0x8000, now += 100) == 0);
    CHECK(cm7_accelerated_data(board->v7m.accelerator, 0x8010, now += 100) == 5);
}

/* A line is used up with its last word: the array is never idle then, one line in six cycles. */
static void f4_ahead(void)
{
    fresh_f4(5 | AHEAD);
    CHECK(word(0x100, 1000) == 5); /* read from 999 to 1004, the next one to 1010 */
    CHECK(word(0x10c, 1008) == 0);
    /* in time; and the one behind it was begun at 1011, not when this one was asked for */
    CHECK(word(0x110, 1020) == 0 && word(0x11c, 1023) == 0);
    CHECK(word(0x120, 1024) == 0);
    /* without its last word, the next line is begun with the first */
    fresh_f4(5 | AHEAD);
    CHECK(word(0x100, 1000) == 5 && word(0x110, 1020) == 0 && word(0x120, 1024) == 1);
    /* a branch over lines: neither kept nor read ahead */
    CHECK(word(0x400, 2000) == 5 && word(0x100, 3000) == 5);
    set_at(F4_ACR, 5);
    CHECK(word(0x200, 4000) == 5 && word(0x20c, 4010) == 0 && word(0x210, 4100) == 5);
}

/* --- STM32F103: PM0075, 2.2: two lines of 64 bits, no cache ----------------------------------- */

static void f1_buffer(void)
{
    enum { F1_AHEAD = 1 << 4 };
    fresh_part("stm32f103");
    const cm7_accelerator *is = board->v7m.accelerator;
    uint32_t control = 0;
    CHECK(cm_load(&board->core, ACR, 4, &control) && control == 0x30 && is->reads_ahead);
    set(2 | F1_AHEAD);
    CHECK(is->wait == 2 && is->reads_ahead && !is->code.on && !is->data.on);
    /* behind a pause a read takes three cycles more, to 1002; then the next one, to 1005 */
    CHECK(word(0x100, 998) == 2 + 3 && word(0x104, 1004) == 0);
    CHECK(word(0x108, 1005) == 1 && word(0x10c, 1007) == 0 && word(0x110, 1008) == 1);
    /* a cycle without a fetch: the line ahead, 1009 to 1011, is read to its end and again */
    CHECK(word(0x114, 1010) == 0 && word(0x118, 1013) == 2 + 3);
    /* the current one stays */
    CHECK(word(0x11c, 1030) == 0 && word(0x120, 1060) == 2 + 3);
    CHECK(word(0x200, 1100) == 2 + 3 && word(0x100, 2000) == 2 + 3);
    /* no pause; a line that is on its way is read to its end, 2007 */
    CHECK(word(0x104, 2006) == 0 && word(0x300, 2007) == 2 + 2);
    CHECK(cm7_accelerated_data(board->v7m.accelerator, 0x300, 3000) == 2);
    CHECK(cm7_accelerated_data(board->v7m.accelerator, 0x304, 3100) == 0);
    set(2);
    CHECK(cm_load(&board->core, ACR, 4, &control) && control == 2 && !is->reads_ahead);
    CHECK(word(0x400, 4000) == 2 && word(0x404, 4003) == 0 && word(0x408, 4100) == 2);
    set(F1_AHEAD);
    CHECK(is->wait == 0 && word(0x500, 5000) == 0);
}

/* --- SAM3X8E: lines of 128 bits, behind a bus without a default master ------------------------ */

static void sam_bus(void)
{
    fresh_part("sam3x8e");
    set_at(EEFC, 4 << 8);
    cm7_accelerator *is = board->v7m.accelerator;
    CHECK(is->wait == 4 && is->reads_ahead && !is->code.on && !is->data.on);
    /* the bus connects, then a read from 1000 to 1004; the next one to 1009, as the core waited */
    CHECK(word(0x100, 1000) == 1 + 4 && word(0x104, 1006) == 0);
    /* a cycle without a transfer, in a line that is there */
    CHECK(word(0x108, 1008) == 1 && word(0x10c, 1010) == 0 && word(0x110, 1011) == 0);
    /* data come over the same bus, and keep it connected */
    CHECK(cm7_accelerated_data(is, 0x200, 1020) == 1 + 4);
    CHECK(cm7_accelerated_data(is, 0x204, 1026) == 0);
    CHECK(cm7_accelerated_data(is, 0x208, 1040) == 1 && word(0x114, 1044) == 0);
    /* a branch gives up the fetch for which the bus connects: it was no miss, and its line stays */
    const uint64_t misses = board->core.misses;
    CHECK(word(0x118, 1050) == 1);
    cm7_accelerated_branch(is, 1051);
    CHECK(board->core.misses == misses);
    CHECK(word(0x114, 1052) == 0 && board->core.misses == misses);
    set_at(EEFC, 0);
    CHECK(word(0x300, 2000) == 0 && cm7_accelerated_data(is, 0x400, 3000) == 0);
}

/* 16 words of 32-bit instructions and a branch back, in cycles from one first instruction to the
 * next: 17 words are 5 lines of 128 bits or 9 of 64. */
static void f_loops(void)
{
    static const struct {
        const char *part;
        uint32_t acr, control;
        unsigned first, again;
    } rows[] = {
        {"stm32f407", F4_ACR, 0, 17, 18},
        /* five lines, six cycles each; then all are in the cache */
        {"stm32f407", F4_ACR, 5 | AHEAD | CODE, 30, 18},
        {"stm32f103", ACR, 0, 17, 18},
        /* nine, three cycles each; from the second round on, the line behind the branch is read to
         * its end first. 30 cycles are published of such a loop: setDecKey of
         * docs/evidence/tables/published_stm32f.txt, 36 and 52 rounds. The first fetch is behind a
         * pause. */
        {"stm32f103", ACR, 2 | 1 << 4, 30, 30},
        /* five, five cycles each, behind a cycle in which the bus connects; then the line behind
         * the branch is read to its end first */
        {"sam3x8e", EEFC, 4 << 8, 26, 30},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        fresh_part(rows[k].part);
        set_at(rows[k].acr, rows[k].control);
        cm_core *core = &board->core;
        core->cycles = 100;
        for (uint32_t i = 0; i < 16; i++) {
            sim_put16(core->flash + 0x200 + 4 * i, 0xea84); /* eor.w r4, r4, r5 */
            sim_put16(core->flash + 0x202 + 4 * i, 0x0405);
        }
        sim_put16(core->flash + 0x240, 0xf7ff); /* b.w to the first */
        sim_put16(core->flash + 0x242, 0xbfde);
        core->r[CM_PC] = core->flash_base + 0x200;
        for (unsigned round = 0; round < 3; round++) {
            const uint64_t before = core->cycles;
            for (unsigned steps = 0; steps < 17; steps++)
                CHECK(cm_core_run(core, core->cycles + 1) == CM_DEADLINE);
            CHECK(core->r[CM_PC] == core->flash_base + 0x200);
            if (!CHECK(core->cycles - before == (round == 0 ? rows[k].first : rows[k].again)))
                fprintf(stderr, "part %s, row %zu: %llu cycles\n", rows[k].part, k,
                        (unsigned long long)(core->cycles - before));
        }
    }
}

/* A store of four registers, five cycles, before the branch: it waits in the decoder and asks for
 * its target; without wait states, that comes no earlier. */
static void f1_target(void)
{
    static const struct {
        uint32_t control;
        unsigned again;
    } rows[] = {{0, 23}, {2 | 1 << 4, 30}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        fresh_part("stm32f103");
        set(rows[k].control);
        cm_core *core = &board->core;
        core->cycles = 100;
        for (uint32_t i = 0; i < 16; i++) {
            sim_put16(core->flash + 0x200 + 4 * i, 0xea84); /* eor.w r4, r4, r5 */
            sim_put16(core->flash + 0x202 + 4 * i, 0x0405);
        }
        sim_put16(core->flash + 0x240, 0xc03c); /* stmia r0!, {r2-r5} */
        sim_put16(core->flash + 0x242, 0xe7dd); /* b to the first */
        core->r[0] = core->ram_base;
        core->r[CM_PC] = core->flash_base + 0x200;
        for (unsigned round = 0; round < 3; round++) {
            const uint64_t before = core->cycles;
            for (unsigned steps = 0; steps < 18; steps++)
                CHECK(cm_core_run(core, core->cycles + 1) == CM_DEADLINE);
            CHECK(core->r[CM_PC] == core->flash_base + 0x200);
            if (round > 0 && !CHECK(core->cycles - before == rows[k].again))
                fprintf(stderr, "row %zu: %llu cycles\n", k,
                        (unsigned long long)(core->cycles - before));
        }
    }
}

int main(void)
{
    check_begin();
    registers();
    cache_of_code();
    least_recently_used();
    reading_ahead();
    branches();
    data();
    loops();
    f4_registers();
    f4_caches();
    f4_ahead();
    f1_buffer();
    sam_bus();
    f_loops();
    f1_target();
    cm_board_free(board);
    return check_end();
}

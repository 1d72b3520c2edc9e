/*
 * The port and the flash of the SAM D21 with one wait state: cycles worked out by hand from the
 * rules of docs/explain/cortexm.md. Lines are 8 bytes. Every case begins with an empty cache and
 * its first line fetched, as machine_at and a warm-up leave it.
 */
#include <stdio.h>

#include "../core/internal.h"
#include "check.h"
#include "machine.h"

enum { NOP = 0xbf00, LINE = 8 };

static cm_board *board;

static void one_wait_state(void)
{
    cm_board_flash(board, 1, 0, true);
}

static void place(uint32_t at, const uint16_t *code, size_t count)
{
    machine_code(board, at, code, count);
}
#define PLACE(at, ...) \
    place(at, (const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / 2)

static void hold(uint32_t address) /* its line is in the cache */
{
    board->v6m.tags[CM6_SLOT_LINE + (address >> 3) % CM6_FLASH_LINES] = address >> 3;
}

static uint64_t cycles(uint32_t at, unsigned steps)
{
    board->core.r[CM_PC] = at;
    return machine_steps(board, steps);
}

static void straight_code(void)
{
    for (uint32_t i = 0; i < 32; i++)
        PLACE(CODE + 2 * i, NOP);
    const uint64_t misses = board->core.misses;
    machine_at(board, CODE);
    hold(CODE);
    CHECK(cycles(CODE, 2) == 2);     /* the word behind is in the same line */
    CHECK(cycles(CODE + 4, 1) == 2); /* fetches the next line */
    CHECK(cycles(CODE + 6, 2) == 2); /* that line is here by now */
    machine_at(board, CODE);
    hold(CODE);
    /* 4 more lines: each behind its predecessor's third instruction */
    CHECK(cycles(CODE, 16) == 16 + 4);
    CHECK(cycles(CODE, 16) == 16); /* and then they hit */
    CHECK(board->core.misses - misses == 5);
}

/* Lines 64 bytes apart share a place. */
static void conflicts(void)
{
    /* B to CODE + 0x44, whose line displaces that of CODE */
    PLACE(CODE, NOP, NOP, NOP, 0xe01d);
    PLACE(CODE + 0x40, NOP, NOP, 0xe7dc, NOP); /* B to CODE */
    machine_at(board, CODE);
    hold(CODE);
    (void)cycles(CODE, 6);
    /* the first branch misses right behind the hit of what it fetched in vain */
    for (unsigned i = 0; i < 3; i++)
        CHECK(cycles(CODE, 5) == 3 + (2 + 2) + (2 + 1));
}

static void branches(void)
{
    PLACE(CODE, NOP, NOP, 0xe01c, NOP); /* lower halfword: B to CODE + 0x40 */
    PLACE(CODE + 0x40, NOP, NOP, NOP, NOP);
    machine_at(board, CODE);
    hold(CODE);
    hold(CODE + 0x40);
    CHECK(cycles(CODE + 4, 1) == 2); /* fetches nothing in vain: the next line stays out */
    CHECK(board->v6m.tags[CM6_SLOT_LINE + (CODE / LINE + 1) % CM6_FLASH_LINES] != CODE / LINE + 1);
    PLACE(CODE, NOP, NOP, NOP, 0xe01b); /* upper halfword, the last of its line */
    machine_at(board, CODE);
    hold(CODE);
    hold(CODE + 0x40);
    CHECK(cycles(CODE + 4, 2) == 1 + 1 + 2); /* the line behind is fetched in vain */
    CHECK(board->v6m.tags[CM6_SLOT_LINE + (CODE / LINE + 1) % CM6_FLASH_LINES] == CODE / LINE + 1);
    machine_at(board, CODE);
    hold(CODE);
    hold(CODE + 8);
    /* it hits in vain; the target misses right behind: two waits */
    CHECK(cycles(CODE + 4, 2) == 1 + 2 + 2);
    machine_at(board, CODE);
    hold(CODE);
    CHECK(cycles(CODE + 4, 2) == 1 + 1 + 2 + 1); /* behind a miss there is one */
    /* upper halfword in the middle of a line: fetches its own in vain */
    PLACE(CODE, NOP, 0xe01d, NOP, NOP);
    machine_at(board, CODE);
    hold(CODE);
    CHECK(cycles(CODE, 2) == 1 + 2 + 1);
    PLACE(CODE, NOP, NOP, 0xd01c, NOP); /* BEQ, not taken */
    machine_at(board, CODE);
    hold(CODE);
    cm_core_set_apsr(&board->core, 0);
    CHECK(cycles(CODE + 4, 1) == 2); /* fetches ahead as any other */
}

/* A target in the last halfword of a line: its word, and the one behind, in the cycles of the
 * branch. */
static void upper_targets(void)
{
    PLACE(CODE, 0xe021, NOP, NOP, NOP); /* B to CODE + 0x46 */
    PLACE(CODE + 0x40, NOP, NOP, NOP, NOP, NOP, NOP);
    machine_at(board, CODE);
    hold(CODE + 0x40);
    hold(CODE + 0x48);
    CHECK(cycles(CODE, 1) == 2);
    machine_at(board, CODE);
    hold(CODE + 0x48);
    CHECK(cycles(CODE, 1) == 3);
    machine_at(board, CODE);
    hold(CODE + 0x40);
    CHECK(cycles(CODE, 1) == 4); /* the second misses right behind a hit */
    machine_at(board, CODE);
    CHECK(cycles(CODE, 1) == 4); /* both miss */
    /* B to CODE + 6: in the line that was fetched from last */
    PLACE(CODE, NOP, 0xe000, NOP, NOP);
    machine_at(board, CODE);
    hold(CODE);
    /* the line behind misses, and nothing else was being read */
    CHECK(cycles(CODE, 2) == 1 + 2 + 1);
}

static void data(void)
{
    uint32_t *r = board->core.r;
    PLACE(CODE, NOP, 0x6801, NOP, NOP); /* LDR r1, [r0] */
    r[0] = CODE + 0x210;
    machine_at(board, CODE);
    hold(CODE);
    CHECK(cycles(CODE, 2) == 1 + 3);
    CHECK(cycles(CODE, 2) == 1 + 3); /* data brings no line in */
    hold(CODE + 0x210);
    CHECK(cycles(CODE, 2) == 1 + 2);
    r[0] = DATA;
    CHECK(cycles(CODE, 2) == 1 + 2);
    r[0] = CODE + 0x210;
    PLACE(CODE, NOP, NOP, NOP, 0x6801);
    machine_at(board, CODE);
    hold(CODE);
    hold(CODE + 8);
    CHECK(cycles(CODE + 4, 2) == 1 + 4); /* right behind a fetch that hit in another line */
    PLACE(CODE, NOP, NOP, 0x6801, NOP);
    machine_at(board, CODE);
    hold(CODE);
    /* the load, then the fetch of the next line: both miss */
    CHECK(cycles(CODE + 4, 1) == 2 + 1 + 1);
    machine_at(board, CODE);
    hold(CODE);
    hold(CODE + 0x210);
    CHECK(cycles(CODE + 4, 1) == 2 + 2); /* the fetch right behind the load's hit */
    PLACE(CODE, NOP, 0xc81e, NOP, NOP);  /* LDM r0!, {r1-r4}: two lines */
    machine_at(board, CODE);
    hold(CODE);
    CHECK(cycles(CODE, 2) == 1 + 5 + 2);
    CHECK(r[0] == CODE + 0x220);
}

/* A load in a lower halfword: the fetch of the next word comes right behind it. */
static void behind_data(void)
{
    uint32_t *r = board->core.r;
    PLACE(CODE, 0x6801, NOP, NOP, NOP); /* LDR r1, [r0], the first of its line */
    machine_at(board, CODE);
    hold(CODE);
    r[0] = CODE + 0x210;
    /* behind a miss it waits, although its line is here */
    CHECK(cycles(CODE, 1) == 2 + 1 + 1);
    CHECK(cycles(CODE, 2) == 2 + 1 + 1 + 1);
    r[0] = DATA;
    CHECK(cycles(CODE, 1) == 2);
    r[0] = CODE + 0x210;
    hold(CODE + 0x210);
    CHECK(cycles(CODE, 1) == 2);
    PLACE(CODE, 0x4983, NOP, NOP, NOP); /* LDR r1, [pc, #524] */
    machine_at(board, CODE);
    hold(CODE);
    hold(CODE + 0x210);
    CHECK(cycles(CODE, 1) == 2);
    hold(CODE + 0x250); /* where the literal's line was */
    CHECK(cycles(CODE, 1) == 2 + 1 + 1);
    /* LDM r0!, {r1-r3}: the last word is the first of its line */
    PLACE(CODE, 0xc80e, NOP, NOP, NOP);
    machine_at(board, CODE);
    hold(CODE);
    CHECK(cycles(CODE, 1) == 4 + 2 + 1);
    /* LDM r0!, {r1-r4}: the last word came with the one before */
    PLACE(CODE, 0xc81e, NOP, NOP, NOP);
    machine_at(board, CODE);
    hold(CODE);
    r[0] = CODE + 0x210;
    CHECK(cycles(CODE, 1) == 5 + 2);
}

static void settings(void)
{
    for (uint32_t i = 0; i < 32; i++)
        PLACE(CODE + 2 * i, NOP);
    cm_board_flash(board, 1, 0, false); /* without the cache each word waits */
    CHECK(cycles(CODE, 8) == 8 + 4);
    cm_board_flash(board, 2, 0, true);
    hold(CODE);
    CHECK(cycles(CODE, 8) == 8 + 2 * 2);
    cm_board_flash(board, 1, 1, true); /* LOW_POWER */
    hold(CODE);
    CHECK(cycles(CODE, 8) == 8 + 2 * 2);
    cm_board_flash(board, 0, 0, true);
    CHECK(cycles(CODE, 8) == 8);
    board->wait_states = 1;
    board->no_cache = true;
    cm_board_flash(board, 0, 0, true); /* the command line overrides */
    CHECK(cycles(CODE, 8) == 8 + 4);
    board->wait_states = -1;
    board->no_cache = false;
    one_wait_state();
}

static void ram_beside(void)
{
    const uint16_t code[] = {NOP, NOP, NOP, NOP, NOP, NOP, 0xe7f8};
    machine_code(board, DATA, code, 7);
    machine_at(board, DATA);
    CHECK(cycles(DATA, 7) == 8 && board->core.r[CM_PC] == DATA);
}

int main(void)
{
    check_begin();
    board = machine_new("samd21g18a");
    one_wait_state();
    straight_code();
    conflicts();
    branches();
    upper_targets();
    data();
    behind_data();
    settings();
    ram_beside();
    cm_board_free(board);
    return check_end();
}

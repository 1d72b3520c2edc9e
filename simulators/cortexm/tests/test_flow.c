/*
 * Flow of secrets on ARMv6-M, against brute force: random programs run with random secret bits,
 * then again with some of those bits turned. What differs then must have been found: bits of
 * registers, flags and memory in the shadow, the way of execution and the time as findings.
 *
 *   test-cortexm-flow [programs] [seed]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/internal.h"
#include "../core/watch.h"
#include "check.h"
#include "generate.h"
#include "machine.h"

enum {
    PROGRAMS = 20000,
    LONGEST = 16,
    TURNS = 6,
    WINDOW = DATA,
    WINDOW_BYTES = 0x200,
    TABLE = 0x400,
    TABLE_BYTES = 0x400,
    CODE_BYTES = 0x80
};

static cm_board *board;
static sh_shadow *shadow;
static sim_program nothing;
static uint32_t state;

/* Everything that a program starts from. */
static cm6_core start;
static uint8_t *start_ram;

/* A run: where it went, and how long it took. */
typedef struct way {
    uint32_t pc[LONGEST + 1];
    unsigned steps;
    uint64_t cycles;
} way;

static uint32_t number(uint32_t below)
{
    return random_below(&state, below);
}

static uint32_t any(void)
{
    return number(0x10000) << 16 | number(0x10000);
}

/* --- programs --------------------------------------------------------------------------------- */

static uint32_t random_value(void)
{
    static const uint32_t corners[] = {
        0,          1,          2,          4,      31,     32,         0xff,      0x100,
        0x7fffffff, 0x80000000, 0xffffff00, 0xffff, 0xfffe, 0xffffffff, 0x80000001};
    switch (number(6)) {
    case 0:
        return corners[number(sizeof corners / sizeof corners[0])];
    case 1:
        return number(64);
    case 2:
        return TABLE + number(TABLE_BYTES / 2);
    case 3:
    case 4:
        return (WINDOW + number(WINDOW_BYTES / 2)) & ~(number(2) == 0 ? 3u : 1u);
    default:
        return any();
    }
}

static uint32_t halfword(void)
{
    static const uint16_t extensions[] = {0xb200, 0xb240, 0xb280, 0xb2c0, 0xba00, 0xba40, 0xbac0};
    switch (number(12)) {
    case 0:
    case 1:
    case 2:
        return number(0x4000); /* shifts, sums, moves */
    case 3:
    case 4:
    case 5:
        return 0x4000 | number(0x400);
    case 6: { /* high registers, none of them PC */
        const uint32_t d = number(15), m = number(15), op = number(3);
        if (op == 1 && d < 8 && m < 8)
            return 0x46c0;
        return 0x4400 | op << 8 | (d & 8) << 4 | m << 3 | (d & 7);
    }
    case 7:
        return extensions[number(7)] | number(64);
    case 8:
        return 0x5000 | number(0x1000);
    case 9:
        return 0x6000 | number(0x4000);
    case 10:
        switch (number(4)) {
        case 0:
            return 0xb400 | (1 + number(255));
        case 1:
            return 0xbc00 | (1 + number(255));
        case 2:
            return 0xa000 | number(0x1000);
        default:
            return 0xc000 | number(16) << 8 | (1 + number(255));
        }
    default:
        return number(2) == 0 ? 0xd000 | number(14) << 8 | number(4)  /* onwards */
                              : 0x4800 | number(8) << 8 | number(16); /* a literal */
    }
}

static void make_program(void)
{
    cm_core *core = &board->core;
    for (uint32_t at = 0; at < CODE_BYTES; at += 2) {
        if (number(16) == 0 && at + 4 <= CODE_BYTES) { /* MSR APSR, MRS */
            const uint32_t reg = number(8);
            sim_put32(core->flash + CODE + at,
                      number(2) == 0 ? 0x8800f380 | reg : 0x8000f3ef | reg << 24);
            at += 2;
        } else {
            sim_put16(core->flash + CODE + at, halfword());
        }
    }
    for (uint32_t at = 0; at < TABLE_BYTES; at += 4)
        sim_put32(core->flash + TABLE + at, any());
    for (uint32_t at = 0; at < WINDOW_BYTES; at += 4)
        sim_put32(core->ram + (WINDOW - core->ram_base) + at, random_value());
    const bool cached = number(2) == 0;
    cm6_set_flash(&board->v6m, (cm6_flash_timing){.miss = (uint16_t)number(3), .cached = cached});
    if (!cached)
        board->v6m.timing.hit = board->v6m.timing.miss;
    for (unsigned reg = 0; reg < 15; reg++)
        core->r[reg] = random_value();
    core->r[CM_SP] = (WINDOW + WINDOW_BYTES / 2 + number(64)) & ~3u;
    core->r[CM_PC] = CODE;
    cm_core_set_apsr(core, any());
    core->stack_low = core->stack_limit = 0; /* no stack is too deep */
    core->cycles = 0;
    board->v6m.hit_end = board->v6m.miss_end = 0;
    /* only this code is decoded again: to forget all takes longer than the program */
    core->flush = false;
    memset(board->v6m.flash_ops + CODE / 2, 0, CODE_BYTES / 2 * sizeof *board->v6m.flash_ops);
    start = board->v6m;
    memcpy(start_ram, core->ram, core->ram_size);
}

/* --- runs ------------------------------------------------------------------------------------- */

static void restart(bool watched)
{
    board->v6m = start;
    board->core.instructions = watched ? &cm6_watched : &cm6_instructions;
    memcpy(board->core.ram, start_ram, board->core.ram_size);
}

static way run(unsigned most)
{
    way w = {.steps = 0};
    cm_core *core = &board->core;
    while (w.steps < most) {
        w.pc[w.steps] = core->r[CM_PC];
        if (core->r[CM_PC] - CODE >= CODE_BYTES - 4 ||
            cm_core_run(core, core->cycles + 1) != CM_DEADLINE)
            break;
        w.steps++;
    }
    w.pc[w.steps] = core->r[CM_PC];
    w.cycles = core->cycles;
    return w;
}

/* --- secrets ---------------------------------------------------------------------------------- */

typedef struct secrets {
    uint32_t r[15], flags;
    uint8_t memory[WINDOW_BYTES];
} secrets;

static uint32_t random_bits(void)
{
    switch (number(5)) {
    case 0:
        return 0xffffffff;
    case 1:
        return 1u << number(32);
    case 2:
        return 0xffu << 8 * number(4);
    case 3:
        return any() & any();
    default:
        return 1;
    }
}

static secrets choose(void)
{
    secrets chosen = {.flags = number(3) == 0 ? number(16) << 28 : 0};
    for (unsigned reg = 0; reg < 13; reg++)
        chosen.r[reg] = number(3) == 0 ? random_bits() : 0;
    if (number(2) == 0) {
        for (uint32_t at = 0; at < WINDOW_BYTES; at += 4)
            sim_put32(chosen.memory + at, number(3) == 0 ? random_bits() : 0);
    }
    return chosen;
}

static void mark(const secrets *chosen)
{
    cm_watch *watch = board->core.watch;
    sh_begin(shadow);
    shadow->cleared = false;
    shadow->finding_count = 0;
    memset(shadow->findings, 0, sizeof shadow->findings);
    /* a reason for all of them */
    sh_make_secret(shadow, WINDOW, WINDOW_BYTES, 0, 0);
    memcpy(shadow->bits + (WINDOW - board->core.ram_base), chosen->memory, WINDOW_BYTES);
    const sh_why why = shadow->why[WINDOW - board->core.ram_base];
    memset(watch->secret, 0, sizeof watch->secret);
    for (unsigned reg = 0; reg < 15; reg++) {
        watch->secret[reg] = chosen->r[reg];
        watch->why[reg] = why;
    }
    cm_set_flags_secret(watch, chosen->flags, why);
    watch->flags = why;
}

/* Turns some of the secret bits: one of a register or a word, or any number of them. */
static void turn(const secrets *chosen)
{
    cm_core *core = &board->core;
    const bool sparse = number(2) == 0;
    uint32_t flags = chosen->flags & (sparse ? number(16) << 28 : 0xf0000000u);
    for (unsigned reg = 0; reg < 15; reg++) {
        const uint32_t bits = sparse ? 1u << number(32) : any();
        core->r[reg] ^= chosen->r[reg] & bits;
    }
    for (uint32_t at = 0; at < WINDOW_BYTES; at++)
        core->ram[WINDOW - core->ram_base + at] ^= chosen->memory[at] & (uint8_t)any();
    cm_core_set_apsr(core, cm_core_apsr(core) ^ flags);
}

/* --- what must hold --------------------------------------------------------------------------- */

static bool has(sh_kind kind)
{
    for (size_t i = 0; i < SH_FINDINGS; i++)
        if (shadow->findings[i].count != 0 && shadow->findings[i].kind == kind)
            return true;
    return false;
}

static bool any_waits(void)
{
    for (size_t i = 0; i < SH_FINDINGS; i++)
        if (shadow->findings[i].count != 0 && shadow->findings[i].waits)
            return true;
    return false;
}

typedef struct finished {
    cm_core core;
    cm_watch watch;
    uint8_t *ram;
    way way;
} finished;

static bool same_way(const way *a, const way *b)
{
    return a->steps == b->steps && memcmp(a->pc, b->pc, (a->steps + 1) * sizeof a->pc[0]) == 0;
}

/* Does everything that differs from that run have a shadow? */
static bool shadowed(const finished *base, const way *now)
{
    const cm_core *core = &board->core;
    bool good = true;
    if (now->cycles != base->way.cycles)
        good = any_waits();
    if (has(SH_STORE)) /* elsewhere than where it was followed */
        return good;
    for (unsigned reg = 0; reg < 15; reg++)
        good = good && ((core->r[reg] ^ base->core.r[reg]) & ~base->watch.secret[reg]) == 0;
    good = good && (((cm_core_apsr(core) ^ cm_core_apsr(&base->core)) & 0xf0000000u) &
                    ~cm_flags_secret(&base->watch)) == 0;
    if (memcmp(core->ram, base->ram, core->ram_size) == 0)
        return good;
    for (uint32_t at = 0; at < core->ram_size; at++)
        good = good && ((core->ram[at] ^ base->ram[at]) & ~shadow->bits[at]) == 0;
    return good;
}

static void show(void)
{
    for (uint32_t at = 0; at < 2 * LONGEST; at += 2)
        fprintf(stderr, "%04x ", (unsigned)sim_get16(board->core.flash + CODE + at));
    fputc('\n', stderr);
}

static unsigned one_program(finished *base)
{
    unsigned turned = 0;
    make_program();
    restart(false);
    const unsigned steps = run(LONGEST).steps; /* as far as it comes without a fault */
    const secrets chosen = choose();
    restart(true);
    mark(&chosen);
    base->way = run(steps);
    base->core = board->core;
    base->watch = *board->core.watch;
    memcpy(base->ram, board->core.ram, board->core.ram_size);
    CHECK(base->way.steps == steps);
    for (unsigned i = 0; i < TURNS && steps > 0; i++) {
        restart(false);
        turn(&chosen);
        const way now = run(steps);
        const bool good =
            same_way(&now, &base->way) ? shadowed(base, &now) : shadow->finding_count > 0;
        if (!good)
            show();
        CHECK(good);
        turned++;
    }
    return turned;
}

/* --- single instructions ---------------------------------------------------------------------- */

typedef struct rule {
    uint16_t code; /* on r0, r1 and r2 */
    uint32_t values[3], secrets[3];
    uint32_t result; /* secret bits of r0 afterwards */
    uint32_t flags;  /* N, Z, C, V in the lowest bits */
} rule;

/* Bits that are no secret must not be called one: no false alarm. */
static const rule rules[] = {
    {0x4008, {0xffffffff, 0x0f, 0}, {0xff, 0, 0}, 0x0f, 4},           /* ANDS: no bit is sure */
    {0x4008, {0xffffffff, 0x100, 0}, {0xff, 0, 0}, 0, 0},             /* ANDS */
    {0x4308, {0, 0xffffffff, 0}, {0xff, 0, 0}, 0, 0},                 /* ORRS */
    {0x4040, {5, 0, 0}, {0xff, 0, 0}, 0, 0},                          /* EORS r0, r0 */
    {0x4048, {5, 3, 0}, {0xf0, 0x0f, 0}, 0xff, 4},                    /* EORS */
    {0x1888, {0, 0x100, 0x10}, {0, 0x0f, 0}, 0x0f, 0},                /* ADDS: no carry leaves */
    {0x1888, {0, 0x0f, 1}, {0, 0x0f, 0}, 0x1f, 4},                    /* ADDS: one does */
    {0x1a48, {0, 0x100, 0}, {0, 0xff, 0}, 0, 0},                      /* SUBS r0, r1, r1 */
    {0x0208, {0, 0xff, 0}, {0, 0xff, 0}, 0xff00, 4},                  /* LSLS r0, r1, #8 */
    {0x0a08, {0, 0xff, 0}, {0, 0xff, 0}, 0, 2},                       /* LSRS r0, r1, #8 */
    {0x1608, {0, 0x80000000, 0}, {0, 0x80000000, 0}, 0xffffff80, 12}, /* ASRS r0, r1, #24 */
    {0x4348, {0x100, 3, 0}, {0, 0xff, 0}, 0xff00, 4},                 /* MULS by a power of 2 */
    {0x4348, {0, 0xff, 0}, {0, 0xff, 0}, 0, 0},                       /* MULS by 0 */
    {0xb2c8, {0, 0xffff, 0}, {0, 0xff00, 0}, 0, 0},                   /* UXTB */
    {0xba08, {0, 1, 0}, {0, 1, 0}, 0x01000000, 0},                    /* REV */
    {0x4248, {0, 1, 0}, {0, 1, 0}, 0xffffffff, 15},                   /* RSBS: a mask of a bit */
};

static void single_rules(void)
{
    cm_core *core = &board->core;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const rule *r = &rules[i];
        secrets chosen = {.flags = 0};
        make_program();
        sim_put16(core->flash + CODE, r->code);
        restart(true);
        cm_core_set_apsr(core, 0);
        memcpy(chosen.r, r->secrets, sizeof r->secrets);
        mark(&chosen);
        memcpy(core->r, r->values, sizeof r->values);
        CHECK(run(1).steps == 1);
        if (core->watch->secret[0] != r->result ||
            (r->code >> 8 < 0xb2 && cm_flags_secret(core->watch) >> 28 != r->flags))
            fprintf(stderr, "rule %04x: 0x%08x, flags %x\n", (unsigned)r->code,
                    (unsigned)core->watch->secret[0],
                    (unsigned)(cm_flags_secret(core->watch) >> 28));
        CHECK(core->watch->secret[0] == r->result);
        CHECK(r->code >> 8 >= 0xb2 || cm_flags_secret(core->watch) >> 28 == r->flags);
    }
}

int main(int argc, char **argv)
{
    const unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : PROGRAMS;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    static finished base;
    unsigned long turned = 0;
    check_begin();
    state = seed != 0 ? (uint32_t)seed : 1;
    board = machine_new("samd21g18a");
    start_ram = malloc(board->core.ram_size);
    base.ram = malloc(board->core.ram_size);
    if (start_ram == NULL || base.ram == NULL || !cm_board_watch(board, &nothing))
        return 1;
    shadow = board->core.watch->shadow;
    single_rules();
    for (unsigned long i = 0; i < programs; i++)
        turned += one_program(&base);
    CHECK(turned >= programs); /* most programs come further than their first instruction */
    cm_board_free(board);
    free(start_ram);
    free(base.ram);
    return check_end();
}

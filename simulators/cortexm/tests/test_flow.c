/*
 * Flow of secrets, against brute force: random programs run with random secret bits,
 * then again with some of those bits turned. What differs then must have been found: bits of
 * registers, flags and memory in the shadow, the way of execution and the time as findings.
 *
 *   test-cortexm-flow [programs on each part] [seed]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/internal.h"
#include "../core/watch.h"
#include "check.h"
#include "generate.h"
#include "machine.h"
#include "shadow/brute.h"

enum {
    PROGRAMS = 20000,
    LONGEST = 20,
    TURNS = 6,
    WINDOW = DATA,
    WINDOW_BYTES = 0x200,
    TABLE = 0x400,
    TABLE_BYTES = 0x400,
    CODE_BYTES = 0x100,
    /* of ARMv7-M: what programs reach, for speed */
    RAM_BYTES = 0x4000,
    START = 100
};

#define FLAGS 0xf80f0000u /* of the status register */

/* A core of any instruction set, as a board has it. */
typedef union any_core {
    cm_core core;
    cm6_core v6m;
    cm7_core v7m;
} any_core;

static cm_board *board;
static sh_shadow *shadow;
static sim_program nothing;
static program text = {.state = 1};
static bool is_v6m;

/* Everything that a program starts from. */
static any_core start;
static uint8_t *start_ram;

static uint32_t number(uint32_t below)
{
    return random_below(&text.state, below);
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

static void emit_wide(uint32_t first, uint32_t second)
{
    emit(&text, first);
    emit(&text, second);
}

static void of_v6m(void)
{
    const uint32_t reg = number(8);
    if (number(16) != 0)
        emit(&text, halfword());
    else if (number(2) == 0)
        emit_wide(0xf380 | reg, 0x8800); /* MSR APSR */
    else
        emit_wide(0xf3ef, 0x8000 | reg << 8);
}

static void more_of_v7m(void)
{
    const uint32_t reg = number(13);
    switch (number(7)) {
    case 0:
        emit_wide(0xf380 | reg, 0x8000 | (1 + number(3)) << 10); /* MSR APSR_nzcvq, _g, _nzcvqg */
        break;
    case 1:
        emit_wide(0xf3ef, 0x8000 | reg << 8);
        break;
    case 2:
        emit(&text, 0xb100 | number(2) << 11 | number(4) << 3 | number(8)); /* CBZ, CBNZ */
        break;
    case 3:
        emit_wide(0xe8d0 | number(13), 0xf000 | number(2) << 4 | number(13)); /* TBB, TBH */
        break;
    case 4: { /* 32-bit quotients and products of anything */
        static const uint32_t codes[][2] = {{0xfb90, 0xf0f0}, {0xfbb0, 0xf0f0}, {0xfb80, 0x0100},
                                            {0xfba0, 0x0100}, {0xfbc0, 0x2300}, {0xfbe0, 0x2300}};
        const uint32_t *code = codes[number(6)];
        emit_wide(code[0] | number(13), code[1] | number(13));
        break;
    }
    default: /* an IT block */
        emit(&text, 0xbf00 | number(14) << 4 | (1 + number(15)));
        for (uint32_t i = 1 + number(4); i > 0; i--) {
            if (number(2) == 0)
                any_transfer(&text);
            else
                emit(&text, halfword());
        }
        break;
    }
}

static void of_v7m(void)
{
    switch (number(6)) {
    case 0:
        of_v6m();
        break;
    case 1:
        more_of_v7m();
        break;
    case 2:
        any_transfer(&text);
        break;
    default:
        if (board->core.armv8m)
            of_armv8m(&text);
        else if (board->core.dsp)
            of_armv7em(&text);
        else
            of_armv7m(&text);
        break;
    }
}

/* The part's memory: flash that waits or not, RAM that is far or not. */
static void choose_memory(void)
{
    const uint8_t wait = (uint8_t)number(3);
    cm7_core *v7m = &board->v7m;
    if (is_v6m) {
        const bool cached = number(2) == 0;
        cm6_set_flash(&board->v6m,
                      (cm6_flash_timing){.miss = wait, .hit = cached ? 0 : wait, .cached = cached});
        board->v6m.hit_end = board->v6m.miss_end = 0;
        return;
    }
    if (v7m->accelerator != NULL) {
        v7m->accelerator->wait = wait;
        v7m->accelerator->code.on = number(2) == 0;
        v7m->accelerator->data.on = number(2) == 0;
        v7m->accelerator->reads_ahead = number(2) == 0;
    }
    cm7_set_flash(v7m, (cm7_flash_timing){.wait = wait, .line_shift = 4, .last_place = 3});
    v7m->words[0] = v7m->words[1] = 0;
    v7m->ram_near = number(3) == 0 ? WINDOW + 0x100 - board->core.ram_base : RAM_BYTES;
    v7m->far_next = v7m->float_at = v7m->float_until = 0;
    v7m->float_result = 0xff;
    v7m->next = UINT32_MAX;
    v7m->late = 0;
}

static void make_program(void)
{
    cm_core *core = &board->core;
    text.image = core->flash;
    for (text.at = CODE; text.at < CODE + CODE_BYTES;) {
        if (is_v6m)
            of_v6m();
        else
            of_v7m();
    }
    for (uint32_t at = 0; at < TABLE_BYTES; at += 4)
        sim_put32(core->flash + TABLE + at, any());
    for (uint32_t at = 0; at < WINDOW_BYTES; at += 4)
        sim_put32(core->ram + (WINDOW - core->ram_base) + at, random_value());
    choose_memory();
    for (unsigned reg = 0; reg < 15; reg++)
        core->r[reg] = random_value();
    for (unsigned reg = 0; reg < 32; reg++)
        core->s[reg] = random_value();
    core->r[CM_SP] = (WINDOW + WINDOW_BYTES / 2 + number(64)) & ~3u;
    core->r[CM_PC] = CODE;
    cm_core_set_apsr(core, any());
    core->fpscr = 0;
    core->exclusive = false;
    core->cpacr = core->fpu ? 0xf00000 : 0;
    core->stack_low = core->stack_limit = 0; /* no stack is too deep */
    core->cycles = START;
    /* only this code is decoded again: to forget all takes longer than the program */
    core->flush = false;
    memcpy(&start, core, sizeof start);
    memcpy(start_ram, core->ram, core->ram_size);
}

/* --- runs ------------------------------------------------------------------------------------- */

static void restart(bool watched)
{
    memcpy(&board->core, &start, sizeof start);
    if (is_v6m) {
        board->core.instructions = watched ? &cm6_watched : &cm6_instructions;
        memset(board->v6m.flash_ops + CODE / 2, 0, CODE_BYTES / 2 * sizeof *board->v6m.flash_ops);
    } else {
        board->core.instructions =
            board->core.armv8m ? watched ? &cm8_watched : &cm8_instructions
            : watched          ? &cm7_watched
                               : &cm7_instructions;
        memset(board->v7m.flash_ops + CODE / 2, 0, CODE_BYTES / 2 * sizeof *board->v7m.flash_ops);
        if (board->v7m.accelerator != NULL)
            cm7_accelerator_reset(board->v7m.accelerator);
    }
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
    uint32_t r[15], s[32], flags;
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
        return any() & ~any();
    default:
        return 1;
    }
}

static secrets choose(void)
{
    secrets chosen = {.flags = number(3) == 0 ? number(16) << 28 : 0};
    if (!is_v6m && number(3) == 0)
        chosen.flags |= number(2) << 27;
    if (board->core.dsp && number(3) == 0)
        chosen.flags |= number(16) << 16;
    for (unsigned reg = 0; reg < 32 && board->core.fpu; reg++)
        chosen.s[reg] = number(3) == 0 ? random_bits() : 0;
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
    memset(watch->s, 0, sizeof watch->s);
    memcpy(watch->s, chosen->s, sizeof chosen->s);
    for (unsigned reg = 0; reg < 32; reg++)
        watch->s_why[reg] = why;
    watch->late = 0;
    watch->exclusive = false;
    cm_set_flags_secret(watch, chosen->flags, why);
    watch->flags = why;
}

/* Turns some of the secret bits: one of a register or a word, or any number of them. */
static void turn(const secrets *chosen)
{
    cm_core *core = &board->core;
    const bool sparse = number(2) == 0;
    const uint32_t flags = chosen->flags & (sparse ? any() : FLAGS);
    for (unsigned reg = 0; reg < 15; reg++) {
        const uint32_t bits = sparse ? 1u << number(32) : any();
        core->r[reg] ^= chosen->r[reg] & bits;
    }
    for (unsigned reg = 0; reg < 32; reg++)
        core->s[reg] ^= chosen->s[reg] & any();
    for (uint32_t at = 0; at < WINDOW_BYTES; at++)
        core->ram[WINDOW - core->ram_base + at] ^= chosen->memory[at] & (uint8_t)any();
    cm_core_set_apsr(core, cm_core_apsr(core) ^ flags);
}

/* --- what must hold --------------------------------------------------------------------------- */

typedef struct finished {
    cm_core core;
    cm_watch watch;
    uint8_t *ram;
    way way;
} finished;

/* Does everything that differs from that run have a shadow? */
static bool shadowed(const finished *base, const way *now)
{
    const cm_core *core = &board->core;
    bool good = true;
    if (now->cycles != base->way.cycles)
        good = any_waits(shadow);
    if (first_of(shadow, SH_STORE) != NULL) /* elsewhere than where it was followed */
        return good;
    for (unsigned reg = 0; reg < 15; reg++)
        good = good && ((core->r[reg] ^ base->core.r[reg]) & ~base->watch.secret[reg]) == 0;
    for (unsigned reg = 0; reg < 32; reg++)
        good = good && ((core->s[reg] ^ base->core.s[reg]) & ~base->watch.s[reg]) == 0;
    good = good && ((core->fpscr ^ base->core.fpscr) & ~base->watch.s[CM_FPSCR]) == 0;
    good = good && (((cm_core_apsr(core) ^ cm_core_apsr(&base->core)) & FLAGS) &
                    ~cm_flags_secret(&base->watch)) == 0;
    if (memcmp(core->ram, base->ram, core->ram_size) == 0)
        return good;
    for (uint32_t at = 0; at < core->ram_size; at++)
        good = good && ((core->ram[at] ^ base->ram[at]) & ~shadow->bits[at]) == 0;
    return good;
}

static void show(void)
{
    fprintf(stderr, "%s: ", board->part->name);
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
    /* on r0, r1 and r2; the second halfword of an instruction of 32 bits, or 0 */
    uint16_t code, second;
    uint32_t values[3], secrets[3];
    uint32_t result; /* secret bits of r0 afterwards */
    uint32_t flags;  /* N, Z, C, V in the lowest bits, Q and GE in the next */
} rule;

/* Bits that are no secret must not be called one: no false alarm. */
static const rule narrow_rules[] = {
    {0x4008, 0, {0xffffffff, 0x0f, 0}, {0xff, 0, 0}, 0x0f, 4},           /* ANDS: no bit is sure */
    {0x4008, 0, {0xffffffff, 0x100, 0}, {0xff, 0, 0}, 0, 0},             /* ANDS */
    {0x4308, 0, {0, 0xffffffff, 0}, {0xff, 0, 0}, 0, 0},                 /* ORRS */
    {0x4040, 0, {5, 0, 0}, {0xff, 0, 0}, 0, 0},                          /* EORS r0, r0 */
    {0x4048, 0, {5, 3, 0}, {0xf0, 0x0f, 0}, 0xff, 4},                    /* EORS */
    {0x1888, 0, {0, 0x100, 0x10}, {0, 0x0f, 0}, 0x0f, 0},                /* ADDS: no carry leaves */
    {0x1888, 0, {0, 0x0f, 1}, {0, 0x0f, 0}, 0x1f, 4},                    /* ADDS: one does */
    {0x1a48, 0, {0, 0x100, 0}, {0, 0xff, 0}, 0, 0},                      /* SUBS r0, r1, r1 */
    {0x0208, 0, {0, 0xff, 0}, {0, 0xff, 0}, 0xff00, 4},                  /* LSLS r0, r1, #8 */
    {0x0a08, 0, {0, 0xff, 0}, {0, 0xff, 0}, 0, 2},                       /* LSRS r0, r1, #8 */
    {0x1608, 0, {0, 0x80000000, 0}, {0, 0x80000000, 0}, 0xffffff80, 12}, /* ASRS r0, r1, #24 */
    {0x4348, 0, {0x100, 3, 0}, {0, 0xff, 0}, 0xff00, 4},                 /* MULS by a power of 2 */
    {0x4348, 0, {0, 0xff, 0}, {0, 0xff, 0}, 0, 0},                       /* MULS by 0 */
    {0xb2c8, 0, {0, 0xffff, 0}, {0, 0xff00, 0}, 0, 0},                   /* UXTB */
    {0xba08, 0, {0, 1, 0}, {0, 1, 0}, 0x01000000, 0},                    /* REV */
    {0x4248, 0, {0, 1, 0}, {0, 1, 0}, 0xffffffff, 15},                   /* RSBS: a mask of a bit */
};

static const rule wide_rules[] = {
    {0xea01, 0x0002, {0, 0xff, 0x0f}, {0, 0xff, 0}, 0x0f, 0},             /* AND, no flags */
    {0xea81, 0x0041, {0, 1, 0}, {0, 1, 0}, 3, 0},                         /* EOR LSL #1 */
    {0xea81, 0x0001, {0, 1, 0}, {0, 1, 0}, 0, 0},                         /* EOR r1, r1 */
    {0xea61, 0x0001, {0, 1, 0}, {0, 1, 0}, 0, 0},                         /* ORN r1, r1 */
    {0xebb1, 0x0001, {0, 1, 0}, {0, 1, 0}, 0, 0},                         /* SUBS r1, r1 */
    {0xf001, 0x000f, {0, 0xff, 0}, {0, 0xf0, 0}, 0, 0},                   /* AND #15 */
    {0xf3c1, 0x1003, {0, 0xff, 0}, {0, 0xf0, 0}, 0x0f, 0},                /* UBFX #4, #4 */
    {0xf341, 0x1003, {0, 0x80, 0}, {0, 0x80, 0}, 0xfffffff8, 0},          /* SBFX #4, #4 */
    {0xf361, 0x200b, {0, 0xff, 0}, {0xffff, 0x03, 0}, 0xf3ff, 0},         /* BFI #8, #4 */
    {0xf36f, 0x000f, {0, 0, 0}, {0xffffffff, 0, 0}, 0xffff0000, 0},       /* BFC #0, #16 */
    {0xf2c0, 0x0000, {0, 0, 0}, {0xffffffff, 0, 0}, 0xffff, 0},           /* MOVT */
    {0xfab1, 0xf081, {0, 0x00800000, 0}, {0, 0xff, 0}, 0, 0},             /* CLZ: it is 8 */
    {0xfab1, 0xf081, {0, 0x00800000, 0}, {0, 0x00800000, 0}, 0x3f, 0},    /* CLZ: 8 or 32 */
    {0xfa91, 0xf0a1, {0, 1, 0}, {0, 1, 0}, 0x80000000, 0},                /* RBIT */
    {0xfbb1, 0xf0f2, {0, 7, 1}, {0, 3, 0}, 3, 0},                         /* UDIV by 1 */
    {0xfb01, 0xf002, {0, 3, 0x10}, {0, 3, 0}, 0x30, 0},                   /* MUL */
    {0xfb01, 0x0002, {0x100, 3, 0x10}, {0x100, 3, 0}, 0x130, 0},          /* MLA */
    {0xeac1, 0x4002, {0, 0, 0}, {0, 0x0f, 0x0f}, 0x000f000f, 0},          /* PKHBT LSL #16 */
    {0xfa81, 0xf042, {0, 0x80, 0}, {0, 0x80, 0}, 0x80, 0},                /* UADD8: no carry */
    {0xfa81, 0xf042, {0, 0x80, 0x80}, {0, 0x80, 0}, 0x80, 0x20},          /* UADD8: GE[0] */
    {0xfac1, 0xf042, {0, 3, 2}, {0, 1, 0}, 1, 0},                         /* USUB8 */
    {0xfaa1, 0xf082, {0, 0xff, 0xff}, {0, 0xff, 0xff}, 0xff, 0},          /* SEL, no secret GE */
    {0xfb11, 0xf002, {0, 3, 0x10}, {0, 0xffff0003, 0}, 0xfffffff0, 0x10}, /* SMULBB */
    {0xf381, 0x0007, {0, 1, 0}, {0, 0, 0}, 0, 0},                         /* USAT */
    {0xfa11, 0xf082, {0, 0, 0}, {0, 0, 0xff0000}, 0, 0},                  /* UXTAH */
};

/* Code, and registers r0 to r2 with their secrets, of a run that is watched. */
static void prepare(const uint16_t *code, size_t count, const uint32_t values[3],
                    const uint32_t secret[3], uint32_t secret_flags)
{
    secrets chosen = {.flags = secret_flags};
    make_program();
    machine_code(board, CODE, code, count);
    restart(true);
    cm_core_set_apsr(&board->core, 0);
    memcpy(chosen.r, secret, sizeof chosen.r[0] * 3);
    mark(&chosen);
    memcpy(board->core.r, values, sizeof board->core.r[0] * 3);
}

static void single_rules(const rule *list, size_t count)
{
    const cm_watch *watch = board->core.watch;
    for (size_t i = 0; i < count; i++) {
        const rule *r = &list[i];
        const uint16_t code[2] = {r->code, r->second};
        prepare(code, 2, r->values, r->secrets, 0);
        CHECK(run(1).steps == 1);
        const uint32_t status = cm_flags_secret(watch),
                       flags = status >> 28 | (status >> 27 & 1) << 4 | (status >> 16 & 15) << 5;
        const bool same = watch->secret[0] == r->result && flags == r->flags;
        if (!same)
            fprintf(stderr, "rule %04x %04x: 0x%08x, flags %x\n", (unsigned)r->code,
                    (unsigned)r->second, (unsigned)watch->secret[0], (unsigned)flags);
        CHECK(same);
    }
}

/* STRB r0, [r1] to an address that is a secret: it may be elsewhere, and so may what was there. */
static void stored_anywhere(void)
{
    static const uint16_t code[1] = {0x7008};
    static const uint32_t values[3] = {7, WINDOW, 0}, secret[3] = {0, 4, 0};
    sh_why why;
    prepare(code, 1, values, secret, 0);
    CHECK(run(1).steps == 1);
    CHECK(sh_load(shadow, WINDOW, 1, &why) == 0xff);
    CHECK(sh_load(shadow, WINDOW + 1, 1, &why) == 0);
}

/* --- what is found ---------------------------------------------------------------------------- */

enum { NOTHING, NOTE, ERROR };

typedef struct place {
    uint16_t code[4];
    unsigned steps;
    uint32_t values[3], secrets[3], flags; /* of r0 to r2; secret flags */
    sh_kind kind;
    /* on a Cortex-M3 and M4 without wait states, and on an M4 behind a cache of code */
    uint8_t m3, m4, waits;
} place;

#define Z (1u << 30)

static const place places[] = {
    {{0xfbb1, 0xf0f2}, 1, {0, 9, 3}, {0, 1, 0}, 0, SH_OPERANDS, ERROR, ERROR, ERROR}, /* UDIV */
    {{0xfb91, 0xf0f2}, 1, {0, 9, 3}, {0, 0, 1}, 0, SH_OPERANDS, ERROR, ERROR, ERROR}, /* SDIV */
    {{0xfba1, 0x0302}, 1, {0, 9, 3}, {0, 1, 0}, 0, SH_OPERANDS, ERROR, NOTHING, NOTHING},
    {{0xfbe1, 0x0302}, 1, {0, 9, 3}, {1, 0, 0}, 0, SH_OPERANDS, ERROR, NOTHING, NOTHING},
    {{0xfb81, 0x0302}, 1, {0, 9, 3}, {0, 0, 1}, 0, SH_OPERANDS, ERROR, NOTHING, NOTHING},
    {{0xfbc1, 0x0302}, 1, {0, 9, 3}, {0, 1, 1}, 0, SH_OPERANDS, ERROR, NOTHING, NOTHING},
    {{0xfb01, 0x0002},
     1,
     {0, 9, 3},
     {1, 1, 1},
     0,
     SH_OPERANDS,
     NOTHING,
     NOTHING,
     NOTHING}, /* MLA */
    /* LDR r0, [r1, r2, LSL #2]; LDR r0, [r1, r2]; LDRB r0, [r1, r2] */
    {{0xf851, 0x0022}, 1, {0, WINDOW, 1}, {0, 0, 3}, 0, SH_LOAD, NOTE, NOTE, NOTE},
    {{0xf851, 0x0022}, 1, {0, TABLE, 1}, {0, 0, 3}, 0, SH_LOAD, NOTE, NOTE, ERROR},
    {{0xf851, 0x0002}, 1, {0, WINDOW, 1}, {0, 0, 3}, 0, SH_LOAD, ERROR, ERROR, ERROR},
    {{0xf811, 0x0002}, 1, {0, WINDOW, 1}, {0, 0, 3}, 0, SH_LOAD, NOTE, NOTE, NOTE},
    /* STRB r0, [r1, r2] */
    {{0xf801, 0x0002}, 1, {0, WINDOW, 1}, {0, 0, 3}, 0, SH_STORE, NOTE, NOTE, NOTE},
    {{0xb111}, 1, {0, 1, 0}, {0, 1, 0}, 0, SH_BRANCH, ERROR, ERROR, ERROR}, /* CBZ r1 */
    {{0xb111}, 1, {0, 3, 0}, {0, 1, 0}, 0, SH_BRANCH, NOTHING, NOTHING, NOTHING},
    {{0xe8d1, 0xf002}, 1, {0, TABLE, 1}, {0, 0, 1}, 0, SH_JUMP, ERROR, ERROR, ERROR},  /* TBB */
    {{0x4708}, 1, {0, CODE | 1, 0}, {0, 4, 0}, 0, SH_JUMP, ERROR, ERROR, ERROR},       /* BX r1 */
    {{0xf8d1, 0xf000}, 1, {0, WINDOW, 0}, {0, 4, 0}, 0, SH_JUMP, ERROR, ERROR, ERROR}, /* LDR pc */
    /* IT EQ: ADD r0, r1; LDR r0, [r1]; ADD r1, r1 with an address behind it */
    {{0xbf08, 0x4408}, 2, {0, 1, 0}, {0, 0, 0}, Z, SH_BRANCH, NOTE, NOTE, NOTE},
    {{0xbf08, 0x4408}, 2, {0, 1, 0}, {0, 1, 0}, 0, SH_BRANCH, NOTHING, NOTHING, NOTHING},
    {{0xbf08, 0x6808}, 2, {0, WINDOW, 0}, {0, 0, 0}, Z, SH_BRANCH, ERROR, ERROR, ERROR},
    {{0xbf08, 0x4411, 0x6808}, 3, {0, WINDOW, 4}, {0, 0, 0}, Z, SH_BRANCH, ERROR, ERROR, ERROR},
};

static void check_places(unsigned core)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const place *p = &places[i];
        const uint8_t wanted = core == 0 ? p->m3 : core == 1 ? p->m4 : p->waits;
        prepare(p->code, 4, p->values, p->secrets, p->flags);
        board->v7m.ram_near = RAM_BYTES;
        cm7_set_flash(&board->v7m, (cm7_flash_timing){.wait = core == 2 ? 3 : 0, .line_shift = 4});
        (void)run(p->steps);
        const uint8_t found = first_of(shadow, p->kind) == NULL ? NOTHING
                              : any_waits(shadow)               ? ERROR
                                                                : NOTE;
        if (found != wanted)
            fprintf(stderr, "%s, place %zu: %u\n", board->part->name, i, (unsigned)found);
        CHECK(found == wanted);
    }
}

/* IT EQ on a Cortex-M33, by secret flags: an instruction that is not executed waits for nothing. */
static void check_pipeline(void)
{
    static const struct {
        uint16_t code[4];
        uint8_t wanted;
    } blocks[] = {
        {{0x6808, 0xbf08, 0x4403}, ERROR}, /* LDR r0, [r1] before; ADD r3, r0 */
        {{0x6808, 0xbf08, 0x4413}, NOTE},  /* the same; ADD r3, r2 */
        {{0xbf08, 0x4348}, ERROR},         /* MUL r0, r1, whose result is late */
        {{0xbf08, 0xeb00, 0x1041}, ERROR}, /* ADD r0, r0, r1, LSL #5, too */
        {{0xbf08, 0xeb00, 0x0041}, NOTE},  /* ADD r0, r0, r1, LSL #1 */
        {{0xbf08, 0xeb10, 0x0001}, NOTE},  /* ADDS.W r0, r0, r1 */
        {{0xbf08, 0xf511, 0x53fe}, ERROR}, /* ADDS r3, r1, #0x1fc0: two cycles */
        {{0xbf08, 0xb2c8}, NOTE},          /* UXTB r0, r1 */
        {{0xbf08, 0xfa51, 0xf082}, ERROR}, /* UXTAB r0, r1, r2 */
    };
    static const uint32_t values[3] = {0, WINDOW, 0}, secret[3] = {0, 0, 0};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        prepare(blocks[i].code, 4, values, secret, Z);
        board->v7m.ram_near = RAM_BYTES;
        (void)run(3);
        const uint8_t found = first_of(shadow, SH_BRANCH) == NULL ? NOTHING
                              : any_waits(shadow)                 ? ERROR
                                                                  : NOTE;
        if (!CHECK(found == blocks[i].wanted))
            fprintf(stderr, "Cortex-M33, block %zu: %u\n", i, (unsigned)found);
    }
}

/* --- all machines ----------------------------------------------------------------------------- */

typedef struct machine {
    const char *part;
    bool accelerated;
    unsigned share; /* one of so many programs, unless their number is said */
} machine;

static const machine machines[] = {
    {"samd21g18a", false, 1},    {"cortex-m3-nows", false, 4}, {"cortex-m4-nows", false, 4},
    {"cortex-m4-nows", true, 4}, {"nrf52840", false, 4},       {"cortex-m33-nows", false, 4},
};

static bool begin(const machine *m)
{
    board = machine_new(m->part);
    is_v6m = board->part->architecture == CM_ARMV6M;
    if (!is_v6m)
        board->core.ram_size = board->v7m.ram_near = RAM_BYTES;
    if (m->accelerated) {
        const cm7_cache_shape code = {.lines = 8, .sets = 1, .parts_shift = 1},
                              read = {.lines = 2, .sets = 1, .parts_shift = 1};
        board->v7m.accelerator =
            cm7_accelerator_new(board->core.flash_size, 4, code, read, &board->core.misses);
        if (board->v7m.accelerator == NULL)
            return false;
    }
    start_ram = malloc(board->core.ram_size);
    if (start_ram == NULL || !cm_board_watch(board, &nothing))
        return false;
    shadow = board->core.watch->shadow;
    return true;
}

int main(int argc, char **argv)
{
    const unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : PROGRAMS;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    static finished base;
    check_begin();
    text.state = seed != 0 ? (uint32_t)seed : 1;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        unsigned long turned = 0;
        if (!begin(&machines[i]))
            return 1;
        base.ram = malloc(board->core.ram_size);
        if (base.ram == NULL)
            return 1;
        single_rules(narrow_rules, sizeof narrow_rules / sizeof narrow_rules[0]);
        stored_anywhere();
        if (board->core.dsp)
            single_rules(wide_rules, sizeof wide_rules / sizeof wide_rules[0]);
        if (!is_v6m && !machines[i].accelerated)
            check_places(!board->core.dsp ? 0 : board->part->flash_waits ? 2 : 1);
        if (board->core.armv8m)
            check_pipeline();
        const unsigned long count = argc > 1 ? programs : programs / machines[i].share;
        for (unsigned long number_of = 0; number_of < count; number_of++)
            turned += one_program(&base);
        CHECK(turned >= count); /* most programs come further than their first instruction */
        cm_board_free(board);
        free(start_ram);
        free(base.ram);
    }
    return check_end();
}

/*
 * Flow of secrets, against brute force: random programs run with random secret bits,
 * then again with some of those bits turned. What differs then must have been found: bits of
 * registers and memory in the shadow, the way of execution and the time as findings.
 *
 *   test-hazard3-flow [programs] [seed]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/watch.h"
#include "bytes.h"
#include "check.h"
#include "machine.h"
#include "shadow/brute.h"

enum {
    PROGRAMS = 5000,
    LONGEST = 24,
    TURNS = 6,
    CODE = 0x100,
    CODE_BYTES = 0x200,
    RAM_BYTES = STACK - DATA,
    WINDOW_BYTES = 0x800,
    START = 100,
    A0 = HZ_A0
};

static hz_core *core;
static hz_watch *watch;
static sh_shadow *shadow;
static sim_program nothing;
static uint32_t state = 1;

/* Everything that a program starts from. */
static hz_core start;
static uint8_t start_ram[RAM_BYTES];

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
        0,      1,          2,          4,          31,         32,     0xff,      0x100,
        0x7fff, 0x7fffffff, 0x80000000, 0xffffff00, 0xfffffffe, 0xffff, 0xffffffff};
    switch (number(6)) {
    case 0:
        return corners[number(sizeof corners / sizeof corners[0])];
    case 1:
        return number(64);
    case 2:
        return CODE + 2 * number(CODE_BYTES / 2);
    case 3:
    case 4:
        return (DATA + number(WINDOW_BYTES)) & ~(number(2) == 0 ? 3u : 1u);
    default:
        return any();
    }
}

/* Instructions that programs of generate.c do not have: addresses in any register, jumps to one,
 * other control registers, more divisions. */
static uint32_t instruction(void)
{
    static const uint8_t loads[] = {0, 1, 2, 4, 5};
    const uint32_t rd = number(32) << 7, rs1 = number(32) << 15, rs2 = number(32) << 20;
    switch (number(8)) {
    case 0:
    case 1:
        return number(16) << 22 | rs1 | (uint32_t)loads[number(5)] << 12 | rd | 0x03;
    case 2:
        return rs2 | rs1 | number(3) << 12 | number(8) << 9 | 0x23;
    case 3:
        return rs1 | rd | 0x67; /* JALR */
    case 4:
        return (0x341 + number(3)) << 20 | rs1 | (1 + number(3)) << 12 | rd | 0x73;
    case 5:
        return number(8) << 27 | rs2 | rs1 | 2 << 12 | rd | 0x2f; /* among them AMO */
    default:
        return 1 << 25 | rs2 | rs1 | (4 + number(4)) << 12 | rd | 0x33; /* DIV to REMU */
    }
}

static void make_program(void)
{
    for (uint32_t at = CODE; at < CODE + CODE_BYTES;) {
        if (number(4) != 0) {
            at = generate_step(core->code, at, &state);
        } else {
            sim_put32(core->code + at, instruction());
            at += 4;
        }
    }
    for (uint32_t at = 0; at < RAM_BYTES; at += 4)
        sim_put32(core->ram + at, at < WINDOW_BYTES ? random_value() : 0);
    sim_put32(core->ram + 0x7fc, DATA);
    hz_core_reset(core, CODE);
    for (unsigned reg = 1; reg < 32; reg++)
        core->x[reg] = random_value();
    if (number(4) != 0)
        core->x[HZ_SP] = (DATA + WINDOW_BYTES / 2 + number(64)) & ~3u;
    core->x[30] = DATA + 4 * number(64);
    core->mtvec = HANDLER;
    core->mscratch = any();
    core->stack_low = core->stack_limit = 0; /* no stack is too deep */
    core->cycles = START;
    /* only this code is decoded again: to forget all takes longer than the program */
    core->flush = false;
    start = *core;
    memcpy(start_ram, core->ram, RAM_BYTES);
}

/* --- runs ------------------------------------------------------------------------------------- */

static void restart(bool watched)
{
    *core = start;
    core->watch = watched ? watch : NULL;
    memset(core->code_ops, 0, (core->code_size / 2 + 1) * sizeof *core->code_ops);
    memcpy(core->ram, start_ram, RAM_BYTES);
}

static way run(unsigned most)
{
    way w = {.steps = 0};
    while (w.steps < most) {
        w.pc[w.steps] = core->pc;
        const bool handles = core->pc - HANDLER < 24;
        if ((core->pc - CODE >= CODE_BYTES && !handles) ||
            hz_core_run(core, core->cycles + 1) != HZ_DEADLINE)
            break;
        w.steps++;
    }
    w.pc[w.steps] = core->pc;
    w.cycles = core->cycles;
    return w;
}

/* --- secrets ---------------------------------------------------------------------------------- */

typedef struct secrets {
    uint32_t x[32], scratch;
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
        return any();
    default:
        return 1;
    }
}

static void choose(secrets *chosen)
{
    const bool in_memory = number(2) == 0;
    chosen->x[0] = 0;
    for (unsigned reg = 1; reg < 32; reg++)
        chosen->x[reg] = number(reg == HZ_SP || reg == 30 ? 9 : 3) == 0 ? random_bits() : 0;
    chosen->scratch = number(3) == 0 ? random_bits() : 0;
    for (uint32_t at = 0; at < WINDOW_BYTES; at += 4)
        sim_put32(chosen->memory + at, in_memory && number(3) == 0 ? random_bits() : 0);
}

static void mark(const secrets *chosen)
{
    sh_begin(shadow);
    shadow->cleared = false;
    shadow->finding_count = 0;
    memset(shadow->findings, 0, sizeof shadow->findings);
    /* a reason for all of them */
    sh_make_secret(shadow, DATA, WINDOW_BYTES, 0, 0);
    memcpy(shadow->bits, chosen->memory, WINDOW_BYTES);
    const sh_why why = shadow->why[0];
    memcpy(watch->secret, chosen->x, sizeof watch->secret);
    for (unsigned reg = 0; reg < 32; reg++)
        watch->why[reg] = why;
    watch->scratch = chosen->scratch;
    watch->scratch_why = why;
    watch->control = false;
}

/* Turns some of the secret bits: one of a register or a word, or any number of them. */
static void turn(const secrets *chosen)
{
    const bool sparse = number(2) == 0;
    for (unsigned reg = 0; reg < 32; reg++)
        core->x[reg] ^= chosen->x[reg] & (sparse ? 1u << number(32) : any());
    core->mscratch ^= chosen->scratch & any();
    for (uint32_t at = 0; at < WINDOW_BYTES; at++)
        core->ram[at] ^= chosen->memory[at] & (uint8_t)any();
}

/* --- what must hold --------------------------------------------------------------------------- */

typedef struct finished {
    hz_core core;
    hz_watch watch;
    uint8_t ram[RAM_BYTES];
    way way;
} finished;

/* Does everything that differs from that run have a shadow? */
static bool shadowed(const finished *base, const way *now)
{
    bool good = now->cycles == base->way.cycles || any_waits(shadow);
    if (first_of(shadow, SH_STORE) != NULL) /* elsewhere than where it was followed */
        return good;
    for (unsigned reg = 0; reg < 32; reg++)
        good = good && ((core->x[reg] ^ base->core.x[reg]) & ~base->watch.secret[reg]) == 0;
    good = good && ((core->mscratch ^ base->core.mscratch) & ~base->watch.scratch) == 0;
    if (!base->watch.control)
        good = good && core->mepc == base->core.mepc && core->mcause == base->core.mcause;
    if (memcmp(core->ram, base->ram, RAM_BYTES) == 0)
        return good;
    for (uint32_t at = 0; at < RAM_BYTES; at++)
        good = good && ((core->ram[at] ^ base->ram[at]) & ~shadow->bits[at]) == 0;
    return good;
}

static void show(const finished *base, const way *now)
{
    for (unsigned i = 0; i < base->way.steps; i++)
        fprintf(stderr, "%x:%04x%04x ", (unsigned)base->way.pc[i],
                (unsigned)sim_get16(core->code + base->way.pc[i] + 2),
                (unsigned)sim_get16(core->code + base->way.pc[i]));
    for (unsigned reg = 0; reg < 32; reg++)
        if (((core->x[reg] ^ base->core.x[reg]) & ~base->watch.secret[reg]) != 0)
            fprintf(stderr, "x%u ", reg);
    fprintf(stderr, "cycles %u, %u\n", (unsigned)now->cycles, (unsigned)base->way.cycles);
}

static unsigned one_program(finished *base)
{
    static secrets chosen;
    unsigned turned = 0;
    make_program();
    restart(false);
    const unsigned steps = run(LONGEST).steps; /* as far as it comes without a fault */
    const uint64_t cycles = core->cycles;
    choose(&chosen);
    restart(true);
    mark(&chosen);
    base->way = run(steps);
    base->core = *core;
    base->watch = *watch;
    memcpy(base->ram, core->ram, RAM_BYTES);
    CHECK(base->way.steps == steps);
    if (steps == LONGEST)
        CHECK(base->way.cycles == cycles);
    CHECK(watch->secret[0] == 0);
    for (unsigned i = 0; i < TURNS && steps > 0; i++) {
        restart(false);
        turn(&chosen);
        const way now = run(steps);
        const bool good =
            same_way(&now, &base->way) ? shadowed(base, &now) : shadow->finding_count > 0;
        if (!good)
            show(base, &now);
        CHECK(good);
        turned++;
    }
    return turned;
}

/* --- single instructions ---------------------------------------------------------------------- */

/* a0 = a1, a2; a0 = a1, number; a0 = a1 */
#define TWO(funct7, funct3) \
    ((uint32_t)(funct7) << 25 | 12 << 20 | 11 << 15 | (uint32_t)(funct3) << 12 | 10 << 7 | 0x33)
#define COUNT(top, funct3, imm) \
    ((uint32_t)(top) << 20 | (uint32_t)(imm) << 20 | 11 << 15 | (funct3) << 12 | 10 << 7 | 0x13)

enum { NOTHING, NOTE, ERROR };

typedef struct rule {
    uint32_t code;
    uint32_t values[3], secrets[3]; /* of a0, a1 and a2 */
    uint32_t result;                /* secret bits of a0 afterwards */
} rule;

/* Bits that are no secret must not be called one: no false alarm. */
static const rule rules[] = {
    {TWO(0, 7), {0, 0xffff, 0x0f}, {0, 0xff, 0}, 0x0f},           /* AND */
    {TWO(0, 6), {0, 0, 0x0f}, {0, 0xff, 0}, 0xf0},                /* OR */
    {TWO(0, 4), {0, 5, 3}, {0, 0xf0, 0x0f}, 0xff},                /* XOR */
    {TWO(0x20, 7), {0, 0xff, 0xf0}, {0, 0xff, 0}, 0x0f},          /* ANDN */
    {TWO(0x20, 6), {0, 0, 0xf0}, {0, 0xff, 0}, 0xf0},             /* ORN */
    {TWO(0, 0), {0, 0x100, 0x10}, {0, 0x0f, 0}, 0x0f},            /* ADD: no carry leaves */
    {TWO(0, 0), {0, 0x0f, 1}, {0, 0x0f, 0}, 0x1f},                /* ADD: one does */
    {TWO(0x20, 0), {0, 0, 1}, {0, 0, 1}, 0xffffffff},             /* SUB: a mask of a bit */
    {TWO(0x10, 2), {0, 1, 0}, {0, 1, 0}, 2},                      /* SH1ADD */
    {TWO(0x10, 6), {0, 1, 0}, {0, 1, 0}, 8},                      /* SH3ADD */
    {TWO(0, 3), {0, 1, 2}, {0, 1, 0}, 0},                         /* SLTU: it is less */
    {TWO(0, 3), {0, 1, 1}, {0, 1, 0}, 1},                         /* SLTU */
    {TWO(0, 2), {0, 0x80000001, 0}, {0, 0x7fffffff, 0}, 0},       /* SLT: it is below zero */
    {TWO(0, 1), {0, 1, 4}, {0, 1, 0}, 0x10},                      /* SLL */
    {TWO(0, 1), {0, 1, 0}, {0, 0, 3}, 0x0f},                      /* SLL by 0 to 3 */
    {TWO(0, 5), {0, 0x80, 1}, {0, 0, 0xffffffe0}, 0},             /* SRL: 5 bits count */
    {TWO(0x20, 5), {0, 0xffffffff, 1}, {0, 0, 31}, 0},            /* SRA of ones */
    {TWO(0x30, 5), {0, 1, 1}, {0, 1, 0}, 0x80000000},             /* ROR */
    {TWO(0x24, 1), {0, 0xff, 3}, {0, 0xff, 0}, 0xf7},             /* BCLR */
    {TWO(0x14, 1), {0, 0, 0}, {0, 0, 1}, 3},                      /* BSET of 0 or 1 */
    {TWO(0x24, 5), {0, 0xf0, 4}, {0, 0x10, 0}, 1},                /* BEXT */
    {TWO(0x24, 5), {0, 0xf0, 4}, {0, 0xe0, 0}, 0},                /* BEXT of another */
    {TWO(1, 0), {0, 3, 0x10}, {0, 3, 0}, 0x30},                   /* MUL */
    {TWO(1, 3), {0, 0xff, 2}, {0, 0xff, 0}, 0},                   /* MULHU: it is 0 */
    {TWO(1, 5), {0, 7, 1}, {0, 3, 0}, 3},                         /* DIVU by 1 */
    {TWO(1, 5), {0, 7, 0}, {0, 3, 0}, 0},                         /* DIVU by 0 */
    {TWO(1, 7), {0, 0xff, 8}, {0, 0xff, 0}, 7},                   /* REMU */
    {TWO(5, 6), {0, 1, 0x80000000}, {0, 1, 0}, 1},                /* MAX: it is a1 */
    {TWO(4, 4), {0, 0, 0}, {0, 0xff0000, 0x0f}, 0x000f0000},      /* PACK */
    {COUNT(0, 7, 0x0f), {0, 0xff, 0}, {0, 0xf0, 0}, 0},           /* ANDI */
    {COUNT(0x600, 1, 0), {0, 0x00800000, 0}, {0, 0xff, 0}, 0},    /* CLZ: it is 8 */
    {COUNT(0x600, 1, 1), {0, 0x10, 0}, {0, 0xff00, 0}, 0},        /* CTZ: it is 4 */
    {COUNT(0x600, 1, 2), {0, 0xf, 0}, {0, 1, 0}, 7},              /* CPOP: 3 or 4 */
    {COUNT(0x600, 1, 4), {0, 0x80, 0}, {0, 0x80, 0}, 0xffffff80}, /* SEXT.B */
    {COUNT(0x698, 5, 0), {0, 1, 0}, {0, 1, 0}, 0x01000000},       /* REV8 */
    {COUNT(0x687, 5, 0), {0, 1, 0}, {0, 1, 0}, 0x80},             /* BREV8 */
    {COUNT(0x287, 5, 0), {0, 0x101, 0}, {0, 0x103, 0}, 0xffff},   /* ORC.B */
    {COUNT(0x287, 5, 0), {0, 0x101, 0}, {0, 0xfe, 0}, 0},         /* ORC.B: not 0 */
    {COUNT(0x08f, 1, 0), {0, 2, 0}, {0, 2, 0}, 4},                /* ZIP */
    {COUNT(0x08f, 5, 0), {0, 4, 0}, {0, 4, 0}, 2},                /* UNZIP */
    {11 << 20 | 11 << 15 | 10 << 7 | 0x33 | 1u << 30, {0, 5, 0}, {0, 7, 0}, 0}, /* SUB a1, a1 */
};

/* Code, and registers a0 to a2 with their secrets, of a run that is watched. */
static void prepare(const uint32_t *code, unsigned count, const uint32_t values[3],
                    const uint32_t secret[3])
{
    static secrets chosen;
    memset(&chosen, 0, sizeof chosen);
    memcpy(chosen.x + A0, secret, sizeof chosen.x[0] * 3);
    make_program();
    for (unsigned i = 0; i < count; i++)
        sim_put32(core->code + CODE + 4 * i, code[i]);
    restart(true);
    mark(&chosen);
    memcpy(core->x + A0, values, sizeof core->x[0] * 3);
}

static void single_rules(void)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const rule *r = &rules[i];
        prepare(&r->code, 1, r->values, r->secrets);
        CHECK(run(1).steps == 1);
        if (!CHECK(watch->secret[A0] == r->result))
            fprintf(stderr, "rule %zu: 0x%08x\n", i, (unsigned)watch->secret[A0]);
    }
}

/* --- what is found ---------------------------------------------------------------------------- */

typedef struct place {
    uint32_t code;
    uint32_t values[3], secrets[3];
    sh_kind kind;
    uint8_t found, cost;
} place;

#define LOAD(funct3) (11 << 15 | (funct3) << 12 | 10 << 7 | 0x03)
#define STORE(funct3) (12 << 20 | 11 << 15 | (funct3) << 12 | 0x23)
#define ATOMIC(funct5) ((uint32_t)(funct5) << 27 | (12 << 20 | 11 << 15 | 2 << 12 | 10 << 7 | 0x2f))
#define BRANCH(funct3) (12 << 20 | 11 << 15 | (funct3) << 12 | 8 << 8 | 0x63)
#define MINUS(number) (0u - (number))

static const place places[] = {
    {LOAD(2), {0, DATA + 4, 0}, {0, 12, 0}, SH_LOAD, NOTE, 0},
    {LOAD(2), {0, DATA + 4, 0}, {0, 3, 0}, SH_LOAD, ERROR, SH_UNKNOWN}, /* unaligned */
    {LOAD(0), {0, DATA + 4, 0}, {0, 3, 0}, SH_LOAD, NOTE, 0},
    {LOAD(0), {0, CODE, 0}, {0, 3, 0}, SH_LOAD, ERROR, SH_UNKNOWN},
    {LOAD(2), {0, STACK - 4, 0}, {0, 0x8000, 0}, SH_LOAD, ERROR, SH_UNKNOWN},
    {STORE(0), {0, DATA, 0}, {0, 3, 0}, SH_STORE, NOTE, 0},
    {STORE(0), {0, DATA, 0}, {0, 0, 3}, SH_STORE, NOTHING, 0},
    {ATOMIC(3), {0, DATA + 4, 0}, {0, 12, 0}, SH_STORE, NOTE, 0}, /* SC */
    {ATOMIC(3), {0, DATA + 4, 0}, {0, 3, 0}, SH_STORE, ERROR, SH_UNKNOWN},
    {ATOMIC(3), {0, DATA + 4, 0}, {0, 0, 0xff}, SH_STORE, NOTHING, 0},
    {ATOMIC(2) & ~(31u << 20), {0, DATA + 4, 0}, {0, 12, 0}, SH_LOAD, NOTE, 0}, /* LR */
    {ATOMIC(0), {0, DATA + 4, 0}, {0, 12, 0}, SH_LOAD, NOTE, 0},                /* AMOADD */
    {ATOMIC(0), {0, DATA + 4, 0}, {0, 12, 0}, SH_STORE, NOTE, 0},
    {ATOMIC(1), {0, STACK - 4, 0}, {0, 0x8000, 0}, SH_STORE, ERROR, SH_UNKNOWN}, /* AMOSWAP */
    {BRANCH(0), {0, 1, 1}, {0, 1, 0}, SH_BRANCH, ERROR, 1},
    {BRANCH(0), {0, 1, 2}, {0, 1, 0}, SH_BRANCH, NOTHING, 0},
    {BRANCH(6), {0, 1, 2}, {0, 1, 0}, SH_BRANCH, NOTHING, 0},
    {BRANCH(4), {0, 1, 2}, {0, 0x80000000, 0}, SH_BRANCH, NOTHING, 0},
    {BRANCH(4), {0, 3, 2}, {0, 0x80000000, 0}, SH_BRANCH, ERROR, 1},
    {11 << 15 | 0x67, {0, CODE, 0}, {0, 4, 0}, SH_JUMP, ERROR, SH_UNKNOWN},       /* JR */
    {TWO(1, 5), {0, 9, 3}, {0, 0xffffffff, 0xffffffff}, SH_OPERANDS, NOTHING, 0}, /* DIVU */
    {TWO(1, 7), {0, 9, 3}, {0, 0xffffffff, 0xffffffff}, SH_OPERANDS, NOTHING, 0}, /* REMU */
    {TWO(1, 4), {0, 9, 3}, {0, 0xff, 0xf0}, SH_OPERANDS, NOTHING, 0}, /* DIV: signs are known */
    {TWO(1, 4), {0, 9, 3}, {0, 0xff, 0x0f}, SH_OPERANDS, NOTHING, 0}, /* DIV: all above zero */
    {TWO(1, 4), {0, MINUS(9), 3}, {0, 0xff, 0x0f}, SH_OPERANDS, NOTHING, 0},
    {TWO(1, 4), {0, 9, 3}, {0, 0x80000000, 0}, SH_OPERANDS, ERROR, 1},
    {TWO(1, 6), {0, 9, 3}, {0, 0, 0x80000000}, SH_OPERANDS, NOTHING, 0}, /* 19 - 1 + 1 */
    {TWO(1, 6), {0, MINUS(9), 3}, {0, 0, 0x80000000}, SH_OPERANDS, NOTHING, 0},
    {TWO(1, 1), {0, 9, 3}, {0, 0xffffffff, 0xffffffff}, SH_OPERANDS, NOTHING, 0}, /* MULH */
    {0x341 << 20 | 11 << 15 | 1 << 12 | 10 << 7 | 0x73,                           /* CSRRW mepc */
     {0, 9, 3},
     {0, 1, 0},
     SH_OPERANDS,
     ERROR,
     SH_UNKNOWN},
};

static uint8_t cost_of(sh_kind kind)
{
    for (size_t i = 0; i < SH_FINDINGS; i++)
        if (shadow->findings[i].count != 0 && shadow->findings[i].kind == kind)
            return shadow->findings[i].cost;
    return 0;
}

static void check_places(void)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const place *p = &places[i];
        prepare(&p->code, 1, p->values, p->secrets);
        (void)run(1);
        const uint8_t found = first_of(shadow, p->kind) == NULL ? NOTHING
                              : any_waits(shadow)               ? ERROR
                                                                : NOTE;
        if (!CHECK(found == p->found && cost_of(p->kind) == p->cost))
            fprintf(stderr, "place %zu: %u\n", i, (unsigned)found);
    }
}

/* CM.PUSH {ra}, -16 and CM.POP {ra}, 16 with a stack pointer of which one bit is a secret. */
static void stack_pointers(void)
{
    static const struct {
        uint32_t code, sp; /* sp: its secret bits afterwards */
        sh_kind kind;
    } moves[] = {{0xb842, 0x1f0, SH_STORE}, {0xba42, 0x30, SH_LOAD}};
    static const uint32_t none[3];
    for (size_t i = 0; i < 2; i++) {
        prepare(&moves[i].code, 1, none, none);
        core->x[HZ_SP] = DATA + 0x100;
        watch->secret[HZ_SP] = 0x10;
        CHECK(run(1).steps == 1);
        CHECK(watch->secret[HZ_SP] == moves[i].sp);
        CHECK(first_of(shadow, moves[i].kind) != NULL && !any_waits(shadow));
    }
}

/* A byte stored to an address that is a secret: it may be elsewhere, and so may what was there. */
static void stored_anywhere(void)
{
    static const uint32_t code = STORE(0), values[3] = {0, DATA + 4, 7}, secret[3] = {0, 8, 0};
    sh_why why;
    prepare(&code, 1, values, secret);
    CHECK(run(1).steps == 1);
    CHECK(sh_load(shadow, DATA + 4, 1, &why) == 0xff);
    CHECK(sh_load(shadow, DATA + 5, 1, &why) == 0);
}

/* The time of a signed division: every pair of signs, and a divisor that is zero. */
static void divisions(void)
{
    static const uint32_t numbers[] = {0, 1, 9, 0x7fffffff, 0x80000000, 0xffffffff};
    static const uint32_t hidden[] = {0, 1, 0x80000000, 0xffffffff, 0x7fffffff};
    const uint32_t code = TWO(1, 4);
    for (unsigned i = 0; i < 6 * 6 * 5 * 5; i++) {
        const uint32_t values[3] = {0, numbers[i % 6], numbers[i / 6 % 6]};
        const uint32_t secret[3] = {0, hidden[i / 36 % 5], hidden[i / 180]};
        prepare(&code, 1, values, secret);
        const uint64_t cycles = run(1).cycles;
        const bool found = first_of(shadow, SH_OPERANDS) != NULL;
        bool differs = false;
        for (unsigned turned = 0; turned < 36; turned++) {
            const uint32_t n = numbers[turned % 6], d = numbers[turned / 6];
            restart(false);
            memcpy(core->x + A0, values, sizeof values);
            core->x[A0 + 1] ^= (core->x[A0 + 1] ^ n) & secret[1];
            core->x[A0 + 2] ^= (core->x[A0 + 2] ^ d) & secret[2];
            differs = differs || run(1).cycles != cycles;
        }
        CHECK(found == differs);
    }
}

int main(int argc, char **argv)
{
    const unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : PROGRAMS;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    static finished base;
    static uint8_t image[IMAGE_LENGTH];
    unsigned long turned = 0;
    check_begin();
    state = seed != 0 ? (uint32_t)seed : 1;
    generate_handler(image);
    core = machine_new(image);
    if (core == NULL)
        return 1;
    /* what programs reach, for speed */
    core->code_size = 0x800;
    core->ram = core->code + DATA;
    core->ram_base = DATA;
    core->ram_size = RAM_BYTES;
    if (!hz_watch_start(core, &nothing))
        return 1;
    watch = core->watch;
    shadow = watch->shadow;
    single_rules();
    check_places();
    divisions();
    stack_pointers();
    stored_anywhere();
    for (unsigned long i = 0; i < programs; i++)
        turned += one_program(&base);
    CHECK(turned >= programs); /* most programs come further than their first instruction */
    core->watch = watch;
    hz_watch_end(core);
    machine_free(core);
    return check_end();
}

/*
 * Flow of secrets on AVR, against brute force: random programs run with random secret bits, then
 * again with some of those bits turned. What differs then must have been found: bits of registers,
 * flags, stack pointer and memory in the shadow, the way of execution and the time as findings.
 *
 *   test-avr-flow [programs on each part] [seed]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/internal.h"
#include "../core/watch.h"
#include "check.h"
#include "machine.h"
#include "shadow/brute.h"

enum {
    PROGRAMS = 3000,
    LONGEST = 16,
    TURNS = 6,
    CODE_WORDS = 0x40,
    TABLE = 0x400, /* bytes of flash that programs read */
    TABLE_BYTES = 0x400,
    WINDOW_BYTES = 0x200,
    REGISTERS = 32,
    POINTERS = 26,
    ADIW = 0x9601 /* one word, two cycles */
};

/* One of the parts, and what its programs start from. */
typedef struct machine_of {
    const char *part;
    uint16_t window;  /* in RAM: where memory is secret */
    uint8_t plain[3]; /* registers that only hold what is written, as IN and OUT number them */
    av_board *board;
    sh_shadow *shadow;
    av_watch *watch;
    av_core start;
} machine_of;

static machine_of machines[] = {
    {.part = "atmega328p", .window = 0x180, .plain = {0x1e, 0x2a, 0x2b}},
    {.part = "atmega2560", .window = 0x380, .plain = {0x1e, AV_RAMPZ, AV_EIND}},
    {.part = "atmega4809", .window = 0x3d80, .plain = {0x1c, 0x1d, 0x1e}},
};

static machine_of *on;
static av_core *core;
static sim_program nothing;
static uint32_t state;

static uint32_t number(uint32_t below)
{
    return random_below(&state, below);
}

/* --- a part without peripherals --------------------------------------------------------------- */

static uint8_t read_plain(void *of, uint16_t address)
{
    const av_board *board = of;
    if (address >= board->part->io_end)
        core->stop = AV_BUS;
    return core->data[address];
}

static void write_plain(void *of, uint16_t address, uint8_t value)
{
    const av_board *board = of;
    if (address >= board->part->io_end)
        core->stop = AV_BUS;
    else
        core->data[address] = value;
}

static uint64_t never(void *of, uint64_t now)
{
    (void)of, (void)now;
    return AV_NEVER;
}

static bool no_sleep(void *of)
{
    (void)of;
    return false;
}

static void prepare(machine_of *m)
{
    m->board = machine(m->part, NULL, 0);
    core = &m->board->core;
    core->bus.read = read_plain;
    core->bus.write = write_plain;
    core->bus.advance = never;
    core->bus.sleeps = no_sleep;
    if (!av_watch_start(core, &nothing))
        abort();
    m->watch = core->watch;
    m->shadow = core->watch->shadow;
}

/* --- programs --------------------------------------------------------------------------------- */

/* An address in data, flash or code, or none. */
static uint32_t pointer(void)
{
    const uint32_t ram_end = (uint32_t)core->ram_base + core->ram_size;
    switch (number(8)) {
    case 0:
        return TABLE + number(TABLE_BYTES);
    case 1:
        return core->family == AV_XT ? core->map_base + TABLE + number(TABLE_BYTES)
                                     : core->ram_base + number(16);
    case 2:
        return ram_end - 4 + number(8);
    case 3:
        return number(4) != 0 ? number(CODE_WORDS) : number(0x10000);
    default:
        return on->window + number(WINDOW_BYTES - 64);
    }
}

static uint8_t random_byte(void)
{
    static const uint8_t corners[] = {0, 1, 2, 0x0f, 0x10, 0x7f, 0x80, 0x81, 0xf0, 0xfe, 0xff};
    return (uint8_t)(number(2) == 0 ? corners[number(sizeof corners)] : number(256));
}

static uint32_t by_pointer(void)
{
    static const uint8_t kinds[] = {1, 2, 9, 10, 12, 13, 14, 15, 4, 5, 6, 7};
    const bool store = number(2) == 0;
    return 0x9000 | (uint32_t)store << 9 | number(32) << 4 | kinds[number(store ? 8 : 12)];
}

static uint32_t in_out(void)
{
    const uint32_t special[] = {AV_SPL, AV_SPH, AV_SREG, on->plain[0], on->plain[1], on->plain[2]};
    const uint32_t at = special[number(6)];
    if (number(3) == 0) /* CBI, SBIC, SBI, SBIS */
        return 0x9800 | number(0x400 >> 8) << 8 | (uint32_t)on->plain[0] << 3 | number(8);
    return 0xb000 | number(2) << 11 | (at & 0x30) << 5 | (at & 15) | number(32) << 4;
}

static uint32_t single(void)
{
    static const uint8_t kinds[] = {0, 1, 2, 3, 5, 6, 7, 10};
    return number(5) == 0 ? 0x9408 | number(16) << 4 : 0x9400 | number(32) << 4 | kinds[number(8)];
}

static uint32_t goes(void)
{
    static const uint16_t jumps[] = {0x9409, 0x9509, 0x9419, 0x9519, 0x9508, 0x9518};
    switch (number(4)) {
    case 0:
        return 0xc000 | number(2) << 12 | number(4); /* RJMP, RCALL */
    case 1:
        return jumps[number(6)];
    default:
        return 0xf000 | number(2) << 10 | number(4) << 3 | number(8);
    }
}

static uint32_t word(void)
{
    switch (number(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return 0x0400 + number(0x2c00);
    case 4:
    case 5:
        return 0x3000 + number(0x5000);
    case 6:
    case 7:
        return single();
    case 8:
        return 0x9600 + number(0x200);
    case 9:
        return number(2) == 0 ? 0x9c00 + number(0x400) : 0x0100 + number(0x300);
    case 10:
        return (0xf800 | number(0x800)) & ~8u;
    case 11:
        return 0x8000 | (number(0x10000) & 0x2fff);
    case 12:
    case 13:
        return by_pointer();
    case 14:
        return in_out();
    default:
        return goes();
    }
}

static void put(uint32_t at, uint32_t instruction)
{
    core->flash[2 * at] = (uint8_t)instruction;
    core->flash[2 * at + 1] = (uint8_t)(instruction >> 8);
}

static void make_code(void)
{
    for (uint32_t at = 0; at < CODE_WORDS; at++) {
        const bool two = at + 1 < CODE_WORDS && number(24) == 0;
        put(at, two ? 0x9000 | number(2) << 9 | number(32) << 4 : word());
        if (two && number(4) == 0) /* CALL, JMP */
            put(at, 0x940c | number(2) << 1);
        if (two) {
            const bool goes_on = (core->flash[2 * at] & 0x0c) == 0x0c;
            put(++at, goes_on ? number(CODE_WORDS) : pointer());
        }
    }
    av_core_decode(core, 0, CODE_WORDS);
}

static void make_program(void)
{
    make_code();
    for (uint32_t at = 0; at < TABLE_BYTES; at++)
        core->flash[TABLE + at] = (uint8_t)number(256);
    for (uint32_t at = 0; at < WINDOW_BYTES; at++)
        core->data[on->window + at] = random_byte();
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        core->r[reg] = random_byte();
    for (unsigned reg = POINTERS; reg < REGISTERS; reg += 2) {
        if (number(4) != 0)
            av_set_pair(core->r + reg, pointer());
    }
    for (unsigned i = 0; i < 3; i++)
        core->data[on->plain[i] + av_io_base(core)] = (uint8_t)(number(2) == 0 ? number(256) : 0);
    core->sp = (uint16_t)(on->window + WINDOW_BYTES / 2 + number(64));
    core->sreg = (uint8_t)number(256);
    core->pc = 0;
    core->floor = 0; /* no stack is too deep */
    core->cycles = 0;
    core->stop = AV_NONE;
    core->settle = AV_NEVER;
    core->blocked = 0;
    core->in_level = false;
    on->start = *core;
}

/* --- runs ------------------------------------------------------------------------------------- */

static void restart(bool watched)
{
    *core = on->start;
    core->watch = watched ? on->watch : NULL;
}

static way run(unsigned most, uint64_t until)
{
    way w = {.steps = 0};
    while (w.steps < most && core->cycles < until) {
        w.pc[w.steps] = core->pc;
        const uint64_t before = core->cycles;
        if (core->pc >= CODE_WORDS || av_core_step(core, AV_NEVER) != AV_PAUSED) {
            core->cycles = before;
            break;
        }
        w.steps++;
    }
    w.pc[w.steps] = core->pc;
    w.cycles = core->cycles;
    return w;
}

/* --- secrets ---------------------------------------------------------------------------------- */

typedef struct secrets {
    uint8_t r[REGISTERS], flags, plain[3];
    uint16_t sp;
    uint8_t memory[WINDOW_BYTES];
} secrets;

static uint8_t random_bits(void)
{
    switch (number(5)) {
    case 0:
        return 0xff;
    case 1:
    case 2:
        return (uint8_t)(1u << number(8));
    case 3:
        return 0x0f;
    default:
        return (uint8_t)(number(0x10000) & number(0x100));
    }
}

static secrets choose(void)
{
    secrets chosen = {.flags = (uint8_t)(number(3) == 0 ? number(128) : 0),
                      .sp = (uint16_t)(number(16) == 0 ? number(0x40) : 0)};
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        chosen.r[reg] = number(3) == 0 ? random_bits() : 0;
    for (unsigned i = 0; i < 3; i++)
        chosen.plain[i] = number(8) == 0 ? random_bits() : 0;
    if (number(2) == 0) {
        for (uint32_t at = 0; at < WINDOW_BYTES; at++)
            chosen.memory[at] = number(3) == 0 ? random_bits() : 0;
    }
    return chosen;
}

static void mark(const secrets *chosen)
{
    av_watch *watch = on->watch;
    sh_shadow *shadow = on->shadow;
    sh_begin(shadow);
    shadow->cleared = false;
    shadow->finding_count = 0;
    memset(shadow->findings, 0, sizeof shadow->findings);
    sh_make_secret(shadow, on->window, WINDOW_BYTES, 0, 0); /* a reason for all of them */
    const sh_why why = shadow->why[on->window];
    memcpy(shadow->bits + on->window, chosen->memory, WINDOW_BYTES);
    watch->bounded = 0;
    watch->chosen = NULL;
    for (unsigned reg = 0; reg < REGISTERS; reg++) {
        watch->secret[reg] = chosen->r[reg];
        watch->why[reg] = why;
    }
    for (unsigned i = 0; i < 3; i++) {
        shadow->bits[on->plain[i] + av_io_base(core)] = chosen->plain[i];
        shadow->why[on->plain[i] + av_io_base(core)] = why;
    }
    watch->flags = chosen->flags;
    watch->sp = chosen->sp;
    watch->flags_why = watch->sp_why = why;
}

/* Turns some of the secret bits: one of a byte, or any number of them. */
static void turn(const secrets *chosen)
{
    const bool sparse = number(2) == 0;
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        core->r[reg] ^= chosen->r[reg] & (uint8_t)(sparse ? 1u << number(8) : number(256));
    for (uint32_t at = 0; at < WINDOW_BYTES; at++)
        core->data[on->window + at] ^= chosen->memory[at] & (uint8_t)number(256);
    for (unsigned i = 0; i < 3; i++)
        core->data[on->plain[i] + av_io_base(core)] ^= chosen->plain[i] & (uint8_t)number(256);
    core->sreg ^= chosen->flags & (uint8_t)(sparse ? number(256) : 0xff);
    core->sp ^= chosen->sp & (uint16_t)number(0x10000);
}

/* --- what must hold --------------------------------------------------------------------------- */

typedef struct finished {
    av_core core;
    av_watch watch;
    way way;
} finished;

/* Instructions may be skipped, if that takes no other time. */
static bool goes_as(const way *a, const way *b)
{
    return a->cycles == b->cycles && a->pc[a->steps] == b->pc[b->steps];
}

/* May it go another way, or take another time? A load of AVRe+ takes as long where nothing is, but
 * ends this run. */
static bool excused(void)
{
    const bool lost =
        core->family != AV_XT && core->stop == AV_BUS && first_of(on->shadow, SH_LOAD) != NULL;
    return any_waits(on->shadow) || first_of(on->shadow, SH_STORE) != NULL || lost;
}

/* Does everything that differs from that run have a shadow? */
static bool shadowed(const finished *base, const way *now)
{
    bool good = true;
    /* it may have gone another way between; or a store went elsewhere than where it was followed */
    if (!same_way(&base->way, now) ? excused() : first_of(on->shadow, SH_STORE) != NULL)
        return true;
    for (unsigned reg = 0; core->family == AV_XT && reg < REGISTERS; reg++)
        good = good && ((core->own[reg] ^ base->core.own[reg]) & ~base->watch.own[reg]) == 0;
    good = good && ((core->sreg ^ base->core.sreg) & ~base->watch.flags) == 0;
    good = good && ((core->sp ^ base->core.sp) & ~base->watch.sp) == 0;
    if (memcmp(core->data, base->core.data, AV_DATA) == 0)
        return good;
    for (uint32_t at = 0; at < AV_DATA; at++)
        good = good && ((core->data[at] ^ base->core.data[at]) & ~on->shadow->bits[at]) == 0;
    return good;
}

static void show(const finished *base)
{
    fprintf(stderr, "%s:", on->part);
    for (unsigned i = 0; i <= base->way.steps; i++)
        fprintf(stderr, " %02x:%02x%02x", (unsigned)base->way.pc[i],
                core->flash[2 * base->way.pc[i] + 1], core->flash[2 * base->way.pc[i]]);
    fputc('\n', stderr);
}

static unsigned one_program(finished *base)
{
    unsigned turned = 0;
    make_program();
    restart(false);
    const unsigned steps = run(LONGEST, AV_NEVER).steps; /* as far as it comes without a fault */
    const secrets chosen = choose();
    restart(true);
    mark(&chosen);
    base->way = run(steps, AV_NEVER);
    if (on->watch->chosen != NULL) { /* not between the two */
        CHECK(av_core_step(core, AV_NEVER) == AV_PAUSED);
        base->way.pc[++base->way.steps] = core->pc;
        base->way.cycles = core->cycles;
    }
    base->core = *core;
    base->watch = *on->watch;
    CHECK(base->way.steps >= steps);
    for (unsigned i = 0; i < TURNS && steps > 0; i++) {
        restart(false);
        turn(&chosen);
        const way now = run(2 * LONGEST, base->way.cycles);
        const bool good = goes_as(&now, &base->way) ? shadowed(base, &now) : excused();
        if (!good)
            show(base);
        CHECK(good);
        turned++;
    }
    return turned;
}

/* --- single instructions ---------------------------------------------------------------------- */

typedef struct rule {
    const char *name;
    uint16_t code; /* on r16 and r17, or r24 and r25 */
    uint8_t values[2], secrets[2];
    uint8_t before, flags_before; /* SREG, and its secret bits */
    uint8_t to;                   /* the first register, or 0 with 1 */
    uint16_t result;              /* secret bits of it and of the next */
    uint8_t flags;
} rule;

#define S_N (AV_S | AV_N)
#define SUM (AV_C | AV_Z | S_N | AV_V | AV_H)

/* Bits that are no secret must not be called one: no false alarm. */
static const rule rules[] = {
    {"AND r16,r17", 0x2301, {0xff, 0x0f}, {0xff, 0}, 0, 0, 16, 0x0f, AV_Z},
    {"AND by zero", 0x2301, {0xff, 0}, {0xff, 0}, 0, 0, 16, 0, 0},
    {"OR by ones", 0x2b01, {0xff, 0xff}, {0xff, 0}, 0, 0, 16, 0, 0},
    {"EOR itself", 0x2700, {5, 0}, {0xff, 0}, 0, 0, 16, 0, 0},
    {"EOR", 0x2701, {5, 3}, {0x70, 0x0f}, 0, 0, 16, 0x7f, AV_Z},
    {"COM sets the carry", 0x9500, {1, 0}, {0x81, 0}, 0, AV_C, 16, 0x81, S_N},
    {"ADD, no carry leaves", 0x0f01, {0x20, 1}, {0x07, 0}, 0, 0, 16, 0x0f, 0},
    {"ADD, one does", 0x0f01, {8, 8}, {7, 0}, 0, 0, 16, 7, 0},
    {"LSL", 0x0f00, {0, 0}, {0x40, 0}, 0, 0, 16, 0x80, AV_N | AV_V | AV_Z},
    {"ROL of a secret carry", 0x1f00, {0, 0}, {0, 0}, 0, AV_C, 16, 1, AV_Z},
    {"SUB itself", 0x1b00, {7, 0}, {0xff, 0}, 0, 0, 16, 0, 0},
    {"SBC itself: a mask",
     0x0b00,
     {7, 0},
     {0xff, 0},
     AV_Z,
     AV_C,
     16,
     0xff,
     AV_C | AV_Z | S_N | AV_H},
    {"SBC itself, carry known", 0x0b00, {7, 0}, {0xff, 0}, AV_Z, 0, 16, 0, 0},
    {"CPC, Z was clear", 0x0701, {0, 1}, {1, 0}, 0, 0, 16, 1, AV_C | S_N | AV_V | AV_H},
    {"CPI against above", 0x3004, {0, 0}, {3, 0}, 0, 0, 16, 3, 0},
    {"SUBI", 0x5001, {0, 0}, {1, 0}, 0, 0, 16, 0xff, SUM},
    {"NEG of a bit: a mask", 0x9501, {1, 0}, {1, 0}, 0, 0, 16, 0xff, SUM},
    {"INC keeps C", 0x9503, {0, 0}, {1, 0}, 0, AV_C, 16, 3, AV_C | AV_Z},
    {"DEC", 0x950a, {1, 0}, {1, 0}, 0, 0, 16, 0xff, AV_Z | S_N | AV_V},
    {"LSR", 0x9506, {0, 0}, {2, 0}, 0, 0, 16, 1, AV_Z},
    {"LSR out", 0x9506, {0, 0}, {1, 0}, 0, 0, 16, 0, AV_C | AV_V | AV_S},
    {"ASR", 0x9505, {0, 0}, {0x80, 0}, 0, 0, 16, 0xc0, AV_N | AV_V | AV_Z},
    {"ROR of a secret carry", 0x9507, {0, 0}, {0, 0}, 0, AV_C, 16, 0x80, AV_N | AV_V | AV_Z},
    {"SWAP", 0x9502, {0, 0}, {0x81, 0}, 0, 0, 16, 0x18, 0},
    {"BLD of a secret T", 0xf903, {0xff, 0}, {0, 0}, 0, AV_T, 16, 8, AV_T},
    {"BLD of a known T", 0xf903, {0xff, 0}, {0xff, 0}, AV_T, 0, 16, 0xf7, 0},
    {"BST", 0xfb03, {0, 0}, {8, 0}, 0, 0, 16, 8, AV_T},
    {"BST of another bit", 0xfb02, {0, 0}, {8, 0}, 0, AV_T, 16, 8, 0},
    {"MUL by a power of two", 0x9f01, {4, 0}, {0, 0x0f}, 0, 0, 0, 0x3c, AV_Z},
    {"MUL by zero", 0x9f01, {0, 9}, {0, 0xff}, 0, 0, 0, 0, 0},
    {"MULS", 0x0201, {0xff, 0}, {0, 1}, 0, 0, 0, 0xffff, AV_C | AV_Z},
    {"FMUL", 0x0309, {4, 0}, {0, 0x0f}, 0, 0, 0, 0x78, AV_Z},
    {"MOVW", 0x0108, {0, 0}, {0x12, 0x34}, 0, 0, 0, 0x3412, 0},
    {"ADIW", 0x9601, {0xff, 0}, {1, 0}, 0, 0, 24, 0x1ff, AV_Z},
    {"SBIW", 0x9701, {0, 1}, {1, 0}, 0, 0, 24, 0x1ff, AV_Z},
    {"CLC", 0x9488, {0, 0}, {0, 0}, 0, AV_C | AV_Z, 16, 0, AV_Z},
    {"IN SREG", 0xb70f, {0, 0}, {0, 0}, 0, AV_C | AV_T, 16, AV_C | AV_T, AV_C | AV_T},
    {"OUT SREG", 0xbf0f, {0, 0}, {AV_V, 0}, 0, AV_C, 16, AV_V, AV_V},
};

static void single_rule(const rule *one)
{
    secrets chosen = {.flags = one->flags_before};
    const unsigned at = one->to == 24 ? 24 : 16;
    make_program();
    put(0, one->code);
    av_core_decode(core, 0, 2);
    restart(true);
    core->sreg = one->before;
    memcpy(chosen.r + at, one->secrets, 2);
    mark(&chosen);
    memcpy(core->r + at, one->values, 2);
    CHECK(run(1, AV_NEVER).steps == 1);
    const av_watch *watch = on->watch;
    const unsigned result = watch->secret[one->to] | (unsigned)watch->secret[one->to + 1] << 8;
    const unsigned other = one->to == 16 ? one->secrets[1] : 0;
    const bool good = result == (one->result | other << 8) && watch->flags == one->flags;
    if (!CHECK(good))
        fprintf(stderr, "%s: secret bits 0x%04x, flags 0x%02x\n", one->name, result, watch->flags);
}

/* --- planted leaks ---------------------------------------------------------------------------- */

typedef struct leak {
    const char *name, *part;
    uint16_t code[12];
    uint8_t count;   /* instructions until it is found */
    uint16_t values; /* of Z */
    uint8_t kind;    /* SH_KINDS: nothing is found */
    uint8_t waits, at, cost;
} leak;

#define E22 "atmega2560"
#define XT "atmega4809"

/* r16 is secret, and nothing else. Y lies in the window. ADIW follows, and stands where a word is
 * 0. */
static const leak leaks[] = {
    {"a branch", E22, {0x3005, 0xf009}, 2, 0, SH_BRANCH, 1, 1, 1},
    {"a branch on the T flag", E22, {0xfb02, 0xf00e}, 2, 0, SH_BRANCH, 1, 1, 1},
    {"the order of two words", E22, {0x2711, 0x3005, 0x0711, 0xf008}, 4, 0, SH_BRANCH, 1, 3, 1},
    {"a mask", E22, {0x9506, 0x0b00, 0x2301, 0x2b10}, 4, 0, SH_KINDS, 0, 0, 0},
    {"a sign, extended", E22, {0x2711, 0xfd07, 0x9510, 0x2f21}, 4, 0, SH_KINDS, 0, 0, 0},
    {"a branch on it", E22, {0x2711, 0xfd07, 0x9510, 0x2311, 0xf009}, 5, 0, SH_BRANCH, 1, 4, 1},
    {"an increment, or not", E22, {0x2300, 0xf409, 0x9513, 0x2f21}, 4, 0, SH_KINDS, 0, 0, 0},
    {"a branch on that", E22, {0x2300, 0xf409, 0x9513, 0x2311, 0xf412}, 5, 0, SH_BRANCH, 1, 4, 1},
    {"a jump, or not", E22, {0x2300, 0xf409, 0xc001}, 2, 0, SH_BRANCH, 1, 1, 1},
    {"CPSE over one word", E22, {0x1301, 0x0000}, 1, 0, SH_BRANCH, 1, 0, 1},
    {"SBRC over two words", E22, {0xfd00, 0x940c, 4}, 1, 0, SH_BRANCH, 1, 0, 2},
    {"SBRS", E22, {0xff07, 0x0000}, 1, 0, SH_BRANCH, 1, 0, 1},
    {"interrupts, or none", E22, {0xbf0f}, 1, 0, SH_OPERANDS, 1, 0, 255},
    {"SBIS of a register for all uses", E22, {0xbb0e, 0x9bf1, 0}, 1, 0, SH_OPERANDS, 1, 0, 255},
    {"through the stack", E22, {0x930f, 0x2700, 0x911f, 0x2311, 0xf009}, 5, 0, SH_BRANCH, 1, 4, 1},
    {"through memory, twice",
     E22,
     {0x8308, 0x8118, 0x8319, 0x8129, 0x2700, 0x2322, 0xf009},
     7,
     0,
     SH_BRANCH,
     1,
     6,
     1},
    {"through SREG on the stack",
     E22,
     {0x3005, 0xb70f, 0x930f, 0x2700, 0x911f, 0xbf1f, 0xf008},
     7,
     0,
     SH_BRANCH,
     1,
     6,
     1},
    {"IJMP", E22, {0x2fe0, 0x9409}, 2, 0, SH_JUMP, 1, 1, 255},
    {"EICALL", E22, {0xbf0c, 0x9519}, 2, 4, SH_JUMP, 1, 1, 255},
    {"a return address", E22, {0x930f, 0x921f, 0x9508}, 3, 0, SH_JUMP, 1, 2, 255},
    {"a table in flash", E22, {0x0fe0, 0x9144}, 2, TABLE, SH_LOAD, 0, 1, 0},
    {"a table in far flash", E22, {0xbf0b, 0x9146}, 2, TABLE, SH_LOAD, 0, 1, 0},
    {"a table on two pages of RAM", E22, {0x0fe0, 0x1ff1, 0x8141}, 3, 0x7f0, SH_LOAD, 0, 2, 0},
    {"one that a difference names", E22, {0x1be0, 0x0bf1, 0x8141}, 3, 0x810, SH_LOAD, 0, 2, 0},
    {"a store on two pages", E22, {0x0fe0, 0x1ff1, 0x8341}, 3, 0x7f0, SH_STORE, 0, 2, 0},
    {"a byte stored anywhere",
     E22,
     {0x0fe0, 0x8341, 0x8119, 0x2311, 0xf009},
     5,
     0x380,
     SH_BRANCH,
     1,
     4,
     1},
    {"a store to registers", E22, {0x2fe0, 0x8341}, 2, 0x180, SH_STORE, 1, 1, 255},
    {"a load of registers", E22, {0x2fe0, 0x8141}, 2, 0x180, SH_LOAD, 1, 1, 255},
    {"nothing, of XT", XT, {0x0fe0, 0x1ff1, 0x8340}, 3, 0x3ff0, SH_STORE, 1, 2, 255},
    {"a table in mapped flash", XT, {0x0fe0, 0x1ff1, 0x8141}, 3, 0x7ff0, SH_LOAD, 0, 2, 0},
    {"RAM or mapped flash", XT, {0x0fe0, 0x1ff1, 0x8141}, 3, 0x3ff0, SH_LOAD, 1, 2, 1},
    {"EEPROM or RAM", XT, {0x2ff0, 0x8141}, 2, 0x2880, SH_LOAD, 1, 1, 255},
    {"a store to RAM", XT, {0x0fe0, 0x1ff1, 0x8341}, 3, 0x3cf0, SH_STORE, 0, 2, 0},
    {"a pointer moves on", XT, {0x0fe0, 0x1ff1, 0x9141, 0x9141}, 4, 0x3cf0, SH_LOAD, 0, 3, 0},
};

static void planted(const leak *one)
{
    secrets chosen = {.r = {[16] = 0xff}};
    make_program();
    for (uint32_t i = 0; i < CODE_WORDS; i++)
        put(i, i < 12 && one->code[i] != 0 ? one->code[i] : ADIW);
    av_core_decode(core, 0, CODE_WORDS);
    restart(true);
    mark(&chosen);
    core->r[1] = core->r[16] = core->r[17] = 0;
    av_set_pair(core->r + 28, on->window);
    av_set_pair(core->r + 30, one->values);
    const unsigned steps = run(one->count, AV_NEVER).steps;
    const sh_finding *found = first_of(on->shadow, one->kind);
    bool good = steps + 1 >= one->count;
    if (one->kind == SH_KINDS)
        good = good && on->shadow->finding_count == 0;
    else
        good = good && found != NULL;
    for (size_t i = 0; good && one->kind != SH_KINDS && i < SH_FINDINGS; i++) {
        found = &on->shadow->findings[i];
        if (found->count != 0 && found->pc == 2u * one->at)
            good = found->waits == one->waits && found->cost == one->cost;
    }
    if (!CHECK(good))
        fprintf(stderr, "%s: %u instructions, %zu findings\n", one->name, steps,
                on->shadow->finding_count);
}

static void on_part(const char *name)
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        if (strcmp(machines[i].part, name) == 0)
            on = &machines[i];
    }
    core = &on->board->core;
}

int main(int argc, char **argv)
{
    const unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : PROGRAMS;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    const size_t parts = sizeof machines / sizeof machines[0];
    const unsigned long all = programs * parts;
    static finished base;
    unsigned long turned = 0;
    check_begin();
    state = seed != 0 ? (uint32_t)seed : 1;
    for (size_t i = 0; i < parts; i++)
        prepare(&machines[i]);
    for (size_t i = 0; i < parts; i++) {
        on_part(machines[i].part);
        for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++)
            single_rule(&rules[k]);
    }
    for (size_t i = 0; i < sizeof leaks / sizeof leaks[0]; i++) {
        on_part(leaks[i].part);
        planted(&leaks[i]);
    }
    for (unsigned long i = 0; i < all; i++) {
        on_part(machines[i % parts].part);
        turned += one_program(&base);
    }
    CHECK(turned >= all); /* most programs come further than their first instruction */
    for (size_t i = 0; i < parts; i++) {
        machines[i].board->core.watch = machines[i].watch;
        av_board_free(machines[i].board);
    }
    return check_end();
}

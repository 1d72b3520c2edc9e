/*
 * x1 to x27 hold random values, but x2, the stack pointer; x28 is for addresses, x29 for readings
 * of the cycle counter, x30 the address of data, x31 that of the log.
 */
#include "generate.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    AT = 28,
    TIME = 29,
    BASE = 30,
    LOGS = 31,
    SP = 2,
    MCYCLE = 0xb00,
    LONGEST_TRIAL = 0x800,
    TRIALS_END = 0xe000, /* the last one begins before */
    STEPS = 40
};
_Static_assert(TRIALS_END <= IMAGE_LENGTH - LONGEST_TRIAL - 64, "the last trial lies in the image");

typedef struct program {
    uint8_t *image;
    uint32_t at, state;
    unsigned depth; /* of loops and functions */
    bool timeless;  /* it does not read the cycle counter */
} program;

uint32_t random_below(uint32_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (uint32_t)((uint64_t)*state * below >> 32);
}

static uint32_t pick(program *p, uint32_t below)
{
    return random_below(&p->state, below);
}

#define ONE_OF(p, list) (list)[pick((p), sizeof(list) / sizeof(list)[0])]

static void half(program *p, uint32_t halfword)
{
    p->image[p->at++] = (uint8_t)halfword;
    p->image[p->at++] = (uint8_t)(halfword >> 8);
}

static void word(program *p, uint32_t w)
{
    half(p, w & 0xffff);
    half(p, w >> 16);
}

static uint32_t reg(program *p)
{
    const uint32_t r = 1 + pick(p, 26);
    return r >= SP ? r + 1 : r;
}

static uint32_t any(program *p)
{
    return pick(p, 8) == 0 ? 0 : reg(p);
}

static void of_i(program *p, uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1,
                 uint32_t imm)
{
    word(p, imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode);
}

static void constant(program *p, uint32_t rd, uint32_t value)
{
    const uint32_t low = value & 0xfff, high = value + (low << 1 & 0x1000);
    word(p, (high & 0xfffff000) | rd << 7 | 0x37);
    of_i(p, 0x13, 0, rd, rd, low);
}

static uint32_t value(program *p)
{
    static const uint32_t corners[] = {
        0,      1,      2,          31,         0x7f,       0x80,       0xff,      0x7fff,
        0x8000, 0xffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    return pick(p, 2) == 0 ? ONE_OF(p, corners) : pick(p, 0x10000) << 16 | pick(p, 0x10000);
}

static void log_register(program *p, uint32_t r)
{
    word(p, r << 20 | LOGS << 15 | 2 << 12 | 0 << 7 | 0x23); /* SW r, 0(x31) */
    of_i(p, 0x13, 0, LOGS, LOGS, 4);
}

static void log_time(program *p)
{
    if (p->timeless)
        return;
    of_i(p, 0x73, 2, TIME, 0, MCYCLE);
    log_register(p, TIME);
}

/* --- one instruction -------------------------------------------------------------------------- */

static void of_registers(program *p)
{
    /* funct7, funct3 */
    static const uint8_t codes[][2] = {
        {0, 0},    {0, 1},    {0, 2},    {0, 3},    {0, 4},    {0, 5}, {0, 6},    {0, 7},
        {0x20, 0}, {0x20, 5}, {0x20, 4}, {0x20, 6}, {0x20, 7}, {1, 0}, {1, 1},    {1, 2},
        {1, 3},    {1, 4},    {1, 5},    {1, 6},    {1, 7},    {5, 4}, {5, 5},    {5, 6},
        {5, 7},    {0x10, 2}, {0x10, 4}, {0x10, 6}, {4, 4},    {4, 7}, {0x14, 1}, {0x24, 1},
        {0x24, 5}, {0x34, 1}, {0x30, 1}, {0x30, 5},
    };
    const uint8_t *code = ONE_OF(p, codes);
    const bool divides = code[0] == 1 && code[1] >= 4;
    if (divides && pick(p, 3) != 0)
        return;
    /* SLT of x0 is h3.block, which waits */
    const bool pauses = code[0] == 0 && code[1] == 2;
    word(p, (uint32_t)code[0] << 25 | any(p) << 20 | any(p) << 15 | (uint32_t)code[1] << 12 |
                (pauses ? reg(p) : any(p)) << 7 | 0x33);
}

static void with_constant(program *p)
{
    static const uint8_t plain[] = {0, 2, 3, 4, 6, 7};
    static const uint16_t shifts[][2] = {{0x000, 1}, {0x000, 5}, {0x400, 5}, {0x600, 5},
                                         {0x280, 1}, {0x480, 1}, {0x680, 1}, {0x480, 5}};
    static const uint16_t unary[][2] = {{0x600, 1}, {0x601, 1}, {0x602, 1}, {0x604, 1}, {0x605, 1},
                                        {0x287, 5}, {0x698, 5}, {0x687, 5}, {0x08f, 1}, {0x08f, 5}};
    switch (pick(p, 5)) {
    case 0: {
        const uint16_t *s = ONE_OF(p, shifts);
        of_i(p, 0x13, s[1], any(p), any(p), s[0] | pick(p, 32));
        break;
    }
    case 1: {
        const uint16_t *u = ONE_OF(p, unary);
        of_i(p, 0x13, u[1], any(p), any(p), u[0]);
        break;
    }
    case 2:
        word(p, (value(p) & 0xfffff000) | any(p) << 7 | (pick(p, 2) != 0 ? 0x37u : 0x17u));
        break;
    default:
        of_i(p, 0x13, ONE_OF(p, plain), any(p), any(p), pick(p, 0x1000));
        break;
    }
}

static void transfer(program *p)
{
    static const uint8_t loads[] = {0, 1, 2, 4, 5};
    const uint32_t offset = 4 * pick(p, 256);
    if (pick(p, 3) != 0) {
        of_i(p, 0x03, ONE_OF(p, loads), any(p), BASE, offset);
    } else {
        word(p, (offset >> 5) << 25 | any(p) << 20 | BASE << 15 | pick(p, 3) << 12 |
                    (offset & 31) << 7 | 0x23);
    }
}

/* A load whose address comes from a load, and a store of what was loaded. */
static void chain(program *p)
{
    const uint32_t r = reg(p);
    of_i(p, 0x03, 2, AT, BASE, 0x7fc); /* holds DATA */
    of_i(p, 0x03, 2, r, AT, 4 * pick(p, 64));
    word(p, r << 20 | BASE << 15 | 2 << 12 | 8 << 7 | 0x23);
}

static void narrow(program *p)
{
    const uint32_t rd = reg(p), low = 8 + pick(p, 8), imm = pick(p, 32), three = low - 8;
    switch (pick(p, 14)) {
    /* C.ADDI */
    case 0:
        half(p, 0x0001 | rd << 7 | imm << 2 | pick(p, 2) << 12);
        break;
    /* C.LI */
    case 1:
        half(p, 0x4001 | rd << 7 | imm << 2 | pick(p, 2) << 12);
        break;
    /* C.LUI */
    case 2:
        half(p, 0x6001 | rd << 7 | (imm | 1) << 2 | pick(p, 2) << 12);
        break;
    /* C.SRLI, C.SRAI */
    case 3:
        half(p, 0x8001 | three << 7 | imm << 2 | pick(p, 2) << 10);
        break;
    /* C.ANDI */
    case 4:
        half(p, 0x8801 | three << 7 | imm << 2 | pick(p, 2) << 12);
        break;
    /* C.SUB to C.AND */
    case 5:
        half(p, 0x8c01 | three << 7 | pick(p, 8) << 2 | pick(p, 4) << 5);
        break;
    /* C.MUL */
    case 6:
        half(p, 0x9c41 | three << 7 | pick(p, 8) << 2);
        break;
    case 7: {
        static const uint8_t which[] = {0, 1, 2, 3, 5};
        /* C.ZEXT.B and others */
        half(p, 0x9c61u | three << 7 | (uint32_t)ONE_OF(p, which) << 2);
        break;
    }
    /* C.SLLI */
    case 8:
        half(p, 0x0002 | rd << 7 | imm << 2);
        break;
    /* C.MV, C.ADD */
    case 9:
        half(p, (pick(p, 2) != 0 ? 0x8002u : 0x9002u) | rd << 7 | reg(p) << 2);
        break;
    /* C.ADDI4SPN */
    case 10:
        half(p, 0x0000 | pick(p, 8) << 2 | (1 + pick(p, 255)) << 5);
        break;
    /* C.LWSP */
    case 11:
        half(p, 0x4002 | rd << 7 | pick(p, 8) << 4);
        break;
    /* C.SWSP */
    case 12:
        half(p, 0xc002 | reg(p) << 2 | pick(p, 8) << 9);
        break;
    /* C.NOP */
    default:
        half(p, 0x0001);
        break;
    }
}

/* C.LW and its like, with a base among x8 to x15. */
static void narrow_transfer(program *p)
{
    const uint32_t base = pick(p, 8), other = pick(p, 8) << 2;
    word(p, BASE << 15 | (8 + base) << 7 | 0x13); /* MV */
    switch (pick(p, 7)) {
    case 0:
        half(p, 0x4000 | base << 7 | other | pick(p, 8) << 10);
        break;
    case 1:
        half(p, 0xc000 | base << 7 | other | pick(p, 8) << 10);
        break;
    case 2:
        half(p, 0x8000 | base << 7 | other | pick(p, 4) << 5);
        break;
    case 3:
        half(p, 0x8400 | base << 7 | other | pick(p, 4) << 5);
        break;
    case 4:
        half(p, 0x8440 | base << 7 | other | pick(p, 2) << 5);
        break;
    case 5:
        half(p, 0x8800 | base << 7 | other | pick(p, 4) << 5);
        break;
    default:
        half(p, 0x8c00 | base << 7 | other | pick(p, 2) << 5);
        break;
    }
}

static void atomic(program *p)
{
    static const uint8_t codes[] = {2, 3, 1, 0, 4, 0xc, 8, 0x10, 0x14, 0x18, 0x1c};
    const unsigned count = 1 + pick(p, 3);
    of_i(p, 0x13, 0, AT, BASE, 4 * pick(p, 64));
    for (unsigned i = 0; i < count; i++) {
        const uint32_t code = ONE_OF(p, codes);
        word(p,
             code << 27 | (code == 2 ? 0 : any(p)) << 20 | AT << 15 | 2 << 12 | any(p) << 7 | 0x2f);
    }
}

static void special(program *p)
{
    switch (pick(p, 5)) {
    /* ECALL */
    case 0:
        word(p, 0x00000073);
        break;
    /* FENCE.I */
    case 1:
        word(p, 0x0000100f);
        break;
    /* FENCE */
    case 2:
        word(p, 0x0ff0000f);
        break;
    /* MSCRATCH */
    case 3:
        of_i(p, 0x73, 1 + pick(p, 3), any(p), any(p), 0x340);
        break;
    default:
        of_i(p, 0x73, 5 + pick(p, 3), any(p), pick(p, 32), 0x340);
        break;
    }
}

static void step(program *p);

/* --- what is longer --------------------------------------------------------------------------- */

static void put_branch(program *p, uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t to)
{
    const uint32_t o = (uint32_t)to;
    word(p, (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
                (o >> 1 & 15) << 8 | (o >> 11 & 1) << 7 | 0x63);
}

static void put_jump(program *p, uint32_t rd, int32_t to)
{
    const uint32_t o = (uint32_t)to;
    word(p, (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 |
                (o >> 12 & 0xff) << 12 | rd << 7 | 0x6f);
}

static uint32_t narrow_jump(int32_t to)
{
    const uint32_t o = (uint32_t)to;
    return 0xa001 | (o >> 11 & 1) << 12 | (o >> 4 & 1) << 11 | (o >> 8 & 3) << 9 |
           (o >> 10 & 1) << 8 | (o >> 6 & 1) << 7 | (o >> 7 & 1) << 6 | (o >> 1 & 7) << 3 |
           (o >> 5 & 1) << 2;
}

static uint32_t narrow_branch(uint32_t code, uint32_t three, int32_t to)
{
    const uint32_t o = (uint32_t)to;
    return code | three << 7 | (o >> 8 & 1) << 12 | (o >> 3 & 3) << 10 | (o >> 6 & 3) << 5 |
           (o >> 1 & 3) << 3 | (o >> 5 & 1) << 2;
}

/* Over some instructions: what stands at `from` is written when their length is known. */
static void leap(program *p)
{
    static const uint8_t conditions[] = {0, 1, 4, 5, 6, 7};
    const uint32_t kind = pick(p, 4), from = p->at, steps = 1 + pick(p, 3);
    const uint32_t rs1 = any(p), rs2 = any(p), condition = ONE_OF(p, conditions),
                   three = pick(p, 8);
    p->at += kind < 2 ? 4 : 2;
    for (uint32_t i = 0; i < steps; i++)
        step(p);
    const uint32_t end = p->at;
    const int32_t over = (int32_t)(end - from);
    p->at = from;
    if (over > 250 && kind >= 2)
        half(p, 0x0001);
    else if (kind == 0)
        put_branch(p, condition, rs1, rs2, over);
    else if (kind == 1)
        put_jump(p, pick(p, 2), over);
    else if (kind == 2)
        half(p, narrow_jump(over));
    else
        half(p, narrow_branch(pick(p, 2) != 0 ? 0xc001 : 0xe001, three, over));
    p->at = end;
}

/* Some times round: x8 counts, and nothing in the body changes it. */
static void loop(program *p)
{
    const uint32_t times = 1 + pick(p, 6), steps = pick(p, 4);
    const bool is_narrow = pick(p, 2) != 0;
    constant(p, 8, times);
    if (pick(p, 2) != 0)
        half(p, 0x0001);
    const uint32_t top = p->at;
    for (uint32_t i = 0; i < steps; i++) {
        switch (pick(p, 4)) {
        case 0:
            half(p, 0x0001);
            break;
        case 1:
            word(p, any(p) << 20 | BASE << 15 | 2 << 12 | 4 << 7 | 0x23);
            break;
        case 2:
            of_i(p, 0x03, 2, 9 + pick(p, 10), BASE, 4 * pick(p, 8));
            break;
        default:
            of_i(p, 0x13, 0, 9 + pick(p, 10), any(p), pick(p, 0x1000));
            break;
        }
    }
    if (pick(p, 2) != 0)
        half(p, 0x147d | 0); /* C.ADDI x8, -1 */
    else
        of_i(p, 0x13, 0, 8, 8, 0xfff);
    if (pick(p, 3) == 0)
        half(p, 0x0001);
    if (is_narrow)
        half(p, narrow_branch(0xe001, 0, (int32_t)(top - p->at)));
    else
        put_branch(p, 1, 8, 0, (int32_t)(top - p->at));
    log_time(p);
}

/* A function behind a jump: its registers saved by one instruction, restored by another. */
static void call(program *p)
{
    const uint32_t list = 4 + pick(p, 12), more = 2 + pick(p, 2), how = pick(p, 3), over = p->at;
    p->at += 4;
    if (pick(p, 2) != 0)
        half(p, 0x0001);
    const uint32_t function = p->at;
    half(p, 0xb802 | list << 4 | more << 2);
    for (uint32_t i = pick(p, 3); i > 0; i--)
        step(p);
    if (how == 0) {
        half(p, 0xba02 | list << 4 | more << 2); /* CM.POP */
        half(p, 0x8082);                         /* RET */
    } else {
        half(p, (how == 1 ? 0xbe02u : 0xbc02u) | list << 4 | more << 2);
    }
    const uint32_t end = p->at;
    p->at = over;
    put_jump(p, 0, (int32_t)(end - over));
    p->at = end;
    if (pick(p, 2) != 0) {
        put_jump(p, 1, (int32_t)(function - p->at));
    } else {
        constant(p, AT, function);
        half(p, 0x9002 | AT << 7); /* C.JALR */
    }
}

static void moves(program *p)
{
    const uint32_t first = pick(p, 8), second = (first + 1 + pick(p, 7)) % 8;
    half(p, (pick(p, 2) != 0 ? 0xac22u : 0xac62u) | first << 7 | second << 2);
}

static void step(program *p)
{
    const bool deep = p->depth >= 2;
    p->depth++;
    switch (pick(p, 16)) {
    case 0:
    case 1:
        of_registers(p);
        break;
    case 2:
    case 3:
        with_constant(p);
        break;
    case 4:
    case 5:
        transfer(p);
        break;
    case 6:
        chain(p);
        break;
    case 7:
    case 8:
    case 9:
        narrow(p);
        break;
    case 10:
        narrow_transfer(p);
        break;
    case 11:
        if (deep)
            narrow(p);
        else
            leap(p);
        break;
    case 12:
        if (deep)
            narrow(p);
        else
            loop(p);
        break;
    case 13:
        if (deep)
            moves(p);
        else
            call(p);
        break;
    case 14:
        atomic(p);
        break;
    default:
        special(p);
        break;
    }
    p->depth--;
}

static void trial(program *p)
{
    constant(p, SP, STACK - 0x400);
    for (uint32_t r = 1; r < AT; r++) {
        if (r != SP)
            constant(p, r, value(p));
    }
    for (unsigned i = 0; i < STEPS; i++) {
        step(p);
        if (pick(p, 4) == 0)
            log_time(p);
    }
    log_time(p);
    for (uint32_t r = 1; r < AT; r++)
        log_register(p, r);
}

uint32_t generate_step(uint8_t image[IMAGE_LENGTH], uint32_t at, uint32_t *state)
{
    program p = {.image = image, .at = at, .state = *state, .timeless = true};
    step(&p);
    *state = p.state;
    return p.at;
}

static void put_handler(program *p)
{
    p->at = HANDLER; /* behind the ECALL */
    of_i(p, 0x73, 1, 0, TIME, 0x340);
    of_i(p, 0x73, 2, TIME, 0, 0x341);
    of_i(p, 0x13, 0, TIME, TIME, 4);
    of_i(p, 0x73, 1, 0, TIME, 0x341);
    of_i(p, 0x73, 2, TIME, 0, 0x340);
    word(p, 0x30200073);
}

void generate_handler(uint8_t image[IMAGE_LENGTH])
{
    put_handler(&(program){.image = image});
}

void generate(uint8_t image[IMAGE_LENGTH], uint32_t seed)
{
    program p = {.image = image, .state = seed * 2654435761u | 1};
    memset(image, 0, IMAGE_LENGTH);
    put_jump(&p, 0, 0x80);
    put_handler(&p);
    p.at = 0x80;
    of_i(&p, 0x73, 5, 0, 0, 0x320); /* counters run */
    constant(&p, TIME, HANDLER);
    of_i(&p, 0x73, 1, 0, TIME, 0x305);
    constant(&p, BASE, DATA);
    constant(&p, LOGS, LOG);
    /* DATA at DATA + 0x7fc */
    word(&p, BASE << 20 | BASE << 15 | 2 << 12 | 0x1c << 7 | 0x3fu << 25 | 0x23);
    for (uint32_t i = 0; i < 128; i++) {
        constant(&p, TIME, value(&p));
        word(&p, (4 * i >> 5) << 25 | TIME << 20 | BASE << 15 | 2 << 12 | (4 * i & 31) << 7 | 0x23);
    }
    while (p.at < TRIALS_END)
        trial(&p);
    constant(&p, TIME, END);
    word(&p, TIME << 15 | 2 << 12 | 0x23);
    put_jump(&p, 0, 0);
}

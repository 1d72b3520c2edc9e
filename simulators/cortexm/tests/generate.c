/*
 * Each trial gives every register and flag a random value, executes some random instructions, and
 * pushes all registers and flags: the stack is the log. Encodings: ARM DDI 0419 chapter A5.
 */
#include "generate.h"

#include <string.h>

enum {
    TRIALS = 150,
    STEPS = 24,
    LONGEST_TRIAL = 0x1000,
    CODE_AT = 0x100,
    HANDLER_AT = 0xc0,
    WINDOW = RAM_AT + 0x200,
    WINDOW_LENGTH = 0x400,
    STACK = RAM_AT + RAM_LENGTH - 0x400,
    SP_REG = 13,
    PC_REG = 15
};

uint32_t random_below(uint32_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (uint32_t)((uint64_t)*state * below >> 32);
}

uint32_t pick(program *p, uint32_t below)
{
    return random_below(&p->state, below);
}

/* Values where flags and shifts have their corners, and others. */
uint32_t value(program *p)
{
    static const uint32_t corners[] = {
        0,     1,      2,      31,     32,         33,         0x7f,       0x80,       0xff,
        0x100, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    return pick(p, 2) == 0 ? corners[pick(p, sizeof corners / sizeof corners[0])]
                           : pick(p, 0x10000) << 16 | pick(p, 0x10000);
}

void emit(program *p, uint32_t halfword)
{
    p->image[p->at++] = (uint8_t)halfword;
    p->image[p->at++] = (uint8_t)(halfword >> 8);
}

static void emit_word(program *p, uint32_t word)
{
    emit(p, word & 0xffff);
    emit(p, word >> 16);
}

void constant(program *p, uint32_t reg, uint32_t word)
{
    if ((p->at & 2) != 0)
        emit(p, 0x46c0);        /* MOV r8, r8 */
    emit(p, 0x4800 | reg << 8); /* LDR reg, [pc] */
    emit(p, 0xe001);            /* B behind the word */
    emit_word(p, word);
}

void data_processing(program *p)
{
    if (pick(p, 4) == 0)
        emit(p, 0x4000 | pick(p, 0x400));
    else
        emit(p, pick(p, 0x4000));
}

static void high_registers(program *p)
{
    uint32_t d = pick(p, 16), m = pick(p, 16);
    const uint32_t op = pick(p, 3);
    if (d == SP_REG || d == PC_REG)
        d = 8;
    if (op == 1 && (m == PC_REG || (d < 8 && m < 8)))
        m = 9;
    emit(p, 0x4400 | op << 8 | (d & 8) << 4 | m << 3 | (d & 7));
}

static void miscellaneous(program *p)
{
    static const uint16_t codes[] = {0xb200, 0xb240, 0xb280, 0xb2c0, 0xba00, 0xba40, 0xbac0};
    if (pick(p, 4) == 0)
        emit(p, 0xa000 | pick(p, 0x1000)); /* ADR, ADD Rd, SP */
    else
        emit(p, codes[pick(p, sizeof codes / sizeof codes[0])] | pick(p, 64));
}

static void one_transfer(program *p)
{
    static const uint8_t sizes[8] = {4, 2, 1, 1, 4, 2, 1, 2};
    const uint32_t t = pick(p, 8), n = pick(p, 8), kind = pick(p, 8), size = sizes[kind];
    const uint32_t m = (n + 1 + pick(p, 7)) % 8;
    const uint32_t base = WINDOW + pick(p, WINDOW_LENGTH / 4 / size) * size;
    constant(p, n, base);
    switch (pick(p, 3)) {
    case 0:
        constant(p, m, pick(p, WINDOW_LENGTH / 4 / size) * size);
        emit(p, 0x5000 | kind << 9 | m << 6 | n << 3 | t);
        break;
    case 1:
        emit(p, (size == 4   ? 0x6000u
                 : size == 1 ? 0x7000u
                             : 0x8000u) |
                    pick(p, 2) << 11 | pick(p, 32) << 6 | n << 3 | t);
        break;
    default:
        emit(p, 0x9000 | pick(p, 2) << 11 | t << 8 | pick(p, 64)); /* [sp, #] */
        break;
    }
}

static void list_transfer(program *p)
{
    uint32_t list = 1 + pick(p, 255);
    const uint32_t n = pick(p, 8), load = pick(p, 2);
    if (load == 0 && (list >> n & 1) != 0)
        list &= ~((1u << n) - 1); /* a stored base is the lowest of its list */
    constant(p, n, WINDOW + pick(p, WINDOW_LENGTH / 8) * 4);
    emit(p, 0xc000 | load << 11 | n << 8 | list);
}

static void stack(program *p)
{
    const uint32_t list = 1 + pick(p, 255);
    if (pick(p, 3) == 0) {
        const uint32_t words = pick(p, 64);
        emit(p, 0xb080 | words); /* SUB SP, ADD SP */
        emit(p, 0xb000 | words);
        return;
    }
    emit(p, 0xb400 | list);
    data_processing(p);
    emit(p, 0xbc00 | ((list << 1 | list >> 7) & 0xff)); /* as many others */
}

/* Leaps over some instructions, in every way there is. */
static void leap(program *p)
{
    const uint32_t reg = pick(p, 8), over = 1 + pick(p, 3);
    switch (pick(p, 6)) {
    case 0:
    case 1:
        emit(p, 0xd000 | pick(p, 14) << 8 | (over - 1));
        break;
    case 2:
        emit(p, 0xe000 | (over - 1));
        break;
    case 3:
        emit_word(p, 0xf800f000 | over << 16); /* BL */
        break;
    case 4: { /* BX, BLX, MOV PC */
        static const uint16_t codes[] = {0x4700, 0x4780, 0x4687};
        const uint32_t padding = (p->at & 2) != 0 ? 2 : 0;
        constant(p, reg, (p->at + padding + 8 + 2 + 2 * over) | 1);
        emit(p, codes[pick(p, 3)] | reg << 3);
        break;
    }
    default: { /* POP {pc} */
        const uint32_t padding = (p->at & 2) != 0 ? 2 : 0;
        constant(p, reg, (p->at + padding + 8 + 4 + 2 * over) | 1);
        emit(p, 0xb400 | 1u << reg);
        emit(p, 0xbd00);
        break;
    }
    }
    for (uint32_t i = 0; i < over; i++)
        data_processing(p);
}

static void loop(program *p)
{
    const uint32_t reg = pick(p, 8), start = p->at + 2;
    emit(p, 0x2000 | reg << 8 | (1 + pick(p, 5)));
    for (uint32_t i = 1 + pick(p, 4); i > 0; i--) {
        const uint32_t d = (reg + 1 + pick(p, 7)) % 8;
        emit(p, 0x4000 | pick(p, 16) << 6 | pick(p, 8) << 3 | d);
    }
    emit(p, 0x3801 | reg << 8);
    emit(p, 0xd100 | ((start - p->at - 4) / 2 & 0xff));
}

static void special(program *p)
{
    static const uint8_t readable[] = {0, 3, 5, 8, 9, 16, 20};
    const uint32_t reg = pick(p, 8);
    switch (pick(p, 7)) {
    case 0:
        emit_word(p, 0x8000f3ef | reg << 24 | (uint32_t)readable[pick(p, sizeof readable)] << 16);
        break;
    case 1: /* MSR APSR */
        constant(p, reg, pick(p, 16) << 28);
        emit_word(p, 0x8800f380 | reg);
        break;
    case 2: /* MSR PSP */
        constant(p, reg, WINDOW + 4 * pick(p, 64));
        emit_word(p, 0x8809f380 | reg);
        break;
    case 3: /* CPSID, CPSIE */
        emit(p, 0xb672);
        emit_word(p, 0x8010f3ef | reg << 24);
        emit(p, 0xb662);
        break;
    case 4:
        emit_word(p, 0x8f40f3bf | pick(p, 3) << 20); /* barriers */
        break;
    case 5:
        emit(p, pick(p, 2) == 0 ? 0xbf00 : 0xbf10); /* NOP, YIELD */
        break;
    default:
        emit(p, 0xdf00 | pick(p, 256)); /* SVC */
        break;
    }
}

static void trial(program *p, void (*more)(program *))
{
    static void (*const kinds[])(program *) = {
        data_processing, data_processing, data_processing, high_registers, miscellaneous,
        one_transfer,    list_transfer,   stack,           leap,           loop,
        special};
    constant(p, 0, pick(p, 16) << 28);
    emit_word(p, 0x8800f380); /* MSR APSR, r0 */
    for (uint32_t reg = 8; reg <= 14; reg++) {
        if (reg == SP_REG)
            continue;
        constant(p, 0, value(p));
        emit(p, 0x4680 | (reg & 7));
    }
    for (uint32_t reg = 0; reg < 8; reg++)
        constant(p, reg, value(p));
    for (unsigned i = 0; i < STEPS; i++) {
        if (more != NULL && pick(p, 3) != 0)
            more(p);
        else
            kinds[pick(p, sizeof kinds / sizeof kinds[0])](p);
    }
    emit(p, 0xb5ff);          /* PUSH {r0-r7, lr} */
    emit_word(p, 0x8000f3ef); /* MRS r0, APSR */
    for (uint32_t reg = 1; reg <= 5; reg++)
        emit(p, 0x4640 | (reg - 1) << 3 | reg); /* MOV r1 to r5, r8 to r12 */
    emit(p, 0xb43f);                            /* PUSH {r0-r5} */
}

static void semihosting(program *p, uint32_t operation, uint32_t block)
{
    constant(p, 1, block);
    constant(p, 0, operation);
    emit(p, 0xbeab);
}

/* SYS_OPEN of ":tt" for writing gives standard output; SYS_WRITE; SYS_EXIT with
 * ADP_Stopped_ApplicationExit. */
static void finish(program *p)
{
    enum { OPEN = 1, WRITE = 5, EXIT = 0x18, EXITED = 0x20026, MODE_W = 4 };
    const uint32_t blocks = IMAGE_LENGTH - 64;
    semihosting(p, OPEN, blocks);
    /* the block of SYS_WRITE, in RAM for the handle */
    constant(p, 1, RAM_AT + RAM_LENGTH - 16);
    emit(p, 0x6008);
    constant(p, 0, RAM_AT);
    emit(p, 0x6048);
    constant(p, 0, RAM_LENGTH);
    emit(p, 0x6088);
    constant(p, 0, WRITE);
    emit(p, 0xbeab);
    semihosting(p, EXIT, EXITED);
    p->at = blocks;
    emit_word(p, blocks + 12);
    emit_word(p, MODE_W);
    emit_word(p, 3);
    memcpy(p->image + p->at, ":tt", 4);
}

void generate(uint8_t image[IMAGE_LENGTH], uint32_t seed, void (*more)(program *))
{
    program p = {.image = image, .state = seed * 2654435761u | 1};
    memset(image, 0, IMAGE_LENGTH);
    emit_word(&p, STACK);
    emit_word(&p, CODE_AT | 1);
    p.at = 4 * 11;
    emit_word(&p, HANDLER_AT | 1);
    p.at = HANDLER_AT; /* SVCall: counts in memory, changes the stacked r0 */
    constant(&p, 0, RAM_AT);
    emit(&p, 0x6801); /* LDR r1, [r0] */
    emit(&p, 0x3101);
    emit(&p, 0x6001);
    emit_word(&p, 0x8005f3ef | 2u << 24); /* MRS r2, IPSR */
    emit(&p, 0x4051);                     /* EORS r1, r2 */
    emit(&p, 0x9100);                     /* STR r1, [sp] */
    emit(&p, 0x4770);
    p.at = CODE_AT;
    if (more == of_armv7em) { /* CPACR: the floating-point unit */
        constant(&p, 0, 0xe000ed88);
        constant(&p, 1, 0xf00000);
        emit(&p, 0x6001);
    }
    for (uint32_t i = 0; i < WINDOW_LENGTH / 2; i += 64) {
        constant(&p, 0, WINDOW + i);
        constant(&p, 1, value(&p));
        emit(&p, 0x6001);
    }
    for (unsigned i = 0; i < TRIALS && p.at < IMAGE_LENGTH - LONGEST_TRIAL; i++)
        trial(&p, more);
    finish(&p);
}

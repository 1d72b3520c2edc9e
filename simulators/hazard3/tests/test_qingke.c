/*
 * QingKe V2 in a CH32V003. Cycles: jnk0le's measurements (random, pipeline cycle test,
 * doc/ch32v003_(qkv2).md and the loop of ch32v_pipetest_tmpl.S); instructions: the RISC-V manual,
 * and that document's encodings of "xw".
 */
#include <stdlib.h>

#include "../board/board.h"
#include "bytes.h"
#include "check.h"

enum {
    RAM = 0x20000000,
    FLASH_ACTLR = 0x40022000,
    USART = 0x40013800,
    NOP = 0x0001,
    EBREAK = 0x9002,
    DECREMENT = 0x17fd, /* C.ADDI a5, -1 */
    A5 = 15,
    LOOPS = 10,
    MOST = 64 /* halfwords of a program */
};

static int waiting = SIM_ENDED;
static uint8_t sent;

static void send(uint8_t byte)
{
    sent = byte;
}

static int receive(void)
{
    const int byte = waiting;
    waiting = SIM_ENDED;
    return byte;
}

static hz_board *started(const uint16_t *code, size_t count, unsigned waits)
{
    hz_board *board = hz_board_new(hz_part_named("ch32v003"), 0);
    if (board == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        sim_put(board->core.code + 2 * i, 2, code[i]);
    board->send = send;
    board->receive = receive;
    hz_board_reset(board);
    board->core.flash_waits = (uint8_t)waits;
    return board;
}

/* C.BNEZ a5 by so many bytes, which are below 0. */
static uint16_t branch_back(int by)
{
    const unsigned offset = (unsigned)by;
    return (uint16_t)(0xe381 | (offset >> 8 & 1) << 12 | (offset >> 3 & 3) << 10 |
                      (offset >> 6 & 3) << 5 | (offset >> 1 & 3) << 3 | (offset >> 5 & 1) << 2);
}

static uint64_t cycles_of(const uint16_t *code, size_t count, unsigned waits, uint32_t loops)
{
    hz_board *board = started(code, count, waits);
    board->core.x[8] = RAM;
    board->core.x[A5] = loops;
    CHECK(hz_board_run(board, 100000) == HZ_UNDEFINED);
    const uint64_t cycles = board->core.cycles;
    hz_board_free(board);
    return cycles;
}

/* Cycles of a loop: `lead` halfwords, then its body, C.ADDI and C.BNEZ to the body's begin. */
static uint64_t loop(size_t lead, const uint16_t *body, size_t count, unsigned waits)
{
    uint16_t code[MOST];
    size_t n = 0;
    while (n < lead)
        code[n++] = NOP;
    for (size_t i = 0; i < count; i++)
        code[n++] = body[i];
    code[n++] = DECREMENT;
    code[n] = branch_back(-2 * (int)(count + 1));
    code[n + 1] = EBREAK;
    return (cycles_of(code, n + 2, waits, 1 + LOOPS) - cycles_of(code, n + 2, waits, 1)) / LOOPS;
}

static void loops(void)
{
    static const uint16_t nops[16] = {
        NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP};
    static const uint16_t wide[4] = {0x0293, 0x0000, NOP, NOP}; /* LI t0, 0 in 32 bits */
    static const uint16_t load[2] = {0x4004, NOP}, store[2] = {0xc004, NOP};
    CHECK(loop(0, nops, 16, 0) == 16 + 1 + 3);
    CHECK(loop(1, nops, 16, 0) == 16 + 1 + 3); /* a short instruction may lie anywhere */
    CHECK(loop(0, wide, 4, 0) == 3 + 1 + 3);
    CHECK(loop(1, wide, 4, 0) == 3 + 1 + 3 + 1); /* a long one in two words is a cycle later */
    CHECK(loop(0, load, 2, 0) == 2 + 1 + 1 + 3);
    CHECK(loop(0, store, 2, 0) == 2 + 1 + 1 + 3);
    /* a wait state: as in the template, which leaves two out and then counts the same */
    CHECK(loop(0, nops, 14, 1) == 14 + 1 + 5);
    CHECK(loop(0, nops, 13, 1) == 13 + 1 + 4);
    CHECK(loop(1, nops, 13, 1) == 13 + 1 + 5 + 1);
    CHECK(loop(1, nops, 14, 1) == 14 + 1 + 4 + 1);
}

static hz_stop stop_of(uint32_t word, uint32_t a5)
{
    const uint16_t code[] = {(uint16_t)word, (uint16_t)(word >> 16), EBREAK};
    hz_board *board = started(code, sizeof code / sizeof code[0], 0);
    board->core.x[A5] = a5;
    const hz_stop stop = hz_board_run(board, 100);
    const bool at_end = board->core.pc == 4;
    hz_board_free(board);
    return stop == HZ_UNDEFINED && at_end ? HZ_HALTED : stop;
}

static void instructions(void)
{
    CHECK(stop_of(0x0007a783, RAM) == HZ_HALTED); /* LW a5, 0(a5) */
    CHECK(stop_of(0x0007a783, RAM + 2) == HZ_UNALIGNED);
    CHECK(stop_of(0x0007a783, RAM + 0x800) == HZ_BUS);
    CHECK(stop_of(0x00f7a023, 0x100) == HZ_BUS);     /* SW a5, 0(a5): flash */
    CHECK(stop_of(0x02f787b3, 0) == HZ_UNDEFINED);   /* MUL a5, a5, a5 */
    CHECK(stop_of(0x02f7d7b3, 1) == HZ_UNDEFINED);   /* DIVU */
    CHECK(stop_of(0x1007a7af, RAM) == HZ_UNDEFINED); /* LR.W */
    CHECK(stop_of(0x40f7f7b3, 0) == HZ_UNDEFINED);   /* ANDN */
    CHECK(stop_of(0x00000813, 0) == HZ_UNDEFINED);   /* LI x16, 0 */
    CHECK(stop_of(0x000807b3, 0) == HZ_UNDEFINED);   /* ADD a5, x16, zero */
    CHECK(stop_of(0x010787b3, 0) == HZ_UNDEFINED);   /* ADD a5, a5, x16 */
    CHECK(stop_of(0xb00027f3, 0) == HZ_UNDEFINED);   /* CSRR a5, mcycle */
    CHECK(stop_of(0x343027f3, 0) == HZ_UNDEFINED);   /* CSRR a5, mtval */
    CHECK(stop_of(0x340fd073, 0) == HZ_HALTED);      /* CSRRWI zero, mscratch, 31 */
    CHECK(stop_of(0x80479073, 3) == HZ_UNDEFINED);   /* CSRW 0x804, a5: not modelled */
    CHECK(stop_of(0x00002033, 0) == HZ_HALTED);      /* SLT zero, zero, zero */
    CHECK(stop_of(0x9002b842, 0) == HZ_BUS);         /* CM.PUSH elsewhere: XW.C.SH, to flash */
}

/* XW.C.SB, SH, LBU, LHU: a0 at offset 1 + 2 + 8 = 11, and 2 + 32 = 34. */
static void small_transfers(void)
{
    const uint16_t code[] = {
        (uint16_t)(0 | 2 << 2 | 1 << 5 | 0 << 7 | 1 << 10 | 1 << 12 | 5 << 13), /* SB a0, 11(s0) */
        (uint16_t)(2 | 2 << 2 | 1 << 5 | 0 << 7 | 0 << 10 | 1 << 12 | 5 << 13), /* SH a0, 34(s0) */
        (uint16_t)(0 | 3 << 2 | 1 << 5 | 0 << 7 | 1 << 10 | 1 << 12 | 1 << 13), /* LBU a1, 11(s0) */
        (uint16_t)(2 | 4 << 2 | 1 << 5 | 0 << 7 | 0 << 10 | 1 << 12 | 1 << 13), /* LHU a2, 34(s0) */
        EBREAK};
    hz_board *board = started(code, sizeof code / sizeof code[0], 0);
    board->core.x[8] = RAM;
    board->core.x[10] = 0x87654321;
    CHECK(hz_board_run(board, 100) == HZ_UNDEFINED && board->core.pc == 8);
    CHECK(board->core.ram[11] == 0x21 && sim_get16(board->core.ram + 34) == 0x4321);
    CHECK(board->core.x[11] == 0x21 && board->core.x[12] == 0x4321);
    CHECK(board->core.cycles == 1 + 4 * 2); /* the first word, then two each */
    hz_board_free(board);
}

/* mstatus has MIE only with MPIE; mtvec has no bits 2 to 9. */
static void registers(void)
{
    static const struct {
        uint32_t write, read, given, held;
    } cases[] = {{0x30079073, 0x30002573, 0x08, 0x1800},
                 {0x30079073, 0x30002573, 0x88, 0x1888},
                 {0x30579073, 0x30502573, 0x7ff, 0x403}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint16_t code[] = {(uint16_t)cases[i].write, (uint16_t)(cases[i].write >> 16),
                                 (uint16_t)cases[i].read, (uint16_t)(cases[i].read >> 16), EBREAK};
        hz_board *board = started(code, sizeof code / sizeof code[0], 0);
        board->core.x[A5] = cases[i].given;
        CHECK(hz_board_run(board, 100) == HZ_UNDEFINED);
        CHECK(board->core.x[10] == cases[i].held);
        hz_board_free(board);
    }
}

/* ACTLR sets wait states; SysTick counts cycles; a byte interrupts through the table of addresses
 * at mtvec, and its handler reads and sends it. */
static void peripherals(void)
{
    enum { HANDLER = 0x100, IRQ = 32 };
    const uint16_t setting[] = {0xc11c, EBREAK}; /* C.SW a5, 0(a0) */
    hz_board *board = started(setting, sizeof setting / sizeof setting[0], 0);
    board->core.x[10] = FLASH_ACTLR;
    board->core.x[A5] = 1;
    CHECK(hz_board_run(board, 100) == HZ_UNDEFINED && board->core.flash_waits == 1);
    hz_board_free(board);

    /* LW a1, 8(a0); LW a2, 8(a0): a SysTick that runs is two cycles on */
    const uint16_t readings[] = {0xc11c, 0x450c, 0x4510, EBREAK};
    board = started(readings, sizeof readings / sizeof readings[0], 0);
    board->core.x[10] = 0xe000f000;
    board->core.x[A5] = 5;
    CHECK(hz_board_run(board, 100) == HZ_UNDEFINED);
    CHECK(board->core.x[12] - board->core.x[11] == 2);
    hz_board_free(board);

    /* WFI; J . ; handler: LW a2, 4(a0); SW a2, 4(a0); MRET */
    const uint16_t sleeping[] = {0x0073, 0x1050, 0xa001};
    const uint16_t handler[] = {0x4150, 0xc150, 0x0073, 0x3020};
    board = started(sleeping, sizeof sleeping / sizeof sleeping[0], 0);
    for (size_t i = 0; i < sizeof handler / sizeof handler[0]; i++)
        sim_put(board->core.code + HANDLER + 2 * i, 2, handler[i]);
    sim_put(board->core.code + 4 * IRQ, 4, HANDLER);
    board->core.x[10] = USART;
    board->core.mtvec = 3;
    board->core.mstatus = 0x1888;
    const hz_bus *bus = &board->core.bus;
    CHECK(bus->write(board, USART + 0xc, 4, 1 << 13 | 1 << 5 | 1 << 2));
    CHECK(bus->write(board, 0xe000e104, 4, 1));
    waiting = 0x5a;
    sent = 0;
    CHECK(hz_board_run(board, 1000) == HZ_DEADLINE);
    CHECK(sent == 0x5a && board->core.mcause == 0x80000020u && board->core.mepc == 4);
    hz_board_free(board);
}

/* A board can have more flash than the part, and code runs there. */
static void long_flash(void)
{
    hz_board *board = hz_board_new(hz_part_named("ch32v003"), 0x8000);
    if (board == NULL)
        abort();
    sim_put(board->core.code + 0x7000, 2, EBREAK);
    board->entry = 0x7000;
    hz_board_reset(board);
    CHECK(hz_board_run(board, 100) == HZ_UNDEFINED && board->core.pc == 0x7000);
    hz_board_free(board);
}

int main(void)
{
    check_begin();
    loops();
    instructions();
    small_transfers();
    registers();
    peripherals();
    long_flash();
    return check_end();
}

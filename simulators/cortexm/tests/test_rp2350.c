/* The RP2350 with its Cortex-M33: peripherals of start-up code, interrupts above 31, and code and
 * data in two halves of SRAM. */
#include <string.h>

#include "part.h"

#define NVIC_ISER1 0xe000e104u /* no int holds it */

enum {
    CODE = 0x20000000,
    DATA = 0x20040000,
    END = 0x20082000,
    PROGRAM = CODE + 0x200,
    RESETS = 0x40020000,
    UART0 = 0x40070000,
    UART0_IRQ = 33,
    TIMER0 = 0x400b0000,
    TICKS = 0x40108000,
    NOP = 0xbf00,
    WFI = 0xbf30
};

/* A table of vectors whose entries all lead to PROGRAM, but for those of interrupts. */
static void fresh(void)
{
    new_board("rp2350-m33");
    memset(core->flash, 0, 0x400);
    sim_put32(core->flash, DATA + 0x40000);
    for (uint32_t i = 1; i < 64; i++)
        sim_put32(core->flash + 4 * i, (PROGRAM + (i < 16 ? 0 : 0x100)) | 1);
    for (uint32_t i = 0; i < 0x100; i++)
        sim_put16(core->flash + (PROGRAM - CODE) + 2 * i, NOP);
    CHECK(cm_board_reset(board));
}

static void memories(void)
{
    uint32_t value;
    fresh();
    CHECK(core->r[CM_PC] == PROGRAM && core->r[CM_SP] == DATA + 0x40000);
    poke(END - 4, 7);
    CHECK(peek(END - 4) == 7 && !cm_load(core, END, 4, &value) && core->stop == CM_BUS);
    CHECK(!cm_store(core, PROGRAM, 4, 0) && core->stop == CM_BUS);
}

static void start_up(void)
{
    fresh();
    CHECK(peek(RESETS) == 0x1fffffff && peek(RESETS + 8) == 0);
    poke(RESETS, 0x1fffffff & ~(1u << 23));
    CHECK(peek(RESETS + 8) == 1u << 23);
    poke(TICKS + 0x1c, 12);
    poke(TICKS + 0x18, 1);
    core->cycles = 150ull * 0x100000002ull;
    CHECK(peek(TIMER0 + 0x28) == 2 && peek(TIMER0 + 0x24) == 1);
    CHECK(peek(TIMER0 + 0x0c) == 2 && peek(TIMER0 + 0x08) == 1);
}

/* A byte wakes the core and is told by interrupt 33. */
static void interrupt(void)
{
    fresh();
    poke(UART0 + 0x2c, 1 << 4);
    poke(UART0 + 0x30, 0x301);
    poke(UART0 + 0x38, 1 << 4 | 1 << 6);
    poke(NVIC_ISER1, 1u << (UART0_IRQ - 32));
    sim_put16(core->flash + (PROGRAM - CODE), WFI);
    sim_put16(core->flash + (PROGRAM - CODE) + 0x100, WFI);
    core->flush = true;
    input = "a";
    CHECK(cm_board_run(board, 1000) == CM_HALTED || core->exception == 16 + UART0_IRQ);
    CHECK(core->exception == 16 + UART0_IRQ && (core->lines >> UART0_IRQ & 1) != 0);
    CHECK(peek(UART0) == 'a' && core->lines == 0);
}

/* LDR of a literal from the bank that is fetched from next, and of a word of the other half. */
static void loads(void)
{
    static const uint16_t code[] = {0xf8df, 0x8020, 0xf8d1, 0x8000, NOP, NOP};
    fresh();
    for (uint32_t i = 0; i < 6; i++)
        sim_put16(core->flash + (PROGRAM - CODE) + 2 * i, code[i]);
    core->flush = true;
    core->r[1] = DATA;
    const uint64_t start = core->cycles;
    CHECK(cm_core_run(core, start + 1) == CM_DEADLINE && core->cycles == start + 1);
    CHECK(cm_core_run(core, start + 2) == CM_DEADLINE && core->cycles == start + 2);
    CHECK(core->r[8] == 0 && core->r[CM_PC] == PROGRAM + 8);
}

int main(void)
{
    check_begin();
    memories();
    start_up();
    interrupt();
    loads();
    cm_board_free(board);
    return check_end();
}

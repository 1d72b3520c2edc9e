/* Exceptions, SysTick, NVIC and faults: ARM DDI 0419 chapters B1.5 and B3. */
#include <string.h>

#include "../core/internal.h"
#include "check.h"
#include "machine.h"

enum { NOP = 0xbf00, RETURN = 0x4770, HANDLER = 0x200, OTHER = 0x240 };

static cm_board *board;
static cm_core *core;

static void fresh(void)
{
    cm_board_free(board);
    board = machine_new("samd21g18a");
    core = &board->core;
    for (uint32_t i = 0; i < 32; i++) {
        const uint16_t nop = NOP;
        machine_code(board, CODE + 2 * i, &nop, 1);
    }
    const uint16_t leave[] = {RETURN};
    machine_code(board, HANDLER, leave, 1);
    machine_code(board, OTHER, leave, 1);
}

static void vector(unsigned number, uint32_t address)
{
    machine_set_word(board, 4 * number, address | 1);
}

static uint32_t peek(uint32_t offset)
{
    uint32_t value = 0;
    CHECK(cm_load(core, 0xe000e000u + offset, 4, &value));
    return value;
}

static void poke(uint32_t offset, uint32_t value)
{
    CHECK(cm_store(core, 0xe000e000u + offset, 4, value));
}

static void frame_and_return(void)
{
    fresh();
    vector(CM_IRQ0 + 5, HANDLER);
    for (uint32_t i = 0; i < 15; i++)
        core->r[i] = i == CM_SP ? TOP - 4 : 0x100 + i;
    cm_core_set_apsr(core, 0xa0000000);
    poke(0x100, 1 << 5);
    poke(0x200, 1 << 5);
    CHECK(machine_steps(board, 1) == 15); /* entered before any instruction */
    CHECK(core->exception == 21 && core->r[CM_PC] == HANDLER && core->r[CM_LR] == 0xfffffff9);
    /* aligned to 8 bytes: bit 9 of the stacked xPSR says so */
    CHECK(core->r[CM_SP] == TOP - 40);
    CHECK(machine_word(board, TOP - 40) == 0x100 && machine_word(board, TOP - 24) == 0x10c);
    CHECK(machine_word(board, TOP - 20) == 0x10e && machine_word(board, TOP - 16) == CODE);
    CHECK(machine_word(board, TOP - 12) == (0xa0000000u | 1 << 24 | 1 << 9));
    CHECK(peek(0x200) == 0 && peek(0xd04) == 21);
    core->r[0] = 9;
    (void)machine_steps(board, 1);
    CHECK(core->exception == 0 && core->r[CM_PC] == CODE && core->r[CM_SP] == TOP - 4 &&
          core->r[0] == 0x100);
    CHECK(cm_core_apsr(core) == 0xa0000000);
}

static void priorities(void)
{
    fresh();
    vector(CM_IRQ0, HANDLER);
    vector(CM_IRQ0 + 1, OTHER);
    poke(0x400, 0x00ff);
    CHECK(peek(0x400) == 0xc0); /* two bits */
    poke(0x400, 0x40 << 8 | 0x80);
    poke(0x100, 3);
    poke(0x200, 1);
    (void)machine_steps(board, 1);
    CHECK(core->exception == 16);
    poke(0x200, 2);
    (void)machine_steps(board, 1);
    CHECK(core->exception == 17 && core->r[CM_LR] == 0xfffffff1); /* preempts */
    poke(0x200, 1);
    (void)machine_steps(board, 1);
    CHECK(core->exception == 16); /* its own priority does not */
    (void)machine_steps(board, 1);
    CHECK(core->exception == 16 || core->exception == 0);
    fresh();
    vector(CM_IRQ0, HANDLER);
    core->primask = 1;
    poke(0x100, 1);
    poke(0x200, 1);
    (void)machine_steps(board, 2);
    CHECK(core->exception == 0 && cm_core_wakes(core)); /* masked, but WFI would end */
    core->primask = 0;
    (void)machine_steps(board, 1);
    CHECK(core->exception == 16);
    poke(0x280, 1);
    poke(0x180, 1);
    CHECK(peek(0x100) == 0 && peek(0x200) == 0);
}

static void levels(void)
{
    fresh();
    vector(CM_IRQ0 + 9, HANDLER);
    poke(0x100, 1 << 9);
    cm_core_line(core, 9, true);
    (void)machine_steps(board, 1);
    CHECK(core->exception == 25);
    /* returns; still high, so again */
    CHECK(machine_steps(board, 1) == 12 + 15 && core->exception == 25);
    cm_core_line(core, 9, false);
    (void)machine_steps(board, 2);
    CHECK(core->exception == 0 && core->r[CM_PC] == CODE + 2);
}

static void systick(void)
{
    fresh();
    vector(CM_SYSTICK, HANDLER);
    poke(0x014, 9);
    poke(0x018, 5); /* any write clears */
    poke(0x010, 5);
    const uint64_t start = core->cycles;
    CHECK(peek(0x018) == 0 && peek(0x010) == 5);
    (void)machine_steps(board, 1);
    CHECK(peek(0x018) == 9);
    (void)machine_steps(board, 9);
    CHECK(core->cycles == start + 10 && peek(0x018) == 0);
    /* reading clears the flag */
    CHECK((peek(0x010) & 1 << 16) != 0);
    CHECK((peek(0x010) & 1 << 16) == 0);
    (void)machine_steps(board, 4);
    CHECK(peek(0x018) == 6);
    core->r[CM_PC] = CODE;
    poke(0x010, 7); /* with interrupt: six cycles on */
    (void)machine_steps(board, 5);
    CHECK(core->exception == 0);
    (void)machine_steps(board, 1);
    CHECK(core->exception == CM_SYSTICK && core->cycles == start + 20 + 15);
    poke(0x010, 0);
    const uint32_t held = peek(0x018);
    (void)machine_steps(board, 1);
    CHECK(peek(0x018) == held);
    poke(0x014, 0x1ffffff);
    CHECK(peek(0x014) == 0xffffff && peek(0x01c) >> 31 == 1);
}

static void control_block(void)
{
    fresh();
    CHECK(peek(0xd00) == 0x410cc601);
    poke(0xd08, 0x1234);
    CHECK(peek(0xd08) == 0x1200);
    poke(0xd20, 0xffffffff);
    CHECK(peek(0xd20) == 0xc0c00000);
    poke(0xd1c, 0xffffffff);
    CHECK(peek(0xd1c) == 0xc0000000);
    poke(0xd08, 0);
    poke(0xd04, 1 << 28);
    CHECK((peek(0xd04) & 1 << 28) != 0 && (peek(0xd04) >> 12 & 63) == CM_PENDSV);
    poke(0xd04, 1 << 27);
    CHECK((peek(0xd04) & 1 << 28) == 0);
    CHECK(!cm_store(core, 0xe000ed0cu, 4, 0x05fa0004) && core->stop == CM_RESET);
    CHECK(cm_store(core, 0xe000ed0cu, 4, 0x00000004)); /* without the key */
    uint32_t value;
    CHECK(!cm_load(core, 0xe000e010u, 2, &value) && !cm_load(core, 0xe0001000u, 4, &value));
    CHECK(!cm_store(core, 0xe000e800u, 4, 0));
}

static cm_stop runs_into(const uint16_t *code, size_t count, uint32_t r0)
{
    fresh();
    machine_code(board, CODE, code, count);
    core->r[0] = r0;
    core->stack_limit = DATA;
    return cm_board_run(board, 1000);
}
#define STOPS(r0, ...) \
    runs_into((const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / 2, r0)

static cm_stop runs_off_the_end(void)
{
    const uint16_t last = NOP;
    machine_code(board, 0x3fffe, &last, 1);
    core->r[CM_PC] = 0x3fffe;
    return cm_board_run(board, core->cycles + 1000);
}

static void faults(void)
{
    CHECK(STOPS(DATA + 2, NOP, 0x6801) == CM_UNALIGNED);
    CHECK(core->r[CM_PC] == CODE + 2 && core->fault_address == DATA + 2);
    CHECK(STOPS(DATA + 1, 0x8001) == CM_UNALIGNED);
    CHECK(STOPS(DATA + 2, 0xc806) == CM_UNALIGNED);
    CHECK(STOPS(DATA + 2, 0xc006) == CM_UNALIGNED);
    CHECK(STOPS(0x50000000, 0x6801) == CM_BUS && core->fault_address == 0x50000000);
    CHECK(STOPS(0x20008000, 0x6801) == CM_BUS);
    CHECK(STOPS(0x20007ffc, 0xc806) == CM_BUS && core->fault_address == 0x20008000);
    CHECK(STOPS(0x1000, 0x6001) == CM_BUS); /* flash */
    CHECK(STOPS(0x40000, 0x7801) == CM_BUS);
    CHECK(STOPS(0, 0xde00) == CM_UNDEFINED);
    CHECK(STOPS(0, 0xbe00) == CM_UNDEFINED);
    CHECK(STOPS(0, 0xe800, 0) == CM_UNDEFINED);
    CHECK(STOPS(0, 0xf000, 0x0000) == CM_UNDEFINED);
    CHECK(STOPS(0, 0xb400) == CM_UNDEFINED);     /* PUSH of nothing */
    CHECK(STOPS(0x200, 0x4700) == CM_UNDEFINED); /* BX to ARM code */
    CHECK(STOPS(0x60000001, 0x4700) == CM_BUS && core->r[CM_PC] == 0x60000000);
    /* erased flash */
    CHECK(STOPS(0x3ffff, 0x4700) == CM_UNDEFINED && core->r[CM_PC] == 0x3fffe);
    CHECK(runs_off_the_end() == CM_BUS && core->r[CM_PC] == 0x40000);
    CHECK(STOPS(DATA + 4, 0x4685, 0xb403) == CM_STACK && core->fault_address == DATA - 4);
    CHECK(STOPS(DATA - 4, 0x4685) == CM_STACK);
    CHECK(STOPS(DATA, 0x4685, 0xb081) == CM_STACK);
    CHECK(STOPS(0, 0xe7fe) == CM_LOCKUP); /* B to itself, and no interrupt is enabled */
    CHECK(STOPS(0, 0xbf30) == CM_LOCKUP);
    CHECK(STOPS(0, 0xb672, 0xdf00) == CM_LOCKUP); /* SVC with interrupts off */
    /* its vector is erased */
    CHECK(STOPS(0, 0xdf00) == CM_BUS && core->fault_address == 0xfffffffe);
}

static void waiting(void)
{
    fresh();
    const uint16_t code[] = {0xbf30, NOP};
    vector(CM_SYSTICK, HANDLER);
    machine_code(board, CODE, code, 2);
    poke(0x014, 999);
    poke(0x010, 7);
    const uint64_t start = core->cycles;
    /* sleeps until the interrupt, in no time */
    CHECK(cm_board_run(board, start + 1005) == CM_DEADLINE);
    CHECK(core->exception == CM_SYSTICK && core->cycles >= start + 1000);
    fresh();
    vector(CM_IRQ0, HANDLER);
    poke(0xd10, 2); /* SLEEPONEXIT */
    poke(0x100, 1);
    poke(0x200, 1);
    (void)machine_steps(board, 1);
    CHECK(core->exception == 16 && cm_core_run(core, core->cycles + 100) == CM_SLEEP);
    CHECK(core->exception == 0 && core->r[CM_PC] == CODE);
    fresh();
    const uint16_t events[] = {0xbf40, 0xbf20, 0xbf20};
    machine_code(board, CODE, events, 3);
    CHECK(machine_steps(board, 2) == 3); /* SEV, and WFE takes the event */
    CHECK(cm_core_run(core, core->cycles + 1) == CM_SLEEP);
}

static void reset_by_request(void)
{
    fresh();
    const uint16_t code[] = {0x6008, 0xe7fe};
    machine_code(board, CODE, code, 2);
    core->r[0] = 0x05fa0004;
    core->r[1] = 0xe000ed0c;
    core->r[7] = 7;
    /* begins again, with r1 = 0: a store to flash */
    CHECK(cm_board_run(board, core->cycles + 1000) == CM_BUS);
    CHECK(core->r[7] == 0 && core->r[CM_SP] == TOP);
}

int main(void)
{
    check_begin();
    frame_and_return();
    priorities();
    levels();
    systick();
    control_block();
    faults();
    waiting();
    reset_by_request();
    cm_board_free(board);
    return check_end();
}
